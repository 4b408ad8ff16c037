/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which files are recorded, by the rules of the trace. */
#include "capture/process/filter.h"

#include "base/globset.h"
#include "capture/memory/control.h"
#include "gate/fdmap.h"
#include "gate/gate.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define LONGEST WEIR_FILTER_LONGEST

/*
 * What a program reads because of the system or the language it is written
 * in: + is recorded, - is not. Names only: no link is followed.
 */
const char *const weir_filter_defaults[] = {
	"-socket:*",
	"+anon_inode:*io_uring*", /* operations on files */
	"-anon_inode:*",
	"-/dev/shm/mpich_shar_tmp*",
	"-/dev/shm/open_mpi.*",
	"-/dev/shm/ucx_shm_*",
	"-/dev/shm/vader_segment.*",
	"+/dev/shm/*",
	"-/dev/*",
	"-/proc",
	"-/proc/*",
	"-/sys",
	"-/sys/*",
	"-/lib/*",
	"-/lib[0-9]*/*",
	"-/usr/lib/*",
	"-/usr/lib[0-9]*/*",
	"-/usr/libexec/*",
	"-/usr/local/lib/*",
	"-/usr/local/lib[0-9]*/*",
	"-/usr/share/*",
	"-/usr/local/share/*",
	"-/etc/ld.so.*",
	"-/etc/localtime",
	"-/etc/locale.alias",
	"-/etc/nsswitch.conf",
	"-/etc/libnl/*",
	"-/etc/OpenCL/*",
	"-/run/udev/*",
	"-/tmp/ompi.*",
	"-/etc/openmpi/*",
	"-/etc/ucx/*",
	"-*/.openmpi/*",
	"-*/.pmix/*",
	"-*/ucx.conf",
	"-*/lib/python[0-9]*",
	"-*/lib64/python[0-9]*",
	"-*/__pycache__*",
	"-*.pyc",
	"-*/site-packages/*",
	"-*/pyvenv.cfg",
	"-*/lib/perl[0-9]*",
	"-*/lib/ruby/*",
	"-*/lib/jvm/*",
	"-*/lib/R/*",
	"-*/share/julia/*",
	"-*/node_modules/*",
	NULL,
};

/* In paths that are not as join_path() leaves them. */
static const char *const untidy[] = {
	"*//*", "*/./*", "*/../*", "*/", "*/.", "*/..", NULL,
};

/* Two tries of each that the control file has room for, and of ours. */
#define RULES (WEIR_CONTROL_RULES / 2 + 64)

/*
 * All that decides, in its order: untidy paths, what the user excludes and
 * includes, the defaults. Numbers below `*_end` are of that kind.
 */
static struct weir_globset_try tries[RULES * 2];
static struct weir_globset patterns;
static int untidy_end, excluded_end, included_end;
static bool are_shown[RULES]; /* by number, from included_end on */
static bool judges;	      /* there are rules at all */
static bool has_includes;

/*
 * The working directory's name, in one of two places: who reads while it
 * changes sees the old or the new one; after two changes in that time a file
 * may be judged by a wrong name.
 */
static char cwd_names[2][LONGEST];
static _Atomic uint32_t cwd_at;
static _Atomic bool cwd_known;

/* Handles of "/"; of more than a few, the last ones. */
#define ROOTS 8
static _Atomic uint32_t roots[ROOTS], root_count;

/* The user's rules of a kind, + or -: strings one after the other. */
static int add_rules(char kind)
{
	uint32_t bytes;
	const char *rule = weir_control_rules(&bytes);
	const char *end = rule + bytes;

	if (bytes && end[-1])
		end = rule; /* not as it should be: no rules */
	for (; rule < end; rule += strlen(rule) + 1)
		if (*rule == kind)
			weir_globset_add(&patterns, rule + 1, true);
	return patterns.patterns;
}

static void add_defaults(void)
{
	for (const char *const *rule = weir_filter_defaults; *rule; rule++) {
		are_shown[patterns.patterns] = **rule == '+';
		weir_globset_add(&patterns, *rule + 1, false);
	}
}

void weir_filter_prepare(const char *cwd)
{
	memset(&patterns, 0, sizeof(patterns));
	patterns.tries = tries;
	patterns.room = sizeof(tries) / sizeof(*tries);
	for (const char *const *rule = untidy; *rule; rule++)
		weir_globset_add(&patterns, *rule, false);
	untidy_end = patterns.patterns;
	excluded_end = add_rules('-');
	included_end = add_rules('+');
	has_includes = included_end > excluded_end;
	if (!(weir_control->flags & WEIR_CONTROL_ALL))
		add_defaults();
	judges = patterns.patterns > untidy_end;
	weir_filter_move(NULL);
	weir_filter_move(cwd);
}

