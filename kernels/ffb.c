/* SPDX-License-Identifier: BSD-3-Clause */
/* A flow solver: reads its mesh, writes small records all the time. */
#include "comm.h"
#include "files.h"

#include <stdio.h>

#define READ_REQUEST  4096
#define WRITE_REQUEST 128

enum { STEPS, SCALE, COMPUTE, PREPARE };

static struct kernel_option options[] = {
	[STEPS] = { "steps", "N", "time steps; each writes 13 records a rank",
		    KERNEL_NUMBER, 42, 1, 1 << 20 },
	[SCALE] = { "scale", "N", "inputs and results are so many times larger",
		    KERNEL_NUMBER, 1, 1, 1 << 16 },
	[COMPUTE] = { "compute", "MS", "milliseconds before each step",
		      KERNEL_NUMBER, 0, 0, 1 << 30 },
	[PREPARE] = { "prepare", NULL, "only make the input files, which a "
		      "run needs", KERNEL_FLAG },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

/* The files of a rank, with their requests when the scale is 1. */
enum { MESH, BOUNDARY, HISTORY, PROBE, RESULT, FILES };

static const struct {
	const char *name;
	uint64_t requests; /* of HISTORY and PROBE: in a step */
} files[FILES] = {
	[MESH] = { "mesh", 99 },    [BOUNDARY] = { "boundary", 40 },
	[HISTORY] = { "history", 9 }, [PROBE] = { "probe", 4 },
	[RESULT] = { "result", 94 },
};

static bool is_input(int file)
{
	return file == MESH || file == BOUNDARY;
}

static bool grows(int file)
{
	return file == HISTORY || file == PROBE;
}

static uint64_t request_of(int file)
{
	return is_input(file) ? READ_REQUEST : WRITE_REQUEST;
}

static void name_file(char name[static 32], int rank, int file)
{
	snprintf(name, 32, "%s.%04d", files[file].name, rank);
}

static struct kernel_array contents(int rank, int file)
{
	return (struct kernel_array){
		.what = files[file].name,
		.width = KERNEL_F64,
		.stream = (uint64_t)(rank * FILES + file + 1),
		.count = files[file].requests * request_of(file) / 8 *
			 value_of(grows(file) ? STEPS : SCALE),
	};
}

/* One parameter file for all. */
static const struct kernel_array parameters = {
	.what = "parameters",
	.width = KERNEL_F64,
	.count = READ_REQUEST / 8,
};

static void move_part(struct kernel_run *run, int fd, int file,
		      uint64_t part, uint64_t parts)
{
	struct kernel_array array = contents(run->rank, file);
	struct kernel_files_part piece = {
		.array = &array,
		.first = array.count / parts * part,
		.count = array.count / parts,
		.request = request_of(file),
	};

	if (is_input(file) && !value_of(PREPARE))
		kernel_files_read(run, fd, &piece);
	else
		kernel_files_write(run, fd, &piece);
}

static void move_file(struct kernel_run *run, int file)
{
	char name[32];
	int fd;

	name_file(name, run->rank, file);
	fd = kernel_files_open(run, name,
			       !is_input(file) || value_of(PREPARE));
	move_part(run, fd, file, 0, 1);
	kernel_files_close(run, fd);
}

static void move_parameters(struct kernel_run *run)
{
	struct kernel_files_part all = {
		.array = &parameters,
		.count = parameters.count,
		.request = READ_REQUEST,
	};
	bool making = value_of(PREPARE);
	int fd = kernel_files_open(run, "parameters", making);

	(making ? kernel_files_write : kernel_files_read)(run, fd, &all);
	kernel_files_close(run, fd);
}

static void compute_steps(struct kernel_run *run)
{
	char name[32];
	int fds[FILES];

	for (int file = HISTORY; file <= PROBE; file++) {
		name_file(name, run->rank, file);
		fds[file] = kernel_files_open(run, name, true);
	}
	for (uint64_t step = 0; step < value_of(STEPS); step++) {
		kernel_compute(run, (double)value_of(COMPUTE) / 1000);
		for (int file = HISTORY; file <= PROBE; file++)
			move_part(run, fds[file], file, step, value_of(STEPS));
		kernel_comm_meet();
	}
	for (int file = HISTORY; file <= PROBE; file++)
		kernel_files_close(run, fds[file]);
}

static void act(struct kernel_run *run)
{
	kernel_files_begin(run);
	if (!value_of(PREPARE) || !run->rank)
		move_parameters(run);
	move_file(run, MESH);
	move_file(run, BOUNDARY);
	if (value_of(PREPARE))
		return;
	compute_steps(run);
	move_file(run, RESULT);
}

/* Each rank looks at another's files. */
static void compare(struct kernel_run *run)
{
	int other = (run->rank + 1) % run->ranks;
	char name[32];

	if (!run->rank)
		kernel_files_check(run, "parameters", &parameters);
	for (int file = 0; file < FILES; file++) {
		struct kernel_array array = contents(other, file);

		if (value_of(PREPARE) && !is_input(file))
			continue;
		name_file(name, other, file);
		kernel_files_check(run, name, &array);
	}
}

struct kernel kernel = {
	.name = "ffb",
	.summary = "Reads and writes as a flow solver does: little at a time",
	.pattern =
		"FILE is a directory. Each rank reads its mesh and boundary "
		"and the parameters of\nall by requests of 4 KiB, then in each "
		"step writes 13 records of 128 bytes to two\nfiles, at the end "
		"94 more as its result. 4 ranks without options: 21 files, 2.5 "
		"MB,\n560 reads, 2560 writes; 70 % of the requests are the "
		"steps' writes. Make the inputs\nfirst, with --prepare and the "
		"same options.",
	.source = "FrontFlow/Blue as observed in the I/O counter paper",
	.options = options,
	.act = act,
	.compare = compare,
};
