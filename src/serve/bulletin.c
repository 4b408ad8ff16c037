/* SPDX-License-Identifier: BSD-3-Clause */
/* What a service tells who started it. */
#include "serve/bulletin.h"

#include "base/whole.h"
#include "serve/state.h"
#include "serve/unstored.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void write_text(FILE *out, const struct weir_bulletin *bulletin)
{
	if (bulletin->unstored)
		fputs("weir: what was written could not all be stored:\n",
		      out);
	weir_unstored_print(out);
	if (bulletin->restarts)
		fprintf(out, "weir: the daemon ended %u time%s before its "
			"time; %s\n", bulletin->restarts,
			bulletin->restarts == 1 ? "" : "s", bulletin->err ?
			"then the service gave up" :
			"the next went on with what it left");
	if (bulletin->sessions)
		fprintf(out, "weir: %u program%s still forwarded; the service "
			"ends when %s\n", bulletin->sessions,
			bulletin->sessions == 1 ? " is" : "s are",
			bulletin->sessions == 1 ? "it does" : "they do");
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

static void put_sums(struct weir_bulletin *bulletin)
{
	bulletin->requests_in = atomic_load(&weir_state->requests_in);
	bulletin->bytes_in = atomic_load(&weir_state->bytes_in);
	bulletin->requests_out = atomic_load(&weir_state->requests_out);
	bulletin->bypassed = atomic_load(&weir_state->bypassed);
	bulletin->born = atomic_load(&weir_state->born);
	bulletin->born_bytes = atomic_load(&weir_state->born_bytes);
	bulletin->never_born = atomic_load(&weir_state->never_born);
	bulletin->never_born_bytes =
		atomic_load(&weir_state->never_born_bytes);
	bulletin->bytes_out = atomic_load(&weir_state->bytes_out);
}

void weir_bulletin_tell(int fd, int err, uint32_t sessions)
{
	struct weir_bulletin bulletin = {.err = err, .sessions = sessions};
	char *text = NULL;
	size_t size = 0;
	FILE *out = weir_state ? open_memstream(&text, &size) : NULL;

	if (out) {
		bulletin.unstored = count_unstored();
		bulletin.restarts = weir_state->epoch - !!weir_state->epoch;
		put_sums(&bulletin);
		write_text(out, &bulletin);
		fclose(out);
	}
	bulletin.size = (uint32_t)size;
	if (!weir_whole_write(fd, &bulletin, sizeof(bulletin)))
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

int weir_bulletin_read(int fd, struct weir_bulletin *ret_bulletin, FILE *out)
{
	char text[4096];
	uint32_t left;
	ssize_t got = read_some(fd, ret_bulletin, sizeof(*ret_bulletin));

	if (got != (ssize_t)sizeof(*ret_bulletin))
		return -EPIPE;
	for (left = ret_bulletin->size; left; left -= (uint32_t)got) {
		got = read_some(fd, text, left < sizeof(text) ? left :
							sizeof(text));
		if (got <= 0)
			return -EPIPE;
		if (out)
			fwrite(text, 1, (size_t)got, out);
	}
	return 0;
}
