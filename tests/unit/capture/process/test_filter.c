/* SPDX-License-Identifier: BSD-3-Clause */
/* Names are judged as if each rule were tried in turn on the whole path. */
#include "capture/process/filter.h"

#include "base/glob.h"
#include "capture/memory/control.h"
#include "gate/fdmap.h"
#include "gate/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIRECTORY 7 /* a descriptor whose name is not known */

static struct weir_control page;
struct weir_control *weir_control = &page;
static unsigned seed = 3;
static char cwd[64];

static const char *pick(const char *const *from, size_t count)
{
	return from[(size_t)rand_r(&seed) % count];
}

/* What the rules are about, and what comes near to it. */
static const char *random_part(void)
{
	static const char *const parts[] = {
		"dev",
		"shm",
		"mpich_shar_tmp1",
		"ucx_shm_",
		"shma",
		"proc",
		"self",
		"sys",
		"lib",
		"lib64",
		"lib32x",
		"usr",
		"libexec",
		"local",
		"share",
		"etc",
		"ld.so.cache",
		"localtime",
		"run",
		"udev",
		"tmp",
		"ompi.a",
		"openmpi",
		".openmpi",
		".pmix",
		"ucx.conf",
		"python3.11",
		"python",
		"__pycache__",
		"a.pyc",
		"site-packages",
		"pyvenv.cfg",
		"perl5",
		"ruby",
		"jvm",
		"R",
		"julia",
		"node_modules",
		"data",
		"data.h5",
		"x",
		".",
		"..",
		"",
		"...",
		".x",
		"socket:[1]",
		"anon_inode:[io_uring]",
		"a.log",
	};

	return pick(parts, sizeof(parts) / sizeof(*parts));
}

static void random_path(char *to, size_t room)
{
	int count = rand_r(&seed) % 7;

	to[0] = 0;
	for (int i = 0; i < count; i++) {
		if (i || rand_r(&seed) % 3)
			strncat(to, "/", room - strlen(to) - 1);
		strncat(to, random_part(), room - strlen(to) - 1);
	}
}

static void random_rules(void)
{
	static const char *const patterns[] = {
		"*.h5",	    "*.log", "/data/*", "/dev/*", "*/lib/*",
		"data*",    "x",     "?",	"[a-d]*", "*python*",
		"/usr/lib", "\\x",   "*/.x/*",	"/",
	};
	int count = rand_r(&seed) % 4;
	char *at = page.rules;

	for (int i = 0; i < count; i++)
		at += sprintf(at, "%c%s", rand_r(&seed) % 2 ? '+' : '-',
			      pick(patterns,
				   sizeof(patterns) / sizeof(*patterns))) +
		      1;
	page.rules_bytes = (uint32_t)(at - page.rules);
	page.flags = rand_r(&seed) % 4 ? 0 : WEIR_CONTROL_ALL;
}

/* No pattern has a + in it. */
static bool has_includes(void)
{
	return memchr(page.rules, '+', page.rules_bytes);
}

static bool matches_any(char kind, const char *path)
{
	const char *end = page.rules + page.rules_bytes;

	for (const char *rule = page.rules; rule < end;
	     rule += strlen(rule) + 1)
		if (*rule == kind && weir_glob_matches_path(rule + 1, path))
			return true;
	return false;
}

static bool is_system(const char *path)
{
	const char *const *rule = weir_filter_defaults;

	while (*rule && !weir_glob_matches(*rule + 1, path))
		rule++;
	return *rule && **rule == '-';
}

/* One after the other, each on the whole path. */
static enum weir_filter_why judge(const char *path)
{
	if (matches_any('-', path))
		return WEIR_FILTER_RULE;
	if (matches_any('+', path))
		return WEIR_FILTER_SHOWN;
	if (!(page.flags & WEIR_CONTROL_ALL) && is_system(path))
		return WEIR_FILTER_SYSTEM;
	return has_includes() ? WEIR_FILTER_RULE : WEIR_FILTER_SHOWN;
}

