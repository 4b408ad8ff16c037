/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes collective calls of MPI-IO on communicators of all kinds, by a seed,
 * each on bytes of the one file that no other call of any job has: two events
 * are of one call if they are at one offset, and else they are not.
 *
 * usage: joins SEED ROUNDS FILE JOB [CHILDREN]
 *
 * JOB tells jobs of one trace apart; with CHILDREN the job starts so many more
 * ranks by MPI_Comm_spawn, as JOB + 1. With none the file is written once more
 * by a communicator of which nobody can tell whose it is.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK	64
#define CALLS	4    /* on each file */
#define PARTS	4096 /* of the file that a job has */
#define THREADS 2

static const char *path;
static char block[BLOCK];
static long job, part; /* of all ranks of the job; those of a thread its own */
static int rank, ranks, level;

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: error %d\n", what, err);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Some ranks come late: whose call returns first differs. */
static void dawdle(unsigned *seed)
{
	usleep((useconds_t)(rand_r(seed) % 4) * 200);
}

/* The call's own bytes, alike in all ranks that make it. */
static MPI_Offset place(long of, long call)
{
	return ((job * PARTS + of) * CALLS + call) * BLOCK;
}

static void write_together(MPI_File file, long of, unsigned *seed)
{
	for (long i = 0; i < CALLS; i++) {
		dawdle(seed);
		must(MPI_File_write_at_all(file, place(of, i), block, BLOCK,
					   MPI_BYTE, MPI_STATUS_IGNORE),
		     "write_at_all");
	}
}

static void write_later(MPI_File file, long of, unsigned *seed)
{
	MPI_Request requests[CALLS];
	MPI_Status ends[CALLS];

	for (long i = 0; i < CALLS; i++)
		must(MPI_File_iwrite_at_all(file, place(of, i), block, BLOCK,
					    MPI_BYTE, &requests[i]),
		     "iwrite_at_all");
	dawdle(seed);
	must(MPI_Waitall(CALLS, requests, ends), "waitall");
}

static void write_in_halves(MPI_File file, long of, unsigned *seed)
{
	for (long i = 0; i < CALLS; i++) {
		must(MPI_File_write_at_all_begin(file, place(of, i), block,
						 BLOCK, MPI_BYTE), "begin");
		dawdle(seed);
		must(MPI_File_write_at_all_end(file, block, MPI_STATUS_IGNORE),
		     "end");
	}
}

static void (*const writers[])(MPI_File, long, unsigned *) = {
	write_together, write_later, write_in_halves,
};

#define WRITERS (sizeof(writers) / sizeof(*writers))

static void use(MPI_Comm comm, long of, unsigned seed, size_t how)
{
	unsigned own = seed + (unsigned)rank;
	MPI_File file;

	must(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
			   MPI_INFO_NULL, &file), "open");
	writers[how](file, of, &own);
	must(MPI_File_close(&file), "close");
}

/* --- communicators ------------------------------------------------------- */

static MPI_Comm duplicate(void)
{
	MPI_Comm made;

	MPI_Comm_dup(MPI_COMM_WORLD, &made);
	return made;
}

static MPI_Comm duplicate_twice(void)
{
	MPI_Comm first = duplicate(), made;

	MPI_Comm_dup(first, &made);
	MPI_Comm_free(&first);
	return made;
}

static MPI_Comm duplicate_later(void)
{
	MPI_Request request;
	MPI_Comm made;

	MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return made;
}

static MPI_Comm reverse(void)
{
	MPI_Comm made;

	MPI_Comm_split(MPI_COMM_WORLD, 7, -rank, &made);
	return made;
}

static MPI_Comm of_node(void)
{
	MPI_Comm made;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
			    MPI_INFO_NULL, &made);
	return made;
}

static MPI_Comm of_group(void)
{
	MPI_Group group;
	MPI_Comm made;

	MPI_Comm_group(MPI_COMM_WORLD, &group);
	MPI_Comm_create(MPI_COMM_WORLD, group, &made);
	MPI_Group_free(&group);
	return made;
}

static MPI_Comm of_grid(void)
{
	int periods = 0;
	MPI_Comm made;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periods, 1, &made);
	return made;
}

/* Of the group alone is it made, and not of the communicator. */
static MPI_Comm of_few(void)
{
	MPI_Group group;
	MPI_Comm made;

	MPI_Comm_group(MPI_COMM_WORLD, &group);
	MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &made);
	MPI_Group_free(&group);
	return made;
}

