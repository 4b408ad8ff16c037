/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes elements again by HDF5: the same, overlapping ones, and what was read
 * back; by hyperslabs and points, contiguous and in chunks. With PARALLEL by
 * all ranks. usage: again_h5 DIRECTORY; the file is DIRECTORY/again.h5, with a
 * dataset for each case.
 */
#include <hdf5.h>
#include <stdlib.h>

#define ROWS	128
#define COLUMNS 200
#define ALL	(ROWS * COLUMNS)
#define CRUMBS	2200000 /* elements, of which each second is written */

static double numbers[ALL];
static int rank, ranks = 1;
static hid_t file, transfer;

static void must(hid_t fine)
{
	if (fine < 0)
		abort();
}

/* Rows of this rank. */
static hsize_t own_rows(void)
{
	return (hsize_t)(ROWS / ranks);
}

static hid_t all_of(hid_t set)
{
	hid_t space = H5Dget_space(set);

	must(space);
	return space;
}

/* What is selected gets other numbers each time; the selection is closed. */
static void put(hid_t set, hid_t selected, int round)
{
	hsize_t points = (hsize_t)H5Sget_select_npoints(selected);
	hid_t memory = H5Screate_simple(1, &points, NULL);

	for (hsize_t i = 0; i < points; i++)
		numbers[i] = (double)i + 1000 * round + 0.5 * rank + 1;
	must(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, selected, transfer,
		      numbers));
	H5Sclose(memory);
	H5Sclose(selected);
}

static hid_t block(hid_t set, hsize_t row, hsize_t column, hsize_t rows,
		   hsize_t columns)
{
	hid_t space = all_of(set);

	must(H5Sselect_hyperslab(space, H5S_SELECT_SET,
				 (hsize_t[]){ row, column }, NULL,
				 (hsize_t[]){ rows, columns }, NULL));
	return space;
}

static hid_t own(hid_t set)
{
	return block(set, (hsize_t)rank * own_rows(), 0, own_rows(), COLUMNS);
}

static void rewritten(hid_t set)
{
	for (int i = 0; i < 3; i++)
		put(set, own(set), i);
}

/* Every third column of the rank's rows, and the same again. */
static void strided(hid_t set)
{
	for (int i = 0; i < 3; i++) {
		hid_t space = all_of(set);

		must(H5Sselect_hyperslab(
			space, H5S_SELECT_SET,
			(hsize_t[]){ (hsize_t)rank * own_rows(), 1 },
			(hsize_t[]){ 1, 3 }, (hsize_t[]){ own_rows(), 60 },
			NULL));
		put(set, space, i);
	}
}

static void points(hid_t set)
{
	hsize_t places[2 * 100];

	for (hsize_t i = 0; i < 100; i++) {
		places[2 * i] = (hsize_t)rank * own_rows() + i * 7 % own_rows();
		places[2 * i + 1] = i * 2;
	}
	for (int i = 0; i < 3; i++) {
		hid_t space = all_of(set);

		must(H5Sselect_elements(space, H5S_SELECT_SET, 100, places));
		put(set, space, i);
	}
}

/* Parts of what was written: it has to be read. */
static void shifted(hid_t set)
{
	for (hsize_t i = 0; i < 10; i++)
		put(set, block(set, i * 3, i * 5, 40, 100), (int)i);
}

static void columns(hid_t set)
{
	put(set, own(set), 0);
	for (hsize_t i = 0; i < 5; i++)
		put(set, block(set, 0, i * 31, ROWS, 7), (int)i + 1);
}

static void read_back(hid_t set)
{
	hid_t part = block(set, 5, 5, 50, 100);
	hsize_t count = 50 * 100;
	hid_t memory = H5Screate_simple(1, &count, NULL);

	put(set, own(set), 0);
	must(H5Dread(set, H5T_NATIVE_DOUBLE, memory, part, transfer, numbers));
	for (hsize_t i = 0; i < count; i++)
		numbers[i] = -numbers[i];
	must(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, part, transfer,
		      numbers));
	H5Sclose(memory);
	H5Sclose(part);
}

/* From memory with gaps, in another type: its runs are not the file's. */
static void gathered(hid_t set)
{
	static float sparse[2 * ALL];
	hsize_t room = 2 * ALL, count = ALL, start = 0, stride = 2;
	hid_t memory = H5Screate_simple(1, &room, NULL);

	must(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &start, &stride,
				 &count, NULL));
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < ALL; i++)
			sparse[2 * i] = (float)(i % 1000 + round);
		must(H5Dwrite(set, H5T_NATIVE_FLOAT, memory, H5S_ALL, transfer,
			      sparse));
		put(set, block(set, 10, 10, 20, 33), round);
	}
	H5Sclose(memory);
}

/* By all ranks, each with its own numbers. */
static void common(hid_t set)
{
	for (int i = 0; i < 3; i++)
		put(set, block(set, (hsize_t)rank, 0, ROWS / 2, COLUMNS), i);
}

/* --- datasets ----------------------------------------------------------- */

static hid_t chunks(void)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);

	must(H5Pset_chunk(list, 2, (hsize_t[]){ 30, 30 }));
	return list;
}

static void play(const char *name, void (*how)(hid_t set), hid_t list)
{
	hid_t space = H5Screate_simple(2, (hsize_t[]){ ROWS, COLUMNS }, NULL);
	hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
			       list, H5P_DEFAULT);

	must(set);
	how(set);
	H5Dclose(set);
	H5Sclose(space);
}

#define PLAY(how)                                                              \
	do {                                                                   \
		play(#how, how, H5P_DEFAULT);                                  \
		play(#how "_chunked", how, list);                              \
	} while (0)

/* Single bytes at distances. */
static void play_crumbs(void)
{
	hsize_t size = CRUMBS, start = 0, stride = 2, count = CRUMBS / 2;
	hid_t space = H5Screate_simple(1, &size, NULL);
	hid_t memory = H5Screate_simple(1, &count, NULL);
	hid_t set = H5Dcreate2(file, "crumbs", H5T_STD_I8LE, space,
			       H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	char *bytes = calloc(1, count);

	must(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride,
				 &count, NULL));
	for (hsize_t i = 0; i < count; i++)
		bytes[i] = (char)(i % 100 + 1);
	must(H5Dwrite(set, H5T_NATIVE_CHAR, memory, space, H5P_DEFAULT,
		      bytes));
	free(bytes);
	H5Dclose(set);
	H5Sclose(memory);
	H5Sclose(space);
}

static void play_all(void)
{
	hid_t list = chunks();

	PLAY(rewritten);
	PLAY(strided);
	PLAY(points);
	if (ranks > 1) {
		PLAY(common);
	} else {
		PLAY(shifted);
		PLAY(columns);
		PLAY(read_back);
		PLAY(gathered);
		play_crumbs();
	}
	H5Pclose(list);
}

static void open_file(const char *folder, hid_t access)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/again.h5", folder);
	file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	must(file);
}

#ifdef PARALLEL
int main(int argc, char **argv)
{
	hid_t access;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	access = H5Pcreate(H5P_FILE_ACCESS);
	transfer = H5Pcreate(H5P_DATASET_XFER);
	must(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
	must(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
	open_file(argv[1], access);
	play_all();
	H5Pclose(transfer);
	H5Pclose(access);
	must(H5Fclose(file));
	MPI_Finalize();
	return argc != 2;
}
#else
int main(int argc, char **argv)
{
	transfer = H5P_DEFAULT;
	open_file(argv[1], H5P_DEFAULT);
	play_all();
	must(H5Fclose(file));
	return argc != 2;
}
#endif
