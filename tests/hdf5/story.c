/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does with HDF5 what programs do, and says so: usage: story LIST
 * Files are made in the working directory. What is printed must be the same
 * with and without a recorder.
 */
#include "tell.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static double numbers[20000];
static int whole[20000];

static hid_t quiet_list(void)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);

	H5Pset_obj_track_times(list, 0); /* the same bytes every time */
	return list;
}

static void slab(hid_t space, hsize_t r, hsize_t c, const hsize_t *stride,
		 hsize_t nr, hsize_t nc, const hsize_t *block)
{
	hsize_t start[] = { r, c }, count[] = { nr, nc };

	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count,
			    block);
}

static void write_slab(hid_t set, hid_t space, hsize_t points)
{
	hid_t memory = H5Screate_simple(1, &points, NULL);

	H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers);
	H5Sclose(memory);
}

#define X "a.h5:/g/x"
#define SHAPED "\"shape\":\"100x200\",\"layout\":1,"

/* Selections of all kinds; the library is asked once, then we follow. */
static void select_parts(hid_t set)
{
	hid_t space = H5Dget_space(set);
	hsize_t stride[] = { 4, 5 }, block[] = { 2, 3 };
	hsize_t corners[] = { 1, 1, 2, 2, 3, 9 };

	H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
		 numbers);
	tell("H5Dwrite", X, 160000, SHAPED "\"extent\":\"0+100,0+200\","
	     "\"runs\":1");
	write_slab(set, space, 20000);
	tell("H5Dwrite", X, 160000, SHAPED "\"extent\":\"0+100,0+200\","
	     "\"runs\":1");
	slab(space, 10, 0, NULL, 10, 200, NULL);
	write_slab(set, space, 2000);
	tell("H5Dwrite", X, 16000, SHAPED "\"extent\":\"10+10,0+200\","
	     "\"runs\":1");
	slab(space, 10, 20, NULL, 10, 30, NULL);
	write_slab(set, space, 300);
	tell("H5Dwrite", X, 2400, SHAPED "\"extent\":\"10+10,20+30\","
	     "\"runs\":10");
	slab(space, 1, 2, stride, 3, 4, NULL);
	write_slab(set, space, 12);
	tell("H5Dwrite", X, 96, SHAPED "\"extent\":\"1+3*4,2+4*5\","
	     "\"runs\":12");
	slab(space, 1, 2, stride, 3, 4, block);
	write_slab(set, space, 72);
	tell("H5Dwrite", X, 576, SHAPED "\"extent\":\"1+10,2+18\","
	     "\"runs\":24");
	H5Sselect_elements(space, H5S_SELECT_SET, 3, corners);
	write_slab(set, space, 3);
	tell("H5Dwrite", X, 24, SHAPED "\"extent\":\"1+3,1+9\",\"runs\":3");
	slab(space, 0, 0, NULL, 1, 10, NULL);
	H5Sselect_hyperslab(space, H5S_SELECT_OR,
			    (hsize_t[]){ 5, 5 }, NULL, (hsize_t[]){ 2, 2 },
			    NULL);
	write_slab(set, space, 14);
	tell("H5Dwrite", X, 112, SHAPED "\"extent\":\"0+7,0+10\",\"runs\":2");
	H5Sselect_none(space);
	H5Dwrite(set, H5T_NATIVE_DOUBLE, space, space, H5P_DEFAULT, numbers);
	tell("H5Dwrite", X, 0, SHAPED "\"runs\":0");
	H5Sselect_all(space);
	H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, space, H5P_DEFAULT, numbers);
	tell("H5Dread", X, 80000, SHAPED "\"runs\":1");
	H5Sclose(space);
}

static void write_contiguous(hid_t file)
{
	hsize_t dims[] = { 100, 200 };
	hid_t list = quiet_list(), space = H5Screate_simple(2, dims, NULL);
	hid_t group = H5Gcreate2(file, "g", 0, 0, 0);
	hid_t set;

	tell("H5Gcreate2", "a.h5:/g", 0, "\"name\":\"g\"");
	set = H5Dcreate2(group, "x", H5T_NATIVE_DOUBLE, space, 0, list, 0);
	tell("H5Dcreate2", X, 0, "\"name\":\"x\"");
	select_parts(set);
	H5Iinc_ref(set);
	H5Dclose(set);
	tell("H5Dclose", X, 0, NULL);
	write_slab(set, space, 20000);
	tell("H5Dwrite", X, 160000, NULL);
	H5Dclose(set);
	tell("H5Dclose", X, 0, NULL);
	H5Gclose(group);
	tell("H5Gclose", "a.h5:/g", 0, NULL);
	H5Sclose(space);
	H5Pclose(list);
}

#define C "a.h5:/grows"