/* Two groups become one: neither knows by what the other is known. */
static MPI_Comm of_strangers(void)
{
	MPI_Comm half, both, made;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
	MPI_Intercomm_merge(both, rank % 2, &made);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
	return made;
}

static MPI_Comm (*const makers[])(void) = {
	duplicate, duplicate_twice, duplicate_later, reverse, of_node,
	of_group, of_grid, of_few,
};

#define MAKERS (sizeof(makers) / sizeof(*makers))

/* --- rounds -------------------------------------------------------------- */

static void with_one(unsigned seed)
{
	MPI_Comm made = makers[seed % MAKERS]();

	use(made, part++, seed, seed / MAKERS % WRITERS);
	MPI_Comm_free(&made);
}

static void with_world(unsigned seed)
{
	use(MPI_COMM_WORLD, part++, seed, seed % WRITERS);
}

struct task {
	MPI_Comm comm;
	long part;
	unsigned seed;
};

static void *work(void *own)
{
	struct task *task = own;
	unsigned seed = task->seed + 7 * (unsigned)rank;

	dawdle(&seed);
	use(task->comm, task->part, task->seed, 0);
	return NULL;
}

/* MPICH lets one thread of a process into its MPI-IO: all come in one order. */
static int takes_turns(void)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int len;

	MPI_Get_library_version(text, &len);
	return !strncmp(text, "MPICH", 5);
}

/* Elsewhere which thread comes first differs from rank to rank. */
static void with_threads(unsigned seed)
{
	struct task tasks[THREADS];
	pthread_t threads[THREADS];
	int turns = takes_turns();

	if (level < MPI_THREAD_MULTIPLE) {
		with_world(seed);
		return;
	}
	for (int i = 0; i < THREADS; i++) {
		tasks[i] = (struct task){ duplicate(), part++,
					  seed + (unsigned)i };
		pthread_create(&threads[i], NULL, work, &tasks[i]);
		if (turns)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; i < THREADS; i++) {
		if (!turns)
			pthread_join(threads[i], NULL);
		MPI_Comm_free(&tasks[i].comm);
	}
}

/* Two files on one communicator, open at a time, used in turns. */
static void with_two_files(unsigned seed)
{
	unsigned own = seed + (unsigned)rank;
	MPI_File files[2];

	for (int i = 0; i < 2; i++)
		must(MPI_File_open(MPI_COMM_WORLD, path,
				   MPI_MODE_CREATE | MPI_MODE_RDWR,
				   MPI_INFO_NULL, &files[i]), "open");
	for (int i = 1; i >= 0; i--)
		writers[seed % WRITERS](files[i], part++, &own);
	for (int i = 0; i < 2; i++)
		must(MPI_File_close(&files[i]), "close");
}

static void (*const rounds[])(unsigned seed) = {
	with_one, with_one, with_world, with_threads, with_threads,
	with_two_files,
};

#define ROUNDS (sizeof(rounds) / sizeof(*rounds))

static MPI_Comm start_children(char **argv)
{
	char next[24];
	char *words[] = { argv[1], argv[2], argv[3], next, NULL };
	MPI_Comm children;

	snprintf(next, sizeof(next), "%ld", job + 1);
	must(MPI_Comm_spawn(argv[0], words, atoi(argv[5]), MPI_INFO_NULL, 0,
			    MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
	     "spawn");
	return children;
}

int main(int argc, char **argv)
{
	MPI_Comm parent, stranger, children = MPI_COMM_NULL;
	unsigned seed;

	if (argc < 5)
		return 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_get_parent(&parent);
	seed = (unsigned)atoi(argv[1]);
	path = argv[3];
	job = atol(argv[4]);
	if (argc > 5 && atoi(argv[5]))
		children = start_children(argv);
	for (long i = 0; i < atol(argv[2]); i++) {
		unsigned what = (unsigned)rand_r(&seed);

		rounds[what % ROUNDS](what / ROUNDS);
	}
	if (argc > 5 && !atoi(argv[5])) {
		stranger = of_strangers();
		use(stranger, part++, seed, 0);
		MPI_Comm_free(&stranger);
	}
	if (parent != MPI_COMM_NULL)
		MPI_Comm_disconnect(&parent);
	if (children != MPI_COMM_NULL)
		MPI_Comm_disconnect(&children);
	MPI_Finalize();
	return 0;
}
