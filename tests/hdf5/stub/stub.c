/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands for a newer HDF5: the names with an event set and those for several
 * datasets at once, as far as the test needs them. Data is written by plain
 * calls of libc. Selections are what H5Screate_simple() made.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef int64_t hid_t;
typedef uint64_t hsize_t;

#define EXPORT __attribute__((visibility("default")))
#define AT(kind, n) ((hid_t)(kind) << 56 | (n))
#define KIND(id) ((int)((id) >> 56))
#define DOUBLE AT(3, 1)

enum { FILES = 1, GROUPS = 2, TYPES = 3, SPACES = 4, SETS = 5, LISTS = 10 };

static int fd = -1;
static char file[200], set_names[8][100];
static int sets, files, spaces;
static bool is_closed[8];
static hsize_t lengths[8], set_lengths[8];

EXPORT int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
	*major = 1;
	*minor = 14;
	*release = 0;
	return 0;
}

EXPORT int H5Iget_type(hid_t id)
{
	if (id > 0 && KIND(id) == SETS && is_closed[id & 7])
		return -1;
	return id > 0 ? KIND(id) : -1;
}

static long put(char *to, size_t room, const char *from)
{
	if (to)
		snprintf(to, room, "%s", from);
	return (long)strlen(from);
}

EXPORT long H5Iget_name(hid_t id, char *name, size_t room)
{
	return put(name, room, KIND(id) == SETS ? set_names[id & 7] : "/");
}

EXPORT long H5Fget_name(hid_t id, char *name, size_t room)
{
	return id > 0 ? put(name, room, file) : -1;
}

EXPORT long H5Aget_name(hid_t id, size_t room, char *name)
{
	return id > 0 ? put(name, room, "none") : -1;
}

EXPORT hid_t H5Screate_simple(int rank, const hsize_t *dims, const hsize_t *max)
{
	lengths[spaces & 7] = dims[0];
	return rank == 1 && !max ? AT(SPACES, spaces++ & 7) : -1;
}

EXPORT int H5Sget_simple_extent_ndims(hid_t id)
{
	return KIND(id) == SPACES ? 1 : -1;
}

EXPORT int H5Sget_simple_extent_dims(hid_t id, hsize_t *dims, hsize_t *max)
{
	dims[0] = id & 8 ? set_lengths[id & 7] : lengths[id & 7];
	if (max)
		max[0] = dims[0];
	return 1;
}

EXPORT int H5Sget_select_type(hid_t id)
{
	return KIND(id) == SPACES ? 3 : -1;
}

EXPORT long H5Sget_select_npoints(hid_t id)
{
	return (long)lengths[id & 7];
}

EXPORT size_t H5Tget_size(hid_t id)
{
	return id == DOUBLE ? 8 : 0;
}

EXPORT hid_t H5Dget_space(hid_t id)
{
	return AT(SPACES, 8 | (id & 7));
}

EXPORT hid_t H5Dget_create_plist(hid_t id)
{
	return KIND(id) == SETS ? AT(LISTS, 1) : -1;
}

EXPORT int H5Pget_layout(hid_t id)
{
	return KIND(id) == LISTS ? 1 : -1;
}

EXPORT uint64_t H5Dget_offset(hid_t id)
{
	return (uint64_t)(id & 7) * 4096;
}

EXPORT uint64_t H5Dget_storage_size(hid_t id)
{
	return set_lengths[id & 7] * 8;
}

/* What nobody calls here, or has nothing to do, but a library has. */
static long nothing(void)
{
	return 0;
}

#define NOTHING __attribute__((visibility("default"), alias("nothing")))
NOTHING long H5Aget_space(void);
NOTHING long H5Eget_num(void);
NOTHING long H5Eget_current_stack(void);
NOTHING long H5Eset_current_stack(void);
NOTHING long H5Eauto_is_v2(void);
NOTHING long H5Eget_auto2(void);
NOTHING long H5Eset_auto2(void);
NOTHING long H5Sclose(void);
NOTHING long H5Sget_select_bounds(void);
NOTHING long H5Sis_regular_hyperslab(void);
NOTHING long H5Sget_regular_hyperslab(void);
NOTHING long H5Sget_select_hyper_nblocks(void);
NOTHING long H5Iget_ref(void);
NOTHING long H5Iget_file_id(void);
NOTHING long H5Fclose(void);
NOTHING long H5Fget_create_plist(void);
NOTHING long H5Pget_userblock(void);
NOTHING long H5Pclose(void);
NOTHING long H5Pget_chunk(void);
NOTHING long H5EScreate(void);
NOTHING long H5ESwait(void);
NOTHING long H5ESclose(void);

EXPORT hid_t H5Fcreate_async(const char *from, const char *in, unsigned line,
			     const char *name, unsigned flags, hid_t fcpl,
			     hid_t fapl, hid_t es)
{
	snprintf(file, sizeof(file), "%s", name);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
	return from && in && line && !fcpl && !fapl && es && fd >= 0 && flags ?
		       AT(FILES, files++) : -1;
}

EXPORT hid_t H5Dcreate_async(const char *from, const char *in, unsigned line,
			     hid_t loc, const char *name, hid_t type,
			     hid_t space, hid_t lcpl, hid_t dcpl, hid_t dapl,
			     hid_t es)
{
	snprintf(set_names[sets & 7], sizeof(*set_names), "/%s", name);
	set_lengths[sets & 7] = lengths[space & 7];
	return from && in && line && loc > 0 && type == DOUBLE && !lcpl &&
			       !dcpl && !dapl && es ?
		       AT(SETS, sets++ & 7) : -1;
}

static int write_set(hid_t set, hid_t space, const void *from)
{
	size_t bytes = 8 * (space ? lengths[space & 7] : set_lengths[set & 7]);
	ssize_t n = pwrite(fd, from, bytes, (set & 7) * 4096);

	return n == (ssize_t)bytes ? 0 : -1;
}

EXPORT int H5Dwrite_async(const char *from, const char *in, unsigned line,
			  hid_t set, hid_t type, hid_t memory, hid_t space,
			  hid_t dxpl, const void *buf, hid_t es)
{
	if (!from || !in || !line || type != DOUBLE || memory || dxpl || !es)
		return -1;
	return write_set(set, space, buf);
}

EXPORT int H5Dread_async(const char *from, const char *in, unsigned line,
			 hid_t set, hid_t type, hid_t memory, hid_t space,
			 hid_t dxpl, void *buf, hid_t es)
{
	if (!from || !in || !line || type != DOUBLE || memory || space ||
	    dxpl || !es)
		return -1;
	return pread(fd, buf, 8 * set_lengths[set & 7], (set & 7) * 4096) < 0 ?
		       -1 : 0;
}

EXPORT int H5Dwrite_multi(size_t count, hid_t *set, hid_t *type, hid_t *memory,
			  hid_t *space, hid_t dxpl, const void **buf)
{
	for (size_t i = 0; i < count; i++)
		if (type[i] != DOUBLE || memory[i] || dxpl ||
		    write_set(set[i], space[i], buf[i]))
			return -1;
	return 0;
}

EXPORT int H5Dclose_async(const char *from, const char *in, unsigned line,
			  hid_t set, hid_t es)
{
	is_closed[set & 7] = true;
	return from && in && line && KIND(set) == SETS && es ? 0 : -1;
}

EXPORT int H5Fclose_async(const char *from, const char *in, unsigned line,
			  hid_t id, hid_t es)
{
	return from && in && line && id > 0 && es ? close(fd) : -1;
}
