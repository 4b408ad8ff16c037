/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves bytes in one of many ways and says how many were moved.
 *
 * usage: moves HOW FILE ROUNDS SIZE
 */
#include "moves.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct moved moved;

void moves_need(int is_good, const char *what)
{
	if (is_good)
		return;
	perror(what);
	exit(1);
}

long moves_add(uint64_t *to, long bytes)
{
	moves_need(bytes >= 0, "transfer");
	*to += (uint64_t)bytes;
	return bytes;
}

static const struct moves_way *const families[] = {
	moves_plain, moves_aio, moves_libaio, moves_uring,
};

static const struct moves_way *find_way(const char *name)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		for (const struct moves_way *way = families[i]; way->name;
		     way++)
			if (!strcmp(way->name, name))
				return way;
	return NULL;
}

/* Without an argument: which ways there are. */
static int list_ways(void)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		for (const struct moves_way *way = families[i]; way->name;
		     way++)
			puts(way->name);
	return 0;
}

int main(int argc, char **argv)
{
	const struct moves_way *way;
	struct moves_task task;

	if (argc < 5)
		return list_ways();
	way = find_way(argv[1]);
	moves_need(way != NULL, argv[1]);
	task = (struct moves_task){ .name = argv[2], .rounds = atol(argv[3]),
				    .size = (size_t)atol(argv[4]) };
	task.fd = open(task.name, O_RDWR | O_CREAT, 0644);
	moves_need(task.fd >= 0, task.name);
	task.data = aligned_alloc(4096, MOVES_BATCH * task.size);
	moves_need(task.data != NULL, "memory");
	memset(task.data, 7, MOVES_BATCH * task.size);
	way->run(&task);
	close(task.fd);
	printf("%s read %llu written %llu copied %llu\n", way->layer,
	       (unsigned long long)moved.read,
	       (unsigned long long)moved.written,
	       (unsigned long long)moved.copied);
	return 0;
}
