/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every rank writes its columns of a matrix, step by step, independently.
 * usage: blocks FILE [MANNER]
 * skip: the last rank leaves the last step out; turns: each waits for the
 * one before it; chain: the last waits until the first has written, and
 * those between them for nobody; late: they never meet, and nobody waits;
 * halo: they exchange messages between the steps; any: the first waits for
 * all, whoever comes; probe: a message is waited for before the call and
 * received behind it; dup: the last waits for the first by a communicator of
 * its own; head: the first rank alone writes a dataset more; order: all
 * write one dataset and read another, the last rank the other way round;
 * halves: two files, each of half the ranks.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROWS  1024
#define WIDTH 16 /* columns of a rank */
#define STEPS 8

static int rank, ranks;
static MPI_Comm all = MPI_COMM_WORLD;

static hid_t open_file(const char *path)
{
	hid_t list = H5Pcreate(H5P_FILE_ACCESS), file;

	H5Pset_fapl_mpio(list, all, MPI_INFO_NULL);
	file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
	H5Pclose(list);
	return file;
}

static hid_t make_dataset(hid_t file, int step)
{
	hsize_t dims[2] = {ROWS, (hsize_t)(ranks * WIDTH)};
	hid_t space = H5Screate_simple(2, dims, NULL), dataset;
	char name[32];

	snprintf(name, sizeof(name), "/step%d", step);
	dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT,
			     H5P_DEFAULT, H5P_DEFAULT);
	H5Sclose(space);
	return dataset;
}

static hid_t select_columns(hid_t dataset)
{
	hsize_t from[2] = {0, (hsize_t)(rank * WIDTH)};
	hsize_t count[2] = {ROWS, WIDTH};
	hid_t space = H5Dget_space(dataset);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
	return space;
}

static int data[ROWS * WIDTH];

static void write_data(hid_t dataset, int step)
{
	hsize_t size = ROWS * WIDTH;
	hid_t space = select_columns(dataset);
	hid_t memory = H5Screate_simple(1, &size, NULL);

	for (int i = 0; i < ROWS * WIDTH; i++)
		data[i] = step * 1000 + rank;
	H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, data);
	H5Sclose(memory);
	H5Sclose(space);
}

static void read_data(hid_t dataset)
{
	hsize_t size = ROWS * WIDTH;
	hid_t space = select_columns(dataset);
	hid_t memory = H5Screate_simple(1, &size, NULL);

	H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, data);
	H5Sclose(memory);
	H5Sclose(space);
}

/* Two places in the program, and an order that not all ranks have. */
static void write_pair(hid_t one, hid_t other, int step)
{
	if (rank < ranks - 1)
		write_data(one, step);
	read_data(other);
	if (rank == ranks - 1)
		write_data(one, step);
}

static void write_pairs(hid_t file)
{
	for (int step = 0; step < STEPS; step += 2) {
		hid_t one = make_dataset(file, step);
		hid_t other = make_dataset(file, step + 1);

		write_pair(one, other, step);
		H5Dclose(one);
		H5Dclose(other);
	}
}

static void part(char path[4096], const char *whole)
{
	int half = rank >= ranks / 2;

	snprintf(path, 4096, "%s.%d.h5", whole, half);
	MPI_Comm_split(MPI_COMM_WORLD, half, rank, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &ranks);
}

static void send_to(int other, MPI_Comm comm)
{
	MPI_Send(&(int){ 0 }, 1, MPI_INT, other, 0, comm);
}

static void receive_from(int other, MPI_Comm comm)
{
	int token;

	MPI_Recv(&token, 1, MPI_INT, other, 0, comm, MPI_STATUS_IGNORE);
}

/* --- who waits for whom before and behind a step ------------------------- */

static void before_turns(void)
{
	if (rank)
		receive_from(rank - 1, MPI_COMM_WORLD);
}

static void behind_turns(void)
{
	if (rank < ranks - 1)
		send_to(rank + 1, MPI_COMM_WORLD);
}

static MPI_Comm chained = MPI_COMM_WORLD;

static void before_chain(void)
{
	if (rank == ranks - 1)
		receive_from(0, chained);
}

static void behind_chain(void)
{
	if (!rank)
		send_to(ranks - 1, chained);
}

static void before_dup(void)
{
	if (chained == MPI_COMM_WORLD)
		MPI_Comm_dup(MPI_COMM_WORLD, &chained);
	before_chain();
}

static void before_late(void)
{
	usleep(20000 * (useconds_t)rank);
}

static void behind_late(void)
{
	usleep(20000 * (useconds_t)(ranks - rank));
}

static void before_halo(void)
{
	int sum, token = rank;
	MPI_Request request;

	MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % ranks, 5,
			     (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void behind_any(void)
{
	if (rank)
		send_to(0, MPI_COMM_WORLD);
	for (int i = 1; !rank && i < ranks; i++)
		receive_from(MPI_ANY_SOURCE, MPI_COMM_WORLD);
}

static void before_probe(void)
{
	if (rank == 1)
		MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void behind_probe(void)
{
	if (!rank)
		send_to(1, MPI_COMM_WORLD);
	if (rank == 1)
		receive_from(0, MPI_COMM_WORLD);
}

static void nothing(void)
{
}

static const struct manner {
	const char *name;
	void (*before)(void), (*behind)(void);
} manners[] = {
	{ "turns", before_turns, behind_turns },
	{ "chain", before_chain, behind_chain },
	{ "dup", before_dup, behind_chain },
	{ "late", before_late, behind_late },
	{ "halo", before_halo, nothing },
	{ "any", nothing, behind_any },
	{ "probe", before_probe, behind_probe },
	{ "", nothing, nothing },
};

static void write_step(hid_t dataset, int step, const char *manner)
{
	const struct manner *m = manners;

	if (!strcmp(manner, "skip") && step == STEPS - 1 && rank == ranks - 1)
		return;
	while (*m->name && strcmp(m->name, manner))
		m++;
	m->before();
	write_data(dataset, step);
	m->behind();
}

static void write_head(hid_t file)
{
	hsize_t size = 4;
	int head[4] = {ROWS, WIDTH, STEPS, ranks};
	hid_t space = H5Screate_simple(1, &size, NULL);
	hid_t dataset = H5Dcreate2(file, "/head", H5T_NATIVE_INT, space,
				   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	if (!rank)
		H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL,
			 H5P_DEFAULT, head);
	H5Dclose(dataset);
	H5Sclose(space);
}

static void write_steps(hid_t file, const char *manner)
{
	for (int step = 0; step < STEPS; step++) {
		hid_t dataset = make_dataset(file, step);

		write_step(dataset, step, manner);
		H5Dclose(dataset);
	}
}

int main(int argc, char **argv)
{
	const char *manner = argc > 2 ? argv[2] : "";
	char path[4096];
	hid_t file;

	snprintf(path, sizeof(path), "%s", argv[1]);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!strcmp(manner, "halves"))
		part(path, argv[1]);
	file = open_file(path);
	if (!strcmp(manner, "head"))
		write_head(file);
	if (!strcmp(manner, "order"))
		write_pairs(file);
	else
		write_steps(file, manner);
	H5Fclose(file);
	MPI_Finalize();
	return 0;
}