static size_t step_up(const char *to, size_t used)
{
	while (used && to[--used] != '/')
		;
	return used;
}

/*
 * base/path without . and .., in `to`; false: it does not fit. A path of no
 * length may point nowhere.
 */
static bool join_path(char *to, const char *base, const char *path, size_t len)
{
	size_t used = len && *path == '/' ? 0 : strlen(base);
	const char *end = path + len;

	if (used + len + 2 > LONGEST)
		return false;
	memmove(to, base, used);
	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t part = (size_t)((slash ? slash : end) - path);

		if (part == 2 && path[0] == '.' && path[1] == '.') {
			used = step_up(to, used);
		} else if (part && !(part == 1 && *path == '.')) {
			if (!used || to[used - 1] != '/')
				to[used++] = '/';
			memcpy(to + used, path, part);
			used += part;
		}
		path += part + 1;
	}
	to[used] = 0;
	return true;
}

void weir_filter_move(const char *path)
{
	uint32_t at = atomic_load(&cwd_at);
	bool known =
		path && (*path == '/' || atomic_load(&cwd_known)) &&
		join_path(cwd_names[!at], cwd_names[at], path, strlen(path));

	if (known)
		atomic_store(&cwd_at, !at);
	atomic_store(&cwd_known, known);
}

/*
 * What the user asks for is shown, whatever kind of file it is. `number` is
 * that of the first pattern that matches.
 */
static enum weir_filter_why verdict(int number)
{
	if (number >= 0 && number < excluded_end)
		return WEIR_FILTER_RULE;
	if (number >= 0 && number < included_end)
		return WEIR_FILTER_SHOWN;
	if (number >= 0 && !are_shown[number])
		return WEIR_FILTER_SYSTEM;
	return has_includes ? WEIR_FILTER_RULE : WEIR_FILTER_SHOWN;
}

void weir_filter_root(uint32_t handle)
{
	uint32_t at = atomic_fetch_add(&root_count, 1) % ROOTS;

	atomic_store(&roots[at], handle);
}

static bool is_root(uint32_t handle)
{
	for (uint32_t i = 0; handle && i < ROOTS; i++)
		if (atomic_load_explicit(&roots[i], memory_order_relaxed) ==
		    handle)
			return true;
	return false;
}

/* base/path as it stands, in `to`, which has the room. */
static size_t put_behind(char *to, const char *base, const char *path,
			 size_t len)
{
	size_t used = strlen(base);

	memcpy(to, base, used);
	to[used++] = '/';
	memcpy(to + used, path, len);
	return used + len;
}

/*
 * The first pattern that matches base/path; an absolute path is looked at
 * where it is. False: it does not fit into `room`.
 */
static bool look_up(char *room, const char *base, const char *path, size_t len,
		    int *ret_number)
{
	bool is_whole = len && *path == '/';
	const char *text = is_whole ? path : room;
	size_t bytes = len;

	if ((is_whole ? 0 : strlen(base)) + len + 2 > LONGEST)
		return false;
	if (!is_whole)
		bytes = put_behind(room, base, path, len);
	*ret_number = weir_globset_find(&patterns, text, bytes, 0);
	if (*ret_number < 0 || *ret_number >= untidy_end)
		return true;
	join_path(room, base, path, len);
	*ret_number =
		weir_globset_find(&patterns, room, strlen(room), untidy_end);
	return true;
}

/*
 * Below a directory whose name is not at hand: as the directory itself,
 * unless a rule is about the last component.
 */
static enum weir_filter_why verdict_below(int number, int dirfd)
{
	uint64_t entry = weir_fdmap_get(dirfd);

	if ((number >= 0 && number < included_end) ||
	    is_root(weir_fdmap_handle(entry)))
		return verdict(number);
	return weir_fdmap_why(entry);
}

enum weir_filter_why weir_filter_name(char *room, const char *path, size_t len,
				      int dirfd)
{
	bool is_below =
		(!len || *path != '/') &&
		(dirfd != WEIR_GATE_AT_FDCWD || !atomic_load(&cwd_known));
	int number;

	if (!judges ||
	    !look_up(room, is_below ? "" : cwd_names[atomic_load(&cwd_at)],
		     path, len, &number))
		return WEIR_FILTER_SHOWN;
	return is_below ? verdict_below(number, dirfd) : verdict(number);
}

enum weir_filter_why weir_filter_target(const char *target)
{
	if (!judges)
		return WEIR_FILTER_SHOWN;
	return verdict(weir_globset_find(&patterns, target, strlen(target),
					 untidy_end));
}
