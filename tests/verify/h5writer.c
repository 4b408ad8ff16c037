/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes datasets and attributes of many kinds: types that are converted,
 * selections of all sorts, parts that are overwritten, shapes that grow.
 *
 * usage: h5writer FILE          each object can be verified
 *        h5writer FILE more     one more that cannot, and one that is removed
 *        h5writer FILE again    opens it and writes into what is there
 */
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define ROWS	64
#define COLUMNS 100
#define ALL	(ROWS * COLUMNS)

struct pair {
	char letter;
	double number;
};

static double numbers[ALL];

static void must(hid_t fine)
{
	if (fine < 0)
		exit(1);
}

static hid_t space_of(hsize_t rows, hsize_t columns)
{
	hid_t space = H5Screate_simple(2, (hsize_t[]){ rows, columns }, NULL);

	must(space);
	return space;
}

static hid_t make(hid_t file, const char *name, hid_t type, hid_t list)
{
	hid_t space = space_of(ROWS, COLUMNS);
	hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list,
			       H5P_DEFAULT);

	must(set);
	H5Sclose(space);
	return set;
}

/* The selected elements get the numbers from `first` on. */
static void put(hid_t set, hid_t selected, int first)
{
	hsize_t points = (hsize_t)H5Sget_select_npoints(selected);
	hid_t memory = H5Screate_simple(1, &points, NULL);

	must(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, selected, H5P_DEFAULT,
		      numbers + first));
	H5Sclose(memory);
	H5Sclose(selected);
}

static hid_t block(hsize_t row, hsize_t column, hsize_t rows, hsize_t columns)
{
	hid_t space = space_of(ROWS, COLUMNS);

	must(H5Sselect_hyperslab(space, H5S_SELECT_SET,
				 (hsize_t[]){ row, column }, NULL,
				 (hsize_t[]){ rows, columns }, NULL));
	return space;
}

static void write_whole(hid_t file)
{
	hid_t plain = make(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
	hid_t other = make(file, "converted", H5T_STD_I32BE, H5P_DEFAULT);

	for (int i = 0; i < 2; i++)
		must(H5Dwrite(plain, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
			      H5P_DEFAULT, numbers));
	must(H5Dwrite(other, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
		      numbers));
	H5Dclose(plain);
	H5Dclose(other);
}

static hid_t chunks(int level)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);

	must(H5Pset_chunk(list, 2, (hsize_t[]){ 10, 10 }));
	if (level)
		must(H5Pset_deflate(list, (unsigned)level));
	return list;
}

/* Blocks at distances, then others over some of them. */
static void write_compressed(hid_t file)
{
	float filler = 3.5f;
	hid_t list = chunks(5), space = space_of(ROWS, COLUMNS), set;

	must(H5Pset_fill_value(list, H5T_NATIVE_FLOAT, &filler));
	set = make(file, "compressed", H5T_IEEE_F32LE, list);
	must(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){ 1, 3 },
				 (hsize_t[]){ 7, 9 }, (hsize_t[]){ 8, 10 },
				 (hsize_t[]){ 2, 4 }));
	put(set, space, 0);
	put(set, block(0, 0, 5, 50), 7);
	H5Dclose(set);
	H5Pclose(list);
}

static void write_uneven(hid_t file)
{
	static const hsize_t points[] = { 1, 2, 60, 7, 3, 3 };
	hid_t set = make(file, "uneven", H5T_NATIVE_INT, H5P_DEFAULT);
	hid_t space = space_of(ROWS, COLUMNS);

	must(H5Sselect_elements(space, H5S_SELECT_SET, 3, points));
	put(set, space, 1);
	space = block(10, 10, 5, 5);
	must(H5Sselect_hyperslab(space, H5S_SELECT_OR, (hsize_t[]){ 12, 12 },
				 NULL, (hsize_t[]){ 5, 9 }, NULL));
	put(set, space, 100);
	H5Dclose(set);
}

