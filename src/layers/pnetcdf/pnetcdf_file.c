/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows PnetCDF's open files and their variables. */
#include "layers/pnetcdf/pnetcdf_file.h"

#include "layers/book.h"
#include "layers/pnetcdf/pnetcdf_library.h"

#include <stdatomic.h>
#include <string.h>

#define PATH_ROOM 4096

static struct weir_pnetcdf_file files[WEIR_PNETCDF_FILES];
static struct weir_book book;
static struct weir_pnetcdf_var vars[WEIR_BOOK_ROOM];
static _Atomic int highest[WEIR_PNETCDF_FILES]; /* variable of each + 1 */

static bool is_number(int ncid)
{
	return ncid >= 0 && ncid < WEIR_PNETCDF_FILES;
}

struct weir_pnetcdf_file *weir_pnetcdf_file_find(int ncid)
{
	return is_number(ncid) && files[ncid].handle ? &files[ncid] : NULL;
}

static uint64_t variable_key(int ncid, int varid)
{
	return (uint64_t)(uint32_t)ncid << 32 | (uint32_t)varid;
}

void weir_pnetcdf_file_forget(int ncid, int varid)
{
	weir_book_remove(&book, variable_key(ncid, varid));
}

void weir_pnetcdf_file_close(int ncid)
{
	if (!is_number(ncid))
		return;
	for (int v = 0; v < highest[ncid]; v++)
		weir_pnetcdf_file_forget(ncid, v);
	highest[ncid] = 0;
	files[ncid].handle = 0;
}

void weir_pnetcdf_file_open(int ncid, uint32_t handle, uint64_t coll)
{
	struct weir_pnetcdf_file *file;

	if (!is_number(ncid))
		return;
	weir_pnetcdf_file_close(ncid);
	file = &files[ncid];
	file->coll = coll;
	file->seq = 0;
	file->low = file->high = file->requests = 0;
	file->handle = handle;
}

const struct weir_pnetcdf_var *weir_pnetcdf_file_var(int ncid, int varid)
{
	uint32_t at = weir_book_find(&book, variable_key(ncid, varid));

	return at == WEIR_BOOK_NONE || !vars[at].handle ? NULL : &vars[at];
}

const char *weir_pnetcdf_file_plain(const char *path)
{
	const char *colon = strchr(path, ':');
	const char *slash = strchr(path, '/');

	return colon && colon - path > 1 && (!slash || colon < slash)
		       ? colon + 1
		       : path;
}

/* A name too long to be put together leaves the variable with the file's. */
static uint32_t name_it(struct weir_layer *on, const void *from, int ncid,
			const struct weir_pnetcdf_described *what)
{
	char path[PATH_ROOM + 2 + WEIR_PNETCDF_NAME];
	size_t used;

	if (!weir_pnetcdf_library_path(from, ncid, path, PATH_ROOM))
		return files[ncid].handle;
	used = strlen(path);
	memcpy(path + used, ":/", 2);
	memcpy(path + used + 2, what->name, strlen(what->name) + 1);
	return weir_layer_handle(on, weir_pnetcdf_file_plain(path));
}

static void raise_to(_Atomic int *most, int value)
{
	int there = atomic_load(most);

	while (there < value &&
	       !atomic_compare_exchange_weak(most, &there, value))
		;
}

const struct weir_pnetcdf_var *weir_pnetcdf_file_learn(struct weir_layer *on,
						       const void *from,
						       int ncid, int varid)
{
	const struct weir_pnetcdf_var *known =
		weir_pnetcdf_file_var(ncid, varid);
	struct weir_pnetcdf_described what;
	uint32_t at;

	if (known)
		return known;
	if (!weir_pnetcdf_file_find(ncid) ||
	    !weir_pnetcdf_library_describe(from, ncid, varid, &what))
		return NULL;
	at = weir_book_add(&book, variable_key(ncid, varid));
	if (at == WEIR_BOOK_NONE)
		return NULL;
	raise_to(&highest[ncid], varid + 1);
	vars[at] = (struct weir_pnetcdf_var){
		.handle = name_it(on, from, ncid, &what),
		.xtype = what.xtype,
		.growing = what.growing,
		.shape = what.shape,
	};
	return &vars[at];
}
