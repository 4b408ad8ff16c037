/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what must be recorded of an MPI program. */
#include "tell.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *out;
static int own_rank;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void tell_begin(const char *name, int rank)
{
	char path[4096];

	own_rank = rank;
	if (!name)
		return;
	snprintf(path, sizeof(path), "%s.%d", name, rank);
	out = fopen(path, "w");
	if (!out)
		exit(99);
	fprintf(out, "{\"pid\": %d, \"rank\": %d}\n", (int)getpid(), rank);
}

void tell(struct told told)
{
	if (!out)
		return;
	pthread_mutex_lock(&mutex);
	fprintf(out,
		"{\"call\": \"%s\", \"size\": %ld, \"off\": %ld, "
		"\"ret\": %ld, \"together\": %d, \"child\": %d}\n",
		told.call, told.size, told.off, told.ret, told.together,
		told.child);
	pthread_mutex_unlock(&mutex);
}

void tell_plain(const char *call)
{
	tell((struct told){ .call = call, .off = NOWHERE });
}

void tell_together(const char *call)
{
	tell((struct told){ .call = call, .off = NOWHERE, .together = 1 });
}

void tell_end(void)
{
	if (out && fclose(out))
		exit(99);
	out = NULL;
}

void saw(const char *what, const void *bytes, unsigned long len)
{
	const uint8_t *at = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (len--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	printf("rank %d %s %016lx\n", own_rank, what, (unsigned long)hash);
}