/* Two ids of one dataset; what one does to its shape the other shows. */
static void write_chunks(hid_t file)
{
	hsize_t dims[] = { 10, 20 }, most[] = { H5S_UNLIMITED, 20 };
	hsize_t chunk[] = { 5, 20 }, origin[] = { 0, 0 };
	hid_t list = quiet_list(), space = H5Screate_simple(2, dims, most);
	hid_t set, again;
	uint32_t mask;

	H5Pset_chunk(list, 2, chunk);
	tell("H5Pset_chunk", NULL, 0, "\"dims\":\"5x20\"");
	set = H5Dcreate2(file, "grows", H5T_NATIVE_INT, space, 0, list, 0);
	tell("H5Dcreate2", C, 0, NULL);
	again = H5Dopen2(file, "/grows", 0);
	tell("H5Dopen2", C, 0, NULL);
	H5Dwrite(again, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 0, whole);
	tell("H5Dwrite", C, 800, "\"shape\":\"10x20\",\"layout\":2");
	dims[0] = 40;
	H5Dset_extent(set, dims);
	tell("H5Dset_extent", C, 0, "\"size\":\"40x20\"");
	H5Dwrite(again, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 0, whole);
	tell("H5Dwrite", C, 3200, "\"shape\":\"40x20\"");
	H5Fflush(file, H5F_SCOPE_LOCAL);
	tell("H5Fflush", "a.h5", 0, NULL);
	H5Dwrite_chunk(set, 0, 0, origin, 400, whole);
	tell("H5Dwrite_chunk", C, 400, NULL);
	H5Dread_chunk(set, 0, origin, &mask, whole);
	tell("H5Dread_chunk", C, 400, NULL);
	H5Dclose(again);
	tell("H5Dclose", C, 0, NULL);
	H5Dclose(set);
	tell("H5Dclose", C, 0, NULL);
	H5Sclose(space);
	H5Pclose(list);
}

/* A type may change its size while it has one id. */
static void write_attributes(hid_t file)
{
	hsize_t five = 5;
	hid_t one = H5Screate(H5S_SCALAR), row = H5Screate_simple(1, &five, 0);
	hid_t text = H5Tcopy(H5T_C_S1), attribute;
	char words[200] = "weir";

	H5Tset_size(text, 10);
	attribute = H5Acreate2(file, "title", text, one, 0, 0);
	tell("H5Acreate2", "a.h5:/@title", 0, "\"attr_name\":\"title\"");
	H5Awrite(attribute, text, words);
	tell("H5Awrite", "a.h5:/@title", 10, NULL);
	H5Aclose(attribute);
	tell("H5Aclose", "a.h5:/@title", 0, NULL);
	H5Tset_size(text, 20);
	attribute = H5Acreate_by_name(file, "g/x", "rows", text, row, 0, 0, 0);
	tell("H5Acreate_by_name", "a.h5:/g/x@rows", 0, NULL);
	H5Awrite(attribute, text, words);
	tell("H5Awrite", "a.h5:/g/x@rows", 100, NULL);
	H5Aread(attribute, text, words);
	tell("H5Aread", "a.h5:/g/x@rows", 100, NULL);
	H5Aclose(attribute);
	tell("H5Aclose", "a.h5:/g/x@rows", 0, NULL);
	printf("there: %d\n", H5Aexists(file, "title"));
	tell("H5Aexists", "a.h5", 0, "\"attr_name\":\"title\"");
	H5Tclose(text);
	H5Sclose(one);
	H5Sclose(row);
}

static void write_other(void)
{
	hsize_t ten = 10;
	hid_t file = H5Fcreate("b.h5", H5F_ACC_TRUNC, 0, 0);
	hid_t space = H5Screate_simple(1, &ten, NULL), list = quiet_list();
	hid_t set;

	tell("H5Fcreate", "b.h5", 0, NULL);
	set = H5Dcreate2(file, "y", H5T_NATIVE_INT, space, 0, list, 0);
	tell("H5Dcreate2", "b.h5:/y", 0, NULL);
	H5Fclose(file); /* the dataset lives on */
	tell("H5Fclose", "b.h5", 0, NULL);
	H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 0, whole);
	tell("H5Dwrite", "b.h5:/y", 40, "\"shape\":\"10\"");
	H5Dclose(set);
	tell("H5Dclose", "b.h5:/y", 0, NULL);
	H5Sclose(space);
	H5Pclose(list);
}

/* More dimensions than are told. */
static void write_nine(hid_t file)
{
	hsize_t dims[] = { 2, 2, 2, 2, 2, 2, 2, 2, 2 };
	hid_t list = quiet_list(), space = H5Screate_simple(9, dims, NULL);
	hid_t set = H5Dcreate2(file, "nine", H5T_NATIVE_INT, space, 0, list, 0);

	tell("H5Dcreate2", "a.h5:/nine", 0, NULL);
	H5Dwrite(set, H5T_NATIVE_INT, space, space, 0, whole);
	tell("H5Dwrite", "a.h5:/nine", 2048,
	     "\"shape\":\"2x2x2x2x2x2x2x2x...\",\"runs\":null");
	H5Dclose(set);
	tell("H5Dclose", "a.h5:/nine", 0, NULL);
	H5Sclose(space);
	H5Pclose(list);
}

