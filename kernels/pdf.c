/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary files by which ranks hand data to each other, over and over. */
#include "comm.h"
#include "files.h"

#include <stdio.h>

enum { SHARED, OWN, BYTES, REQUEST, ROUNDS, READERS, PERIOD, COMPUTE };

static struct kernel_option options[] = {
	[SHARED] = { "shared", "N", "temporary files that one rank writes and "
		     "others read", KERNEL_NUMBER, 790, 1, 1 << 24 },
	[OWN] = { "own", "N", "files that only the rank that writes them has",
		  KERNEL_NUMBER, 436, 0, 1 << 24 },
	[BYTES] = { "bytes", "BYTES", "of each file, a multiple of 8; the "
		    "paper's would be 5M", KERNEL_NUMBER, 64 << 10, 8,
		    1 << 30 },
	[REQUEST] = { "request", "BYTES", "at a time", KERNEL_NUMBER, 16 << 10,
		      8, 1 << 30 },
	[ROUNDS] = { "rounds", "N", "of reading", KERNEL_NUMBER, 6, 1,
		     100000 },
	[READERS] = { "readers", "N", "ranks that read a temporary file in "
		      "each round", KERNEL_NUMBER, 2, 1, 1 << 20 },
	[PERIOD] = { "period", "N", "rounds after which all is written anew",
		     KERNEL_NUMBER, 3, 1, 100000 },
	[COMPUTE] = { "compute", "MS", "milliseconds before each round",
		      KERNEL_NUMBER, 0, 0, 1 << 30 },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	if (value_of(BYTES) % 8 || value_of(REQUEST) % 8)
		return "bytes must be multiples of 8";
	if (run->ranks > 1 && value_of(READERS) >= (uint64_t)run->ranks)
		return "there must be more ranks than readers of a file";
	return NULL;
}

static struct kernel_array contents(uint64_t stream)
{
	return (struct kernel_array){
		.what = "data",
		.width = KERNEL_F64,
		.stream = stream,
		.count = value_of(BYTES) / 8,
	};
}

static void move(struct kernel_run *run, const char *name, uint64_t stream,
		 bool to_write)
{
	struct kernel_array array = contents(stream);
	struct kernel_files_part all = {
		.array = &array,
		.count = array.count,
		.request = value_of(REQUEST),
	};
	int fd = kernel_files_open(run, name, to_write);

	(to_write ? kernel_files_write : kernel_files_read)(run, fd, &all);
	kernel_files_close(run, fd);
}

/* All files, shared and own, in one row: name and stream of one. */
static uint64_t name_file(char name[static 40], uint64_t file)
{
	bool own = file >= value_of(SHARED);

	snprintf(name, 40, "%s.%06llu", own ? "own" : "temporary",
		 (unsigned long long)(own ? file - value_of(SHARED) : file));
	return file;
}

/* What was computed: this rank's temporaries and its own files. */
static void write_all(struct kernel_run *run)
{
	uint64_t files = value_of(SHARED) + value_of(OWN);
	char name[40];

	for (uint64_t file = (uint64_t)run->rank; file < files;
	     file += (uint64_t)run->ranks) {
		uint64_t stream = name_file(name, file);

		move(run, name, stream, true);
	}
}

/* File f belongs to rank f mod ranks; the next ones read it. */
static void read_others(struct kernel_run *run)
{
	uint64_t ranks = (uint64_t)run->ranks, rank = (uint64_t)run->rank;
	char name[40];

	for (uint64_t file = 0; file < value_of(SHARED); file++) {
		uint64_t after = (rank + ranks - file % ranks) % ranks;
		uint64_t stream = name_file(name, file);

		if (ranks == 1 || (after && after <= value_of(READERS)))
			move(run, name, stream, false);
	}
}

static void act(struct kernel_run *run)
{
	kernel_files_begin(run);
	for (uint64_t round = 0; round < value_of(ROUNDS); round++) {
		kernel_compute(run, (double)value_of(COMPUTE) / 1000);
		if (round % value_of(PERIOD) == 0)
			write_all(run);
		kernel_comm_meet();
		read_others(run);
		kernel_comm_meet();
	}
}

/* Each rank looks at what the one after it has written. */
static void compare(struct kernel_run *run)
{
	uint64_t files = value_of(SHARED) + value_of(OWN);
	char name[40];

	for (uint64_t file = (uint64_t)((run->rank + 1) % run->ranks);
	     file < files; file += (uint64_t)run->ranks) {
		struct kernel_array array = contents(name_file(name, file));

		kernel_files_check(run, name, &array);
	}
}

struct kernel kernel = {
	.name = "pdf",
	.summary = "Hands data from rank to rank by temporary files",
	.pattern =
		"FILE is a directory. 790 temporary files are dealt to the "
		"ranks, which write them;\nthen in each round every one is "
		"read, from its beginning, by the next two ranks\nafter its "
		"owner. Every third round all are written anew, and 436 files "
		"that are dealt to the\nranks too but never read. 1226 files "
		"without options, 16 ranks in the paper; with\n--bytes 5M 6.4 "
		"GB of files.",
	.source = "ProteinDF as observed in the I/O counter paper",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