static hid_t pair_type(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(struct pair));

	H5Tinsert(type, "letter", HOFFSET(struct pair, letter),
		  H5T_NATIVE_CHAR);
	H5Tinsert(type, "number", HOFFSET(struct pair, number),
		  H5T_NATIVE_DOUBLE);
	return type;
}

/* Between the members is whatever was there. */
static void write_pairs(hid_t file)
{
	struct pair pairs[50];
	hsize_t count = 50;
	hid_t type = pair_type(), space = H5Screate_simple(1, &count, NULL);
	hid_t set = H5Dcreate2(file, "pairs", type, space, H5P_DEFAULT,
			       H5P_DEFAULT, H5P_DEFAULT);

	memset(pairs, 0x55, sizeof(pairs));
	for (int i = 0; i < 50; i++) {
		pairs[i].letter = (char)('a' + i % 26);
		pairs[i].number = i * 0.25;
	}
	must(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pairs));
	H5Dclose(set);
	H5Sclose(space);
	H5Tclose(type);
}

static void write_attribute(hid_t file)
{
	hsize_t count = 20;
	hid_t space = H5Screate_simple(1, &count, NULL);
	hid_t attribute = H5Acreate2(file, "numbers", H5T_STD_I16BE, space,
				     H5P_DEFAULT, H5P_DEFAULT);

	must(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers));
	must(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers + 9));
	H5Aclose(attribute);
	H5Sclose(space);
}

static void write_growing(hid_t file)
{
	hsize_t now[] = { 0, COLUMNS }, most[] = { H5S_UNLIMITED, COLUMNS };
	hid_t list = chunks(0), space = H5Screate_simple(2, now, most);
	hid_t set = H5Dcreate2(file, "growing", H5T_NATIVE_DOUBLE, space,
			       H5P_DEFAULT, list, H5P_DEFAULT);

	H5Sclose(space);
	for (hsize_t step = 0; step < 5; step++) {
		now[0] = 7 * (step + 1);
		must(H5Dset_extent(set, now));
		space = H5Dget_space(set);
		must(H5Sselect_hyperslab(space, H5S_SELECT_SET,
					 (hsize_t[]){ 7 * step, 0 }, NULL,
					 (hsize_t[]){ 7, COLUMNS }, NULL));
		put(set, space, (int)step);
	}
	H5Dclose(set);
	H5Pclose(list);
}

static void write_more(hid_t file)
{
	const char *text = "of any length";
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), set;

	H5Tset_size(type, H5T_VARIABLE);
	set = H5Dcreate2(file, "text", type, space, H5P_DEFAULT, H5P_DEFAULT,
			 H5P_DEFAULT);
	must(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text));
	H5Dclose(set);
	set = make(file, "removed", H5T_NATIVE_DOUBLE, H5P_DEFAULT);
	put(set, block(0, 0, 2, 2), 5);
	H5Dclose(set);
	must(H5Ldelete(file, "removed", H5P_DEFAULT));
}

static void write_again(const char *path)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set;

	must(file);
	set = H5Dopen2(file, "plain", H5P_DEFAULT);
	must(set);
	put(set, block(20, 5, 3, 40), 1000);
	put(set, block(22, 5, 3, 40), 2000);
	H5Dclose(set);
	set = make(file, "new", H5T_NATIVE_DOUBLE, H5P_DEFAULT);
	put(set, block(0, 0, ROWS, 1), 0);
	H5Dclose(set);
	H5Fclose(file);
}

int main(int argc, char **argv)
{
	hid_t list, file;

	for (int i = 0; i < ALL; i++)
		numbers[i] = i + 1;
	if (argc == 3 && !strcmp(argv[2], "again")) {
		write_again(argv[1]);
		return 0;
	}
	list = H5Pcreate(H5P_FILE_ACCESS);
	file = argc > 1 ? H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, list)
			: -1;
	must(file);
	write_whole(file);
	write_compressed(file);
	write_uneven(file);
	write_pairs(file);
	write_attribute(file);
	write_growing(file);
	if (argc > 2)
		write_more(file);
	H5Pclose(list);
	return H5Fclose(file) < 0;
}
