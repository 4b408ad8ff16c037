/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks where the trace and the memory files will be written. */
#include "doctor/check.h"
#include "doctor/patient.h"
#include "launch/directory/tracedir.h"
#include "trace/layout/control_layout.h"
#include "trace/layout/live_layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define MEMORY	    "/dev/shm"
#define FIRST_UNITS 64 /* that a process must have to begin with */
#define FIRST_BYTES                                                           \
	(WEIR_LIVE_HEAD_BYTES + FIRST_UNITS * WEIR_LIVE_UNIT_BYTES +          \
	 WEIR_CONTROL_BYTES)
#define LITTLE	    (UINT64_C(64) << 20)
#define JUST_NOW    2 /* seconds */

static enum weir_check_answer look_at_target(const struct weir_patient *p,
					     int arg, char *where)
{
	struct stat st;

	if (!*p->target || stat(p->target, &st))
		return WEIR_CHECK_UNASKED;
	if (S_ISDIR(st.st_mode))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s", p->target);
}

/* Anything that was not changed since then. */
static bool has_entries(const char *path, time_t since)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool has = false;
	struct stat st;

	while (dir && !has && (entry = readdir(dir)))
		has = strcmp(entry->d_name, ".") &&
		      strcmp(entry->d_name, "..") &&
		      !fstatat(dirfd(dir), entry->d_name, &st,
			       AT_SYMLINK_NOFOLLOW) &&
		      st.st_mtime <= since;
	if (dir)
		closedir(dir);
	return has;
}

/*
 * arg: 1, for the library alone, which adds to what is there. It may be
 * preloaded into this very process, and have begun a trace there by now.
 */
