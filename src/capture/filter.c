/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files are recorded: the rules of a trace, applied to names. */
#include "capture/filter.h"

#include "base/glob.h"
#include "capture/control.h"
#include "gate/fdmap.h"
#include "gate/gate.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define LONGEST WEIR_FILTER_LONGEST

/*
 * What a program reads because of the system or the language it is written
 * in; the first match decides. Names only: no link is followed.
 */
static const struct {
	const char *pattern;
	bool is_shown;
} defaults[] = {
	{ "socket:*", false },
	{ "anon_inode:*io_uring*", true }, /* operations on files */
	{ "anon_inode:*", false },
	{ "/dev/shm/mpich_shar_tmp*", false },
	{ "/dev/shm/open_mpi.*", false },
	{ "/dev/shm/ucx_shm_*", false },
	{ "/dev/shm/vader_segment.*", false },
	{ "/dev/shm/*", true },
	{ "/dev/*", false },
	{ "/proc", false },
	{ "/proc/*", false },
	{ "/sys", false },
	{ "/sys/*", false },
	{ "/lib/*", false },
	{ "/lib[0-9]*/*", false },
	{ "/usr/lib/*", false },
	{ "/usr/lib[0-9]*/*", false },
	{ "/usr/libexec/*", false },
	{ "/usr/local/lib/*", false },
	{ "/usr/local/lib[0-9]*/*", false },
	{ "/usr/share/*", false },
	{ "/usr/local/share/*", false },
	{ "/etc/ld.so.*", false },
	{ "/etc/localtime", false },
	{ "/etc/locale.alias", false },
	{ "/etc/nsswitch.conf", false },
	{ "/etc/libnl/*", false },
	{ "/etc/OpenCL/*", false },
	{ "/run/udev/*", false },
	{ "/tmp/ompi.*", false },
	{ "/etc/openmpi/*", false },
	{ "/etc/ucx/*", false },
	{ "*/.openmpi/*", false },
	{ "*/.pmix/*", false },
	{ "*/ucx.conf", false },
	{ "*/lib/python[0-9]*", false },
	{ "*/lib64/python[0-9]*", false },
	{ "*/__pycache__*", false },
	{ "*.pyc", false },
	{ "*/site-packages/*", false },
	{ "*/pyvenv.cfg", false },
	{ "*/lib/perl[0-9]*", false },
	{ "*/lib/ruby/*", false },
	{ "*/lib/jvm/*", false },
	{ "*/lib/R/*", false },
	{ "*/share/julia/*", false },
	{ "*/node_modules/*", false },
};

static const char *rules, *rules_end; /* each a string: + or -, a pattern */
static bool has_includes;
static bool shows_system;

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


static const char *next(const char *rule)
{
	return rule + strlen(rule) + 1;
}

void weir_filter_prepare(const char *cwd)
{
	uint32_t bytes;

	rules = weir_control_rules(&bytes);
	rules_end = rules + bytes;
	if (bytes && rules_end[-1])
		rules_end = rules; /* not as it should be: no rules */
	shows_system = weir_control->flags & WEIR_CONTROL_ALL;
	has_includes = false;
	for (const char *rule = rules; rule < rules_end; rule = next(rule))
		has_includes |= *rule == '+';
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
static bool join(char *to, const char *base, const char *path, size_t len)
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
	bool known = path && (*path == '/' || atomic_load(&cwd_known)) &&
		     join(cwd_names[!at], cwd_names[at], path, strlen(path));

	if (known)
		atomic_store(&cwd_at, !at);
	atomic_store(&cwd_known, known);
}

/* One of the rules of this kind. */
static bool matches_any(char kind, const char *path)
{
	for (const char *rule = rules; rule < rules_end; rule = next(rule))
		if (*rule == kind && weir_glob_matches_path(rule + 1, path))
			return true;
	return false;
}

static bool is_system(const char *path)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (weir_glob_matches(defaults[i].pattern, path))
			return !defaults[i].is_shown;
	return false;
}

/* What the user asks for is shown, whatever kind of file it is. */
static enum weir_filter_why judge(const char *path)
{
	if (matches_any('-', path))
		return WEIR_FILTER_RULE;
	if (matches_any('+', path))
		return WEIR_FILTER_SHOWN;
	if (!shows_system && is_system(path))
		return WEIR_FILTER_SYSTEM;
	return has_includes ? WEIR_FILTER_RULE : WEIR_FILTER_SHOWN;
}

static bool judges_nothing(void)
{
	return shows_system && rules == rules_end;
}

/*
 * Below a directory whose name is not at hand: as the directory itself,
 * unless a rule is about the last component.
 */
static enum weir_filter_why judge_below(const char *path, uint64_t entry)
{
	if (matches_any('-', path))
		return WEIR_FILTER_RULE;
	if (matches_any('+', path))
		return WEIR_FILTER_SHOWN;
	return weir_fdmap_why(entry);
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

enum weir_filter_why weir_filter_name(char *room, const char *path, size_t len,
				      int dirfd)
{
	bool relative = !len || *path != '/';

	if (judges_nothing())
		return WEIR_FILTER_SHOWN;
	if (relative && (dirfd != WEIR_GATE_AT_FDCWD ||
			 !atomic_load(&cwd_known))) {
		if (!join(room, "", path, len))
			return WEIR_FILTER_SHOWN;
		return is_root(weir_fdmap_handle(weir_fdmap_get(dirfd))) ?
			       judge(room) :
			       judge_below(room, weir_fdmap_get(dirfd));
	}
	if (!join(room, cwd_names[atomic_load(&cwd_at)], path, len))
		return WEIR_FILTER_SHOWN;
	return judge(room);
}

enum weir_filter_why weir_filter_target(const char *target)
{
	return judges_nothing() ? WEIR_FILTER_SHOWN : judge(target);
}
