/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel and the file system what a file lies on. */
#ifndef WEIR_LAYERS_STORAGE_H
#define WEIR_LAYERS_STORAGE_H

/* Good until the thread asks again; empty where nothing is known. */
struct weir_storage {
	const char *fs;	     /* ext4, lustre, …; 0x…: one we have no word for */
	const char *stripes; /* see lov.h; of Ceph in its own words */
};

/*
 * Of a file that the process has opened by this name; two or three system
 * calls, errno stays.
 */
void weir_storage_ask(const char *name, struct weir_storage *ret_storage);

#endif
