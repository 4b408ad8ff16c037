/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases of computing and of writing one contiguous record a rank. */
#include "comm.h"
#include "data.h"
#include "mpio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PHASES, RECORD, RECORDS, COMPUTE, API };

static struct kernel_option options[] = {
	[PHASES] = { "phases", "N", "of computing and of writing",
		     KERNEL_NUMBER, 20, 1, 100000 },
	[RECORD] = { "record", "BYTES", "that a rank writes at once, a "
		     "multiple of 8", KERNEL_NUMBER, 128 << 10, 8, 1 << 30 },
	[RECORDS] = { "records", "N", "records of a rank in a phase",
		      KERNEL_NUMBER, 1, 1, 1 << 20 },
	[COMPUTE] = { "compute", "MS", "milliseconds before each phase",
		      KERNEL_NUMBER, 0, 0, 1 << 30 },
	[API] = { "api", "posix|mpiio", "by which it writes", KERNEL_CHOICE },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	return value_of(RECORD) % 8 ? "the record must be a multiple of 8"
				    : NULL;
}

static struct kernel_array all_of(const struct kernel_run *run)
{
	return (struct kernel_array){
		.what = "records",
		.width = KERNEL_F64,
		.count = value_of(PHASES) * value_of(RECORDS) *
			 (uint64_t)run->ranks * value_of(RECORD) / 8,
	};
}

/* The file, by one of two ways. */
struct file {
	int fd;
	MPI_File shared;
};

static void open_file(struct kernel_run *run, struct file *file)
{
	if (value_of(API)) {
		file->shared = kernel_mpio_create(run, run->path);
		return;
	}
	if (!run->rank && truncate(run->path, 0) && errno != ENOENT)
		kernel_fail(run, "cannot empty %s: %s", run->path,
			    strerror(errno));
	kernel_comm_meet();
	kernel_start(run);
	file->fd = open(run->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (file->fd < 0)
		kernel_fail(run, "cannot open %s: %s", run->path,
			    strerror(errno));
	kernel_stop(run, KERNEL_OPEN);
}

static void write_record(struct kernel_run *run, struct file *file,
			 const void *data, uint64_t at)
{
	size_t bytes = value_of(RECORD);

	kernel_start(run);
	if (value_of(API))
		kernel_mpio_sure(run,
				 MPI_File_write_at(file->shared, (MPI_Offset)at,
						   data, (int)bytes, MPI_BYTE,
						   MPI_STATUS_IGNORE),
				 "write a record");
	else if (pwrite(file->fd, data, bytes, (off_t)at) != (ssize_t)bytes)
		kernel_fail(run, "cannot write %s: %s", run->path,
			    strerror(errno));
	kernel_stop(run, KERNEL_WRITE);
	run->bytes += bytes;
}

static void close_file(struct kernel_run *run, struct file *file)
{
	if (value_of(API)) {
		kernel_mpio_close(run, &file->shared);
		return;
	}
	kernel_start(run);
	if (close(file->fd))
		kernel_fail(run, "cannot close %s: %s", run->path,
			    strerror(errno));
	kernel_stop(run, KERNEL_CLOSE);
}

static void act(struct kernel_run *run)
{
	struct kernel_array array = all_of(run);
	uint64_t record = value_of(RECORD);
	void *data = kernel_memory(run, record);
	uint64_t rounds = value_of(PHASES) * value_of(RECORDS);
	struct file file;

	open_file(run, &file);
	for (uint64_t i = 0; i < rounds; i++) {
		uint64_t at = (i * (uint64_t)run->ranks + (uint64_t)run->rank) *
			      record;

		if (i % value_of(RECORDS) == 0) {
			kernel_compute(run, (double)value_of(COMPUTE) / 1000);
			kernel_comm_meet();
		}
		kernel_array_fill(&array, at / 8, record / 8, data);
		write_record(run, &file, data, at);
	}
	close_file(run, &file);
	free(data);
}

static void compare(struct kernel_run *run)
{
	struct kernel_array array = all_of(run);

	kernel_array_check(run, &array, run->path, 0);
}

struct kernel kernel = {
	.name = "contig",
	.summary = "Computes and writes one contiguous record a rank, in turns",
	.pattern =
		"One shared file. In each of the phases all ranks compute, "
		"meet, and write their\nrecord at (phase*ranks + rank)*record; "
		"with --records N, N such rounds a phase.\nThe time of the "
		"close is told apart: that is where write-behind shows.",
	.source = "the contiguous benchmark of the I/O forwarding paper",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
