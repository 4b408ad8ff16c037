/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells who started a service that it has begun, and how it ended. */
#include "serve/daemon/startnotice.h"

#include "base/whole.h"
#include "serve/failures/unstored.h"
#include "serve/state/state.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void write_text(FILE *out, const struct weir_startnotice *notice)
{
	if (notice->unstored)
		fputs("weir: what was written could not all be stored:\n",
		      out);
	weir_unstored_print(out);
	if (notice->restarts)
		fprintf(out,
			"weir: the daemon ended %u time%s before its "
			"time; %s\n",
			notice->restarts, notice->restarts == 1 ? "" : "s",
			notice->err ? "then the service gave up"
				    : "the next went on with what it left");
	if (notice->sessions)
		fprintf(out,
			"weir: %u program%s still forwarded; the service "
			"ends when %s\n",
			notice->sessions,
			notice->sessions == 1 ? " is" : "s are",
			notice->sessions == 1 ? "it does" : "they do");
}

static uint32_t count_unstored(void)
{
	uint32_t made = atomic_load(&weir_state->failures), count = 0;

	for (uint32_t i = 0; i < made && i < WEIR_STATE_LEDGER; i++) {
		const struct weir_state_failure *one = &weir_state->ledger[i];

		count += atomic_load(&one->live) &&
			 (one->fate == WEIR_FATE_OPEN ||
			  one->fate == WEIR_FATE_RESCUED);
	}
	return count;
}

static void put_sums(struct weir_startnotice *notice)
{
	notice->requests_in = atomic_load(&weir_state->requests_in);
	notice->bytes_in = atomic_load(&weir_state->bytes_in);
	notice->requests_out = atomic_load(&weir_state->requests_out);
	notice->bypassed = atomic_load(&weir_state->bypassed);
	notice->materialised = atomic_load(&weir_state->materialised);
	notice->materialised_bytes =
		atomic_load(&weir_state->materialised_bytes);
	notice->never_created = atomic_load(&weir_state->never_created);
	notice->never_created_bytes =
		atomic_load(&weir_state->never_created_bytes);
	notice->bytes_out = atomic_load(&weir_state->bytes_out);
}

void weir_startnotice_tell(int fd, int err, uint32_t sessions)
{
	struct weir_startnotice notice = {.err = err, .sessions = sessions};
	char *text = NULL;
	size_t size = 0;
	FILE *out = weir_state ? open_memstream(&text, &size) : NULL;

	if (out) {
		notice.unstored = count_unstored();
		notice.restarts = weir_state->epoch - !!weir_state->epoch;
		put_sums(&notice);
		write_text(out, &notice);
		fclose(out);
	}
	notice.size = (uint32_t)size;
	if (!weir_whole_write(fd, &notice, sizeof(notice)))
		weir_whole_write(fd, text, size);
	free(text);
}

static ssize_t read_some(int fd, void *room, size_t size)
{
	ssize_t got;

	do
		got = read(fd, room, size);
	while (got < 0 && errno == EINTR);
	return got;
}

int weir_startnotice_read(int fd, struct weir_startnotice *ret_notice,
			  FILE *out)
{
	char text[4096];
	uint32_t left;
	ssize_t got = read_some(fd, ret_notice, sizeof(*ret_notice));

	if (got != (ssize_t)sizeof(*ret_notice))
		return -EPIPE;
	for (left = ret_notice->size; left; left -= (uint32_t)got) {
		got = read_some(fd, text, left < sizeof(text) ? left :
							sizeof(text));
		if (got <= 0)
			return -EPIPE;
		if (out)
			fwrite(text, 1, (size_t)got, out);
	}
	return 0;
}