static enum weir_check_answer look_into_target(const struct weir_patient *p,
					       int arg, char *where)
{
	struct stat st;

	if (!*p->target || p->is_plain != arg || stat(p->target, &st) ||
	    !S_ISDIR(st.st_mode))
		return WEIR_CHECK_UNASKED;
	if (has_entries(p->target, time(NULL) - (arg ? JUST_NOW : 0)))
		return weir_check_found(where, "%s", p->target);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_for_place(const struct weir_patient *p,
					     int arg, char *where)
{
	struct stat st;

	if (stat(p->place, &st))
		return weir_check_found(where, "%s: %s", p->place,
					strerror(errno));
	if (!S_ISDIR(st.st_mode) && strcmp(p->place, p->target))
		return weir_check_found(where, "%s: %s", p->place,
					strerror(ENOTDIR));
	return WEIR_CHECK_FINE;
}

static bool place_is(const struct weir_patient *p, struct statvfs *fs)
{
	struct stat st;

	return !stat(p->place, &st) && S_ISDIR(st.st_mode) &&
	       !statvfs(p->place, fs);
}

static enum weir_check_answer look_at_mount(const struct weir_patient *p,
					    int arg, char *where)
{
	struct statvfs fs;

	if (!place_is(p, &fs))
		return WEIR_CHECK_UNASKED;
	if (fs.f_flag & ST_RDONLY)
		return weir_check_found(where, "%s", p->place);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_rights(const struct weir_patient *p,
					     int arg, char *where)
{
	struct statvfs fs;

	if (!place_is(p, &fs) || fs.f_flag & ST_RDONLY)
		return WEIR_CHECK_UNASKED;
	if (eaccess(p->place, W_OK | X_OK))
		return weir_check_found(where, "%s: %s", p->place,
					strerror(errno));
	return WEIR_CHECK_FINE;
}

/* arg: what trying to take room fails with. */
static enum weir_check_answer look_for_room(const struct weir_patient *p,
					    int arg, char *where)
{
	struct weir_tracedir dir;
	struct statvfs fs;

	if (!place_is(p, &fs) || weir_tracedir_open(&dir, p->place))
		return WEIR_CHECK_UNASKED;
	if (weir_tracedir_check_room(&dir) != -arg)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: %s, %llu bytes free", p->place,
				strerror(arg),
				(unsigned long long)fs.f_bavail * fs.f_frsize);
}

static enum weir_check_answer look_for_inodes(const struct weir_patient *p,
					      int arg, char *where)
{
	struct statvfs fs;

	if (!place_is(p, &fs) || !fs.f_files)
		return WEIR_CHECK_UNASKED;
	if (fs.f_favail < 4) /* the directory, its lock, its link, the trace */
		return weir_check_found(where, "%s: %llu of %llu inodes free",
					p->place,
					(unsigned long long)fs.f_favail,
					(unsigned long long)fs.f_files);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_for_plenty(const struct weir_patient *p,
					      int arg, char *where)
{
	struct statvfs fs;
	uint64_t bytes;

	if (!place_is(p, &fs) || fs.f_flag & ST_RDONLY || !fs.f_blocks)
		return WEIR_CHECK_UNASKED;
	bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (bytes < LITTLE)
		return weir_check_found(where, "%s: %llu bytes free", p->place,
					(unsigned long long)bytes);
	return WEIR_CHECK_FINE;
}

/* Why memory files cannot be made there, or 0. */
static int try_memory(void)
{
	char path[] = MEMORY "/weir-doctor-XXXXXX";

	if (!mkdtemp(path))
		return errno;
	rmdir(path);
	return 0;
}

/* arg: 1, for the library alone, which has no other place for them. */
static enum weir_check_answer look_for_memory(const struct weir_patient *p,
					      int arg, char *where)
{
	int err = try_memory();

	if (p->is_plain != arg)
		return WEIR_CHECK_UNASKED;
	if (err && err != ENOSPC)
		return weir_check_found(where, MEMORY ": %s", strerror(err));
	return WEIR_CHECK_FINE;
}

/* arg: 0, enough to begin with; 1, enough for a whole buffer. */
static enum weir_check_answer look_at_memory(const struct weir_patient *p,
					     int arg, char *where)
{
	uint64_t needed = FIRST_BYTES, bytes;
	struct statvfs fs;
	int err = try_memory();

	if ((err && err != ENOSPC) || statvfs(MEMORY, &fs))
		return WEIR_CHECK_UNASKED;
	if (arg && p->buffer > needed)
		needed = p->buffer + WEIR_LIVE_HEAD_BYTES +
			 WEIR_CONTROL_BYTES;
	bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (arg && bytes < FIRST_BYTES)
		return WEIR_CHECK_UNASKED; /* told by the other */
	if (!fs.f_blocks || (bytes >= needed && err != ENOSPC))
		return WEIR_CHECK_FINE; /* no blocks: no limit */
	return weir_check_found(where, MEMORY ": %llu bytes free, %llu needed "
				"for each process",
				(unsigned long long)bytes,
				(unsigned long long)needed);
}

static enum weir_check_answer look_at_kind(const struct weir_patient *p,
					   int arg, char *where)
{
	struct statfs fs;

	if (try_memory() || statfs(MEMORY, &fs))
		return WEIR_CHECK_UNASKED;
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, MEMORY ": file system type 0x%lx",
				(unsigned long)fs.f_type);
}

const struct weir_check weir_place_checks[] = {
	{ "output-no-directory", WEIR_CHECK_PREVENTS, look_at_target, 0,
	  "the trace is to be written into something that is not a directory",
	  "name another, or remove it first",
	  "the trace's place is a directory" },
	{ "output-used", WEIR_CHECK_PREVENTS, look_into_target, 0,
	  "the directory for the trace is not empty, and weir run refuses it",
	  "name another, or remove it first",
	  "the directory for the trace is empty" },
	{ "place-missing", WEIR_CHECK_PREVENTS, look_for_place, 0,
	  "the directory for the new trace does not exist",
	  "make it first: mkdir -p", "the directory for the new trace exists" },
	{ "place-read-only", WEIR_CHECK_PREVENTS, look_at_mount, 0,
	  "the trace's file system is mounted read-only",
	  "name another place: -o DIR, or WEIR_TRACE=DIR",
	  "the trace's file system may be written" },
	{ "place-unwritable", WEIR_CHECK_PREVENTS, look_at_rights, 0,
	  "you may not write where the trace is to be",
	  "name another place: -o DIR, or WEIR_TRACE=DIR",
	  "you may write where the trace will be" },
	{ "place-inodes", WEIR_CHECK_PREVENTS, look_for_inodes, 0,
	  "the trace's file system has no inodes left for new files",
	  "remove files there, or name another place: -o DIR",
	  "there are inodes for new files" },
	{ "place-full", WEIR_CHECK_PREVENTS, look_for_room, ENOSPC,
	  "the trace's file system is full",
	  "remove files there, or name another place: -o DIR",
	  "there is room for a trace" },
	{ "place-quota", WEIR_CHECK_PREVENTS, look_for_room, EDQUOT,
	  "your quota where the trace is to be is used up",
	  "remove files there, or name another place: -o DIR",
	  "your quota has room for a trace" },
	{ "memory-full", WEIR_CHECK_PREVENTS, look_at_memory, 0,
	  "there is no room in /dev/shm for the records on their way out",
	  "remove what is left there, or have it made larger (in a container: "
	  "--shm-size)",
	  "there is room in /dev/shm" },
	{ "memory-missing", WEIR_CHECK_PREVENTS, look_for_memory, 1,
	  "/dev/shm cannot be written, and without weir run there is no other "
	  "place",
	  "mount a tmpfs there, or use weir run", "/dev/shm can be written" },
	{ "memory-small", WEIR_CHECK_CUTS, look_at_memory, 1,
	  "there is less room in /dev/shm than a full --buffer: calls would be "
	  "dropped",
	  "use a smaller --buffer, or have /dev/shm made larger",
	  "there is room in /dev/shm for a full buffer" },
	{ "memory-aside", WEIR_CHECK_NOTE, look_for_memory, 0,
	  "/dev/shm cannot be written; records go by way of the trace's "
	  "directory, which may be slower",
	  "mount a tmpfs on /dev/shm", "/dev/shm can be written" },
	{ "memory-kind", WEIR_CHECK_NOTE, look_at_kind, 0,
	  "/dev/shm is not in memory, so recording is slower",
	  "mount a tmpfs there", "/dev/shm is in memory" },
	{ "place-little", WEIR_CHECK_NOTE, look_for_plenty, 0,
	  "there is little room for a trace; a long one would be cut",
	  "name another place: -o DIR, or bound it: --max-size",
	  "there is plenty of room for a trace" },
	{ "output-has-trace", WEIR_CHECK_NOTE, look_into_target, 1,
	  "the directory of WEIR_TRACE is not empty; the trace is added to it",
	  "remove it first, to have the new trace alone",
	  "the directory of WEIR_TRACE is empty" },
	{ 0 },
};
