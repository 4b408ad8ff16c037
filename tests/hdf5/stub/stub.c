/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands for a newer HDF5: the names with an event set and those for several
 * datasets at once, as far as the test needs them. Data is written by plain
 * calls of libc. Selections are what H5Screate_simple() made.
 */
#include "stub.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOM 16
#define NUMBER(id) ((id) & (ROOM - 1))

static int fd = -1;
static char file[200], set_names[ROOM][100];
static int sets, files, spaces;
static _Atomic int disturbed;
static bool is_closed[ROOM];
static hsize_t lengths[ROOM], set_lengths[ROOM];

EXPORT int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
	*major = 1;
	*minor = 14;
	*release = 0;
	return 0;
}

EXPORT int H5Iget_type(hid_t id)
{
	if (id > 0 && KIND(id) == SETS && is_closed[NUMBER(id)])
		return -1;
	if (id > 0 && KIND(id) == EVENTS && !stub_is_event_set(id))
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
	return put(name, room, KIND(id) == SETS ? set_names[NUMBER(id)] : "/");
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
	lengths[NUMBER(spaces)] = dims[0];
	return rank == 1 && !max ? AT(SPACES, NUMBER(spaces++)) : -1;
}

EXPORT int H5Sget_simple_extent_ndims(hid_t id)
{
	return KIND(id) == SPACES ? 1 : -1;
}

EXPORT int H5Sget_simple_extent_dims(hid_t id, hsize_t *dims, hsize_t *max)
{
	dims[0] = id & ROOM ? set_lengths[NUMBER(id)] : lengths[NUMBER(id)];
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
	return (long)lengths[NUMBER(id)];
}

EXPORT size_t H5Tget_size(hid_t id)
{
	return id == DOUBLE ? 8 : 0;
}

static void note_asked(hid_t id)
{
	disturbed += stub_is_busy(id);
}

EXPORT int stub_disturbed(void)
{
	return disturbed;
}

EXPORT hid_t H5Dget_space(hid_t id)
{
	note_asked(id);
	return AT(SPACES, ROOM | NUMBER(id));
}

EXPORT hid_t H5Dget_create_plist(hid_t id)
{
	note_asked(id);
	return KIND(id) == SETS ? AT(LISTS, 1) : -1;
}

EXPORT uint64_t H5Dget_offset(hid_t id)
{
	note_asked(id);
	return (uint64_t)NUMBER(id) * 4096;
}

EXPORT uint64_t H5Dget_storage_size(hid_t id)
{
	note_asked(id);
	return set_lengths[NUMBER(id)] * 8;
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

EXPORT hid_t H5Fcreate_async(const char *from, const char *in, unsigned line,
			     const char *name, unsigned flags, hid_t fcpl,
			     hid_t fapl, hid_t es)
{
	snprintf(file, sizeof(file), "%s", name);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
	return from && in && line && !fcpl && stub_takes(__func__, fapl) &&
			       fd >= 0 && flags ?
		       AT(FILES, files++) : -1;
}

EXPORT hid_t H5Dcreate_async(const char *from, const char *in, unsigned line,
			     hid_t loc, const char *name, hid_t type,
			     hid_t space, hid_t lcpl, hid_t dcpl, hid_t dapl,
			     hid_t es)
{
	snprintf(set_names[NUMBER(sets)], sizeof(*set_names), "/%s", name);
	set_lengths[NUMBER(sets)] = lengths[NUMBER(space)];
	return from && in && line && loc > 0 && type == DOUBLE && !lcpl &&
			       stub_takes(__func__, dcpl) &&
			       stub_takes(__func__, dapl) ?
		       AT(SETS, NUMBER(sets++)) : -1;
}

static int write_set(hid_t set, hid_t space, const void *from)
{
	size_t bytes = 8 * (space ? lengths[NUMBER(space)] :
				    set_lengths[NUMBER(set)]);
	ssize_t n = pwrite(fd, from, bytes, NUMBER(set) * 4096);

	return n == (ssize_t)bytes ? 0 : -1;
}

int stub_transfer(const struct stub_op *op)
{
	if (!op->buf)
		return -1;
	if (op->writes)
		return write_set(op->set, op->space, op->buf);
	return pread(fd, op->buf, 8 * set_lengths[NUMBER(op->set)],
		     NUMBER(op->set) * 4096) < 0 ? -1 : 0;
}

static int hand_over(const struct stub_op *op, hid_t es)
{
	int taken = stub_hand_over(es, op);

	return taken > 0 ? 0 : taken < 0 ? -1 : stub_transfer(op);
}

EXPORT int H5Dwrite_async(const char *from, const char *in, unsigned line,
			  hid_t set, hid_t type, hid_t memory, hid_t space,
			  hid_t dxpl, const void *buf, hid_t es)
{
	if (!from || !in || !line || type != DOUBLE || memory ||
	    !stub_takes(__func__, dxpl))
		return -1;
	return hand_over(&(struct stub_op){ set, space, (void *)buf, true },
			 es);
}

EXPORT int H5Dread_async(const char *from, const char *in, unsigned line,
			 hid_t set, hid_t type, hid_t memory, hid_t space,
			 hid_t dxpl, void *buf, hid_t es)
{
	if (!from || !in || !line || type != DOUBLE || memory || space ||
	    !stub_takes(__func__, dxpl))
		return -1;
	return hand_over(&(struct stub_op){ set, 0, buf, false }, es);
}

EXPORT int H5Dwrite_multi(size_t count, hid_t *set, hid_t *type, hid_t *memory,
			  hid_t *space, hid_t dxpl, const void **buf)
{
	if (!stub_takes(__func__, dxpl))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (type[i] != DOUBLE || memory[i] ||
		    write_set(set[i], space[i], buf[i]))
			return -1;
	return 0;
}

EXPORT int H5Dclose_async(const char *from, const char *in, unsigned line,
			  hid_t set, hid_t es)
{
	is_closed[NUMBER(set)] = true;
	return from && in && line && KIND(set) == SETS && es ? 0 : -1;
}

EXPORT int H5Fclose_async(const char *from, const char *in, unsigned line,
			  hid_t id, hid_t es)
{
	return from && in && line && id > 0 && es ? close(fd) : -1;
}
