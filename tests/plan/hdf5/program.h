/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with HDF5, by itself or in ranks, that tells what it finds. */
#ifndef WEIR_TESTS_PLAN_PROGRAM_H
#define WEIR_TESTS_PLAN_PROGRAM_H

#include <hdf5.h>
#include <stdbool.h>

extern int program_rank, program_ranks;

/* A line `NAME NUMBER` of rank 0. */
void tell(const char *name, long long number);

/* Ends the program if a call has failed. */
long long good(long long result);

/* A line of /proc/self/status, in KiB. */
long memory(const char *what);

/* How files are opened here: by MPI-IO if there are ranks. */
hid_t access_list(void);

/* H5FD_MPIO_COLLECTIVE where there are ranks. */
hid_t together(void);

/* A dataset of rows and columns; the program's own creation list. */
hid_t make(hid_t file, const char *name, int rows, int columns, hid_t list);

/* Numbers of a part of it, and whether they are what was written. */
void write_part(hid_t dataset, const hsize_t at[2], const hsize_t size[2],
		hid_t transfer);
bool read_part(hid_t dataset, const hsize_t at[2], const hsize_t size[2],
	       hid_t transfer);

/* Facts of a dataset and its file. */
void describe(hid_t file, hid_t dataset);

/* Each scene: a file of this name is made and read. */
void scene_field(const char *name);
void scene_own(const char *name);
void scene_once(const char *name);
void scene_fails(const char *name);
void scene_many(const char *name);
void scene_several(const char *name);
void scene_small(const char *name);
void scene_sieve(const char *name);
void scene_rows(const char *name);
void scene_sets(const char *name);
void scene_links(const char *name);
void scene_outside(const char *name);
void scene_convert(const char *name);
void scene_check(const char *name);
void scene_recheck(const char *name);
void scene_old(const char *name);
void scene_columns(const char *name);
void scene_together(const char *name);
void scene_chunks(const char *name);
void scene_idle(const char *name);
void scene_wide(const char *name);

#endif
