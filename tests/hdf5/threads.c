/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that select and write at the same time, each in a file of its own:
 * usage: threads LIST; each thread writes LIST.NUMBER. Where the library is
 * not made for threads, they take turns.
 */
#include "tell.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 300 };

static const char *list;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static hbool_t is_safe;
static int numbers[100];

static void begin(void)
{
	if (!is_safe)
		pthread_mutex_lock(&turn);
}

static void end(void)
{
	if (!is_safe)
		pthread_mutex_unlock(&turn);
}

static void write_part(hid_t set, hid_t space, const char *name, hsize_t first,
		       hsize_t count)
{
	hid_t memory = H5Screate_simple(1, &count, NULL);
	char args[100];

	H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
	H5Dwrite(set, H5T_NATIVE_INT, memory, space, 0, numbers);
	snprintf(args, sizeof(args), "\"extent\":\"%d+%d\"", (int)first,
		 (int)count);
	tell("H5Dwrite", name, 4 * (long)count, args);
	H5Sclose(memory);
}

static void write_all(hid_t file, const char *name, int number)
{
	hsize_t hundred = 100;
	hid_t space = H5Screate_simple(1, &hundred, NULL), set;

	set = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, 0, 0, 0);
	tell("H5Dcreate2", name, 0, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		end();
		begin();
		write_part(set, space, name, (hsize_t)(i % 90),
			   (hsize_t)number + 1);
	}
	H5Dclose(set);
	tell("H5Dclose", name, 0, NULL);
	H5Sclose(space);
}

static void *work(void *argument)
{
	int number = *(int *)argument;
	char path[200], name[20], set[24];
	hid_t file;

	snprintf(path, sizeof(path), "%s.%d", list, number);
	snprintf(name, sizeof(name), "t%d.h5", number);
	snprintf(set, sizeof(set), "t%d.h5:/d", number);
	begin();
	tell_start(path);
	file = H5Fcreate(name, H5F_ACC_TRUNC, 0, 0);
	tell("H5Fcreate", name, 0, NULL);
	write_all(file, set, number);
	H5Fclose(file);
	tell("H5Fclose", name, 0, NULL);
	tell_end();
	end();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int each[THREADS];

	if (argc != 2)
		return 2;
	list = argv[1];
	H5is_library_threadsafe(&is_safe);
	for (int i = 0; i < THREADS; i++) {
		each[i] = i;
		pthread_create(&threads[i], NULL, work, &each[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
