/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what calls were given or gave back in memory into their detail. */
#include "capture/record/facts.h"

#include <dirent.h>
#include <fts.h>
#include <glob.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <time.h>
#include <utime.h>

/* A record: 0, or 1 and its fields. */
static void put_fields(struct weir_encoded *d, const int64_t *fields, int count)
{
	weir_encode_unsigned(d, 1);
	for (int i = 0; i < count; i++)
		weir_encode_signed(d, fields[i]);
}

#define PUT_FIELDS(d, ...)                                                     \
	put_fields(d, (const int64_t[]){ __VA_ARGS__ },                        \
		   (int)(sizeof((const int64_t[]){ __VA_ARGS__ }) /            \
			 sizeof(int64_t)))

static void put_nothing(struct weir_encoded *d)
{
	weir_encode_unsigned(d, 0);
}

static int64_t filesystem_id(const void *id)
{
	int64_t number;

	memcpy(&number, id, sizeof(number));
	return number;
}

WEIR_FACTS(statfs)
{
	const struct statfs *st = pointer;

	if (args->failed) {
		put_nothing(d);
		return;
	}
	PUT_FIELDS(d, (int64_t)st->f_type, (int64_t)st->f_bsize,
		   (int64_t)st->f_blocks, (int64_t)st->f_bfree,
		   (int64_t)st->f_bavail, (int64_t)st->f_files,
		   (int64_t)st->f_ffree, filesystem_id(&st->f_fsid),
		   (int64_t)st->f_namelen, (int64_t)st->f_frsize,
		   (int64_t)st->f_flags);
}

WEIR_FACTS(statvfs)
{
	const struct statvfs *st = pointer;

	if (args->failed) {
		put_nothing(d);
		return;
	}
	PUT_FIELDS(d, (int64_t)st->f_bsize, (int64_t)st->f_frsize,
		   (int64_t)st->f_blocks, (int64_t)st->f_bfree,
		   (int64_t)st->f_bavail, (int64_t)st->f_files,
		   (int64_t)st->f_ffree, (int64_t)st->f_favail,
		   (int64_t)st->f_fsid, (int64_t)st->f_flag,
		   (int64_t)st->f_namemax);
}

/* Times as they were given: UTIME_NOW and UTIME_OMIT are nanoseconds. */
WEIR_FACTS(timespecs)
{
	const struct timespec *t = pointer;

	if (weir_readable_are_there(args, t, 2 * sizeof(*t)))
		PUT_FIELDS(d, t[0].tv_sec, t[0].tv_nsec, t[1].tv_sec,
			   t[1].tv_nsec);
	else
		put_nothing(d);
}

WEIR_FACTS(timevals)
{
	const struct timeval *t = pointer;

	if (weir_readable_are_there(args, t, 2 * sizeof(*t)))
		PUT_FIELDS(d, t[0].tv_sec, t[0].tv_usec, t[1].tv_sec,
			   t[1].tv_usec);
	else
		put_nothing(d);
}

WEIR_FACTS(utimbuf)
{
	const struct utimbuf *t = pointer;

	if (weir_readable_are_there(args, t, sizeof(*t)))
		PUT_FIELDS(d, t->actime, t->modtime);
	else
		put_nothing(d);
}

WEIR_FACTS(device)
{
	const unsigned long *device = pointer;
	bool readable = weir_readable_are_there(args, device, sizeof(*device));

	weir_encode_unsigned(d, readable ? *device : 0);
}

WEIR_FACTS(target)
{
	weir_encode_bytes(d, pointer, args->failed ? 0 : (size_t)args->ret);
}

WEIR_FACTS(resolved)
{
	weir_encode_text(d, pointer);
}

WEIR_FACTS(dirent)
{
	const struct dirent *entry = pointer;

	if (args->failed || !entry) {
		put_nothing(d);
		return;
	}
	PUT_FIELDS(d, (int64_t)entry->d_ino, entry->d_type);
	weir_encode_text(d, entry->d_name);
}

WEIR_FACTS(dirent_at)
{
	const struct dirent *const *at = pointer;

	weir_facts_dirent(d, args, args->failed ? NULL : *at);
}

WEIR_FACTS(matches)
{
	const glob_t *glob = pointer;

	weir_encode_optional(d, args->ret == 0,
			     args->ret == 0 ? glob->gl_pathc : 0);
}

WEIR_FACTS(roots)
{
	const char *const *paths = pointer;
	bool readable = weir_readable_are_there(args, paths, sizeof(*paths));

	weir_encode_late_path(d, args, readable ? *paths : NULL);
}

WEIR_FACTS(ftsent)
{
	const FTSENT *entry = pointer;

	if (args->failed || !entry) {
		put_nothing(d);
		return;
	}
	PUT_FIELDS(d, entry->fts_info, entry->fts_level);
	weir_encode_bytes(d, entry->fts_path, entry->fts_pathlen);
}

/* Of a list's entries only the names are filled in yet. */
WEIR_FACTS(ftschild)
{
	const FTSENT *entry = pointer;

	if (args->failed || !entry) {
		put_nothing(d);
		return;
	}
	PUT_FIELDS(d, entry->fts_info, entry->fts_level);
	weir_encode_bytes(d, entry->fts_name, entry->fts_namelen);
}

WEIR_FACTS(how)
{
	const struct open_how *how = pointer;

	if (weir_readable_are_there(args, how, sizeof(*how)))
		PUT_FIELDS(d, (int64_t)how->flags, (int64_t)how->mode,
			   (int64_t)how->resolve);
	else
		put_nothing(d);
}