/* Part by part, as its words say. */
static void tidy(char *to, const char *base, const char *path)
{
	char copy[1024], *part, *rest = copy;

	strcpy(to, *path == '/' ? "" : base);
	strcpy(copy, path);
	while ((part = strsep(&rest, "/"))) {
		char *slash = strrchr(to, '/');

		if (!strcmp(part, "..") && slash)
			*slash = 0;
		else if (*part && strcmp(part, ".") && strcmp(part, ".."))
			strcat(strcat(to, "/"), part);
	}
}

static enum weir_filter_why judge_name(const char *path, int dirfd)
{
	bool is_below = *path != '/' && (dirfd == DIRECTORY || !*cwd);
	char whole[2048];

	if (page.flags & WEIR_CONTROL_ALL && !page.rules_bytes)
		return WEIR_FILTER_SHOWN;
	tidy(whole, is_below || !strcmp(cwd, "/") ? "" : cwd, path);
	if (!is_below)
		return judge(whole);
	if (matches_any('-', whole))
		return WEIR_FILTER_RULE;
	if (matches_any('+', whole))
		return WEIR_FILTER_SHOWN;
	return weir_fdmap_why(weir_fdmap_get(dirfd));
}

static void prepare(void)
{
	static const char *const places[] = {
		"", "/", "/data/x", "/usr/lib", "/tmp",
	};

	random_rules();
	strcpy(cwd, pick(places, sizeof(places) / sizeof(*places)));
	weir_filter_prepare(*cwd ? cwd : NULL);
	weir_fdmap_set(DIRECTORY, weir_fdmap_hide(weir_fdmap_entry(9, 0, false),
						  (uint32_t)rand_r(&seed) % 3));
}

static void same(const char *path, enum weir_filter_why why,
		 enum weir_filter_why wanted)
{
	if (why != wanted)
		fail_msg("'%s' in '%s': %u, not %u; first of %u bytes of "
			 "rules: '%s'",
			 path, cwd, why, wanted, page.rules_bytes, page.rules);
}

static void judges_as_rules_in_turn(void **state)
{
	static char room[WEIR_FILTER_LONGEST];
	unsigned counts[4] = { 0 };

	for (int i = 0; i < 60000; i++) {
		int dirfd = rand_r(&seed) % 2 ? DIRECTORY : WEIR_GATE_AT_FDCWD;
		char path[128];
		enum weir_filter_why why;

		if (i % 32 == 0)
			prepare();
		random_path(path, sizeof(path));
		why = weir_filter_name(room, path, strlen(path), dirfd);
		same(path, why, judge_name(path, dirfd));
		same(path, weir_filter_target(path), judge(path));
		counts[why]++;
	}
	for (int i = WEIR_FILTER_SHOWN; i <= WEIR_FILTER_RULE; i++)
		assert_true(counts[i] > 2000);
}

/* Each default, filled in, and with a byte less. */
static void defaults_are_applied(void **state)
{
	static char room[WEIR_FILTER_LONGEST];

	page = (struct weir_control){ 0 };
	strcpy(cwd, "/");
	weir_filter_prepare(cwd);
	for (const char *const *rule = weir_filter_defaults; *rule; rule++) {
		char path[64];
		size_t n = 0;

		for (const char *p = *rule + 1; *p; p++)
			if (*p != '[' && *p != ']' && strncmp(p, "-9]", 3))
				path[n++] = *p == '*' ? 'x' : *p;
		for (; n; n--) {
			path[n] = 0;
			assert_int_equal(weir_filter_target(path), judge(path));
			assert_int_equal(weir_filter_name(room, path, n,
							  WEIR_GATE_AT_FDCWD),
					 judge_name(path, WEIR_GATE_AT_FDCWD));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_as_rules_in_turn),
		cmocka_unit_test(defaults_are_applied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
