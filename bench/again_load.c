/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges that are written again, each way in its own pattern; 32 MiB of a rank.
 * usage: again_load WAY FILE [TIMES]; says the seconds and the CPU seconds of
 * the slowest rank, from opening to closing the file, in all. Each time the
 * file is a new one.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE	(1 << 20)
#define PIECES	32
#define ROUNDS	2
#define DOUBLES (PIECE / 8)

static char data[PIECE], back[PIECE];
static int rank, ranks;
static const char *path;

static void must(int fine)
{
	if (!fine)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char *some(int round)
{
	memset(data, round + rank + 1, sizeof(data));
	return data;
}

static off_t own(int piece)
{
	return ((off_t)rank * PIECES + piece) * PIECE;
}

/* --- libc --------------------------------------------------------------- */

static void by_libc(off_t shift, int reads)
{
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	must(fd >= 0);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PIECES - 1; i++) {
			off_t at = own(i) + round * shift;

			if (reads && round)
				must(pread(fd, back, PIECE, at) == PIECE);
			must(pwrite(fd, some(round), PIECE, at) == PIECE);
		}
	close(fd);
}

static void posix_twice(void)
{
	by_libc(0, 0);
}

static void posix_overlapping(void)
{
	by_libc(PIECE / 3, 0);
}

static void posix_read_back(void)
{
	by_libc(0, 1);
}

/* --- MPI-IO ------------------------------------------------------------- */

static MPI_File open_file(void)
{
	MPI_File file;

	must(!MPI_File_open(MPI_COMM_WORLD, path,
			    MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			    &file));
	return file;
}

static void by_mpi(off_t shift, int reads)
{
	MPI_File file = open_file();

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PIECES - 1; i++) {
			off_t at = own(i) + round * shift;

			if (reads && round)
				MPI_File_read_at(file, at, back, PIECE,
						 MPI_BYTE, MPI_STATUS_IGNORE);
			MPI_File_write_at(file, at, some(round), PIECE,
					  MPI_BYTE, MPI_STATUS_IGNORE);
		}
	MPI_File_close(&file);
}

static void mpi_twice(void)
{
	by_mpi(0, 0);
}

static void mpi_overlapping(void)
{
	by_mpi(PIECE / 3, 0);
}

static void mpi_read_back(void)
{
	by_mpi(0, 1);
}

/* Blocks of 1 KiB of the ranks in turn. */
static void mpi_strides(void)
{
	MPI_File file = open_file();
	MPI_Datatype block, type;

	MPI_Type_contiguous(1024, MPI_BYTE, &block);
	MPI_Type_create_resized(block, 0, 1024 * ranks, &type);
	MPI_Type_commit(&type);
	MPI_File_set_view(file, rank * 1024, MPI_BYTE, type, "native",
			  MPI_INFO_NULL);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PIECES; i++)
			MPI_File_write_at_all(file, (MPI_Offset)i * PIECE,
					      some(round), PIECE, MPI_BYTE,
					      MPI_STATUS_IGNORE);
	MPI_Type_free(&block);
	MPI_Type_free(&type);
	MPI_File_close(&file);
}

/* --- HDF5 --------------------------------------------------------------- */

/* A row of a rank is a piece; of each `stride` elements the first half. */
static void by_hdf5(hsize_t stride, int reads)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, space, memory, set;
	hsize_t dims[] = { (hsize_t)(ranks * PIECES), DOUBLES };
	hsize_t count[] = { 1, DOUBLES / stride }, step[] = { 1, stride };
	hsize_t block[] = { 1, (stride + 1) / 2 };
	hsize_t part = count[1] * block[1];

	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	space = H5Screate_simple(2, dims, NULL);
	memory = H5Screate_simple(1, &part, NULL);
	set = H5Dcreate2(file, "set", H5T_IEEE_F64LE, space, H5P_DEFAULT,
			 H5P_DEFAULT, H5P_DEFAULT);
	for (int i = 0; i < PIECES * ROUNDS; i++) {
		hsize_t start[] = { (hsize_t)(rank * PIECES + i % PIECES), 0 };

		H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, count,
				    block);
		if (reads && i >= PIECES)
			H5Dread(set, H5T_NATIVE_DOUBLE, memory, space,
				H5P_DEFAULT, back);
		must(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space,
			      H5P_DEFAULT, some(i)) >= 0);
	}
	H5Dclose(set);
	H5Sclose(memory);
	H5Sclose(space);
	H5Fclose(file);
	H5Pclose(access);
}

static void hdf5_twice(void)
{
	by_hdf5(1, 0);
}

static void hdf5_strides(void)
{
	by_hdf5(8192, 0);
}

static void hdf5_read_back(void)
{
	by_hdf5(1, 1);
}

static const struct {
	const char *name;
	void (*play)(void);
} ways[] = {
	{ "posix-twice", posix_twice },
	{ "posix-overlapping", posix_overlapping },
	{ "posix-read-back", posix_read_back },
	{ "mpi-twice", mpi_twice },
	{ "mpi-overlapping", mpi_overlapping },
	{ "mpi-read-back", mpi_read_back },
	{ "mpi-strides", mpi_strides },
	{ "hdf5-twice", hdf5_twice },
	{ "hdf5-strides", hdf5_strides },
	{ "hdf5-read-back", hdf5_read_back },
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(void (*play)(void), int times)
{
	double took[2] = { 0, 0 }, most[2];

	for (int i = 0; i < times; i++) {
		if (i && !rank)
			must(!unlink(path));
		MPI_Barrier(MPI_COMM_WORLD);
		took[0] -= now(CLOCK_MONOTONIC);
		took[1] -= now(CLOCK_PROCESS_CPUTIME_ID);
		play();
		took[0] += now(CLOCK_MONOTONIC);
		took[1] += now(CLOCK_PROCESS_CPUTIME_ID);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Reduce(took, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("{\"seconds\": %.6f, \"cpu\": %.6f}\n", most[0],
		       most[1]);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	path = argc > 2 ? argv[2] : NULL;
	for (size_t i = 0; path && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, argv[1]))
			measure(ways[i].play, argc > 3 ? atoi(argv[3]) : 1);
	MPI_Finalize();
	return !path;
}
