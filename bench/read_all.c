/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a whole trace, uses every field, and says how fast that went. */
#include "trace/read/reader.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sums {
	uint64_t events, transfers, offsets, checksum;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

static void use(struct sums *sums, const struct weir_event *e)
{
	uint64_t sum = sums->checksum;

	sum = mix(sum, e->start);
	sum = mix(sum, e->dur);
	sum = mix(sum, e->index ^ (uint64_t)e->proc << 32 ^ e->thread);
	sum = mix(sum, e->call ^ (uint64_t)e->flags << 16 ^
		       (uint64_t)e->depth << 24 ^ (uint64_t)e->file << 32);
	sum = mix(sum, (uint32_t)e->fd ^ (uint64_t)e->handle << 32);
	sum = mix(sum, (uint64_t)e->off);
	sum = mix(sum, e->size);
	sum = mix(sum, (uint64_t)e->ret ^ (uint64_t)e->err << 48);
	for (uint32_t i = 0; i < e->detail_len; i++)
		sum = mix(sum, e->detail[i]);
	sums->checksum = sum;
	sums->events++;
}

/* Reads and writes with a known offset: what bench/load counts as well. */
static void count_transfer(struct sums *sums, const struct weir_event *e,
			   const uint8_t *is_transfer)
{
	if (e->call >= WEIR_NOTE_FIRST || !is_transfer[e->call])
		return;
	sums->transfers++;
	sums->offsets += (uint64_t)e->off;
}

static void note_transfers(const struct weir_reader *reader,
			   uint8_t *is_transfer)
{
	for (uint32_t id = 0; id < WEIR_NOTE_FIRST; id++) {
		struct weir_event e = { .proc = 1, .call = (uint16_t)id };
		const struct weir_call *call = weir_reader_call(reader, &e);

		is_transfer[id] = call && (!strcmp(call->role, "read") ||
					   !strcmp(call->role, "write"));
	}
}

/* The most memory that was resident, bytes. */
static void tell_memory(void)
{
	FILE *in = fopen("/proc/self/status", "r");
	unsigned long long kb;
	char line[256];

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "VmHWM: %llu kB", &kb) == 1)
			printf("hwm %llu\n", kb * 1024);
	if (in)
		fclose(in);
}

static int open_trace(int argc, char **argv, struct weir_reader **ret_reader)
{
	int err = argc == 2 || argc == 3 ?
		weir_reader_open(argv[1], ret_reader) : -EINVAL;

	if (err)
		fprintf(stderr, "usage: read_all TRACE [BYTES] (%s)\n",
			strerror(-err));
	else if (argc == 3)
		weir_reader_limit(*ret_reader, strtoull(argv[2], NULL, 10));
	return err;
}

int main(int argc, char **argv)
{
	static uint8_t is_transfer[WEIR_NOTE_FIRST];
	struct weir_reader_losses losses;
	struct weir_reader *reader;
	struct weir_event event;
	struct sums sums = { 0 };
	double began = seconds();
	int err = open_trace(argc, argv, &reader);

	if (err)
		return 2;
	note_transfers(reader, is_transfer);
	while ((err = weir_reader_next(reader, &event)) == 1) {
		use(&sums, &event);
		count_transfer(&sums, &event, is_transfer);
	}
	weir_reader_losses(reader, &losses);
	printf("events %llu\ntransfers %llu\noffsets %llu\nlost %llu\n"
	       "checksum %llu\nrate %.0f\n",
	       (unsigned long long)sums.events,
	       (unsigned long long)sums.transfers,
	       (unsigned long long)sums.offsets,
	       (unsigned long long)(losses.dropped + losses.lost +
				    losses.damaged_events),
	       (unsigned long long)sums.checksum,
	       (double)sums.events / (seconds() - began));
	tell_memory();
	weir_reader_close(reader);
	return err < 0;
}