/* The path is the one by which it was opened. */
static void mount(hid_t file)
{
	hid_t child = H5Fopen("b.h5", H5F_ACC_RDWR, 0), set;

	tell("H5Fopen", "b.h5", 0, "\"flags\":1");
	H5Fmount(file, "/g", child, 0);
	tell("H5Fmount", "a.h5", 0, "\"name\":\"/g\"");
	set = H5Dopen2(file, "/g/y", 0);
	tell("H5Dopen2", "b.h5:/g/y", 0, NULL);
	H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 0, whole);
	tell("H5Dread", "b.h5:/g/y", 40, NULL);
	H5Dclose(set);
	tell("H5Dclose", "b.h5:/g/y", 0, NULL);
	H5Funmount(file, "/g");
	tell("H5Funmount", "a.h5", 0, NULL);
	H5Fclose(child);
	tell("H5Fclose", "b.h5", 0, NULL);
}

/* What a link leads to is called by the file that it is in. */
static void follow_links(hid_t file)
{
	hobj_ref_t reference;
	hid_t set;

	H5Lcreate_external("b.h5", "/y", file, "away", 0, 0);
	tell("H5Lcreate_external", "a.h5", 0,
	     "\"file\":\"b.h5\",\"object\":\"/y\",\"link_name\":\"away\"");
	set = H5Dopen2(file, "away", 0);
	tell("H5Dopen2", "b.h5:/y", 0, "\"name\":\"away\"");
	H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 0, whole);
	tell("H5Dread", "b.h5:/y", 40, NULL);
	H5Dclose(set);
	tell("H5Dclose", "b.h5:/y", 0, NULL);
	H5Rcreate(&reference, file, "/g/x", H5R_OBJECT, -1);
	tell("H5Rcreate", "a.h5", 0, "\"name\":\"/g/x\"");
	set = H5Rdereference2(file, 0, H5R_OBJECT, &reference);
	tell("H5Rdereference2", "a.h5:/(no path)", 0, NULL);
	H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, 0, numbers);
	tell("H5Dread", "a.h5:/(no path)", 160000, "\"shape\":\"100x200\"");
	H5Dclose(set);
	tell("H5Dclose", "a.h5:/(no path)", 0, NULL);
}

/* Nothing that the program sees of errors is ours. */
static void fail(hid_t file)
{
	void *function = NULL, *data = NULL;
	H5E_auto2_t before, after;

	H5Eget_auto2(H5E_DEFAULT, &before, &data);
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	printf("open: %d\n", H5Dopen2(file, "nowhere", 0) < 0);
	tell_failed("H5Dopen2", "a.h5");
	printf("errors: %d\n", (int)H5Eget_num(H5E_DEFAULT));
	printf("write: %d\n", H5Dwrite(file, H5T_NATIVE_INT, 0, 0, 0, whole));
	tell_failed("H5Dwrite", "a.h5");
	printf("errors: %d\n", (int)H5Eget_num(H5E_DEFAULT));
	printf("close: %d\n", H5Dclose(12345));
	tell_failed("H5Dclose", NULL);
	printf("errors: %d\n", (int)H5Eget_num(H5E_DEFAULT));
	H5Eget_auto2(H5E_DEFAULT, &after, &function);
	printf("still none: %d\n", after == NULL);
	H5Eset_auto2(H5E_DEFAULT, before, data);
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info,
		    void *data)
{
	char line[120];

	(void)info;
	if (strcmp(name, "g") || data)
		return 0;
	hid_t inner = H5Oopen(group, name, 0);
	tell("H5Oopen", "a.h5:/g", 0, NULL);
	H5Literate(inner, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, line);
	tell("H5Literate", "a.h5:/g", 0, NULL);
	H5Oclose(inner);
	tell("H5Oclose", "a.h5:/g", 0, NULL);
	return 0;
}

/* Its own calls come from within; told in the order of their ends. */
static void walk(hid_t file)
{
	H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, NULL);
	tell("H5Literate", "a.h5", 0, NULL);
}

/* Ids begin anew: nothing that we knew of them is true. */
static void begin_again(void)
{
	hid_t file;

	H5close();
	tell("H5close", NULL, 0, NULL);
	file = H5Fopen("b.h5", H5F_ACC_RDONLY, 0);
	tell("H5Fopen", "b.h5", 0, "\"flags\":0");
	H5Fclose(file);
	tell("H5Fclose", "b.h5", 0, NULL);
}

int main(int argc, char **argv)
{
	hid_t file;

	if (argc != 2)
		return 2;
	for (int i = 0; i < 20000; i++)
		numbers[i] = whole[i] = i;
	tell_start(argv[1]);
	file = H5Fcreate("a.h5", H5F_ACC_TRUNC, 0, 0);
	tell("H5Fcreate", "a.h5", 0, "\"flags\":2");
	write_contiguous(file);
	write_chunks(file);
	write_attributes(file);
	write_other();
	write_nine(file);
	mount(file);
	follow_links(file);
	fail(file);
	walk(file);
	H5Fclose(file);
	tell("H5Fclose", "a.h5", 0, NULL);
	begin_again();
	tell_end();
	return 0;
}
