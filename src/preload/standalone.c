/* SPDX-License-Identifier: BSD-3-Clause */
/* Records without the launcher: plain LD_PRELOAD and WEIR_TRACE. */
#include "preload/standalone.h"

#include "base/number.h"
#include "base/sys.h"
#include "capture/memory/control.h"
#include "gate/next.h"
#include "spec/real.h"
#include "trace/layout/ring_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#define NAME_TRIES 100

static int append_text(char *text, size_t room, const char *more)
{
	size_t used = strlen(text), len = strlen(more);

	if (used + len >= room)
		return -ENAMETOOLONG;
	memcpy(text + used, more, len + 1);
	return 0;
}

static void remove_live_directory(const char *path)
{
	char control[sizeof(((struct weir_standalone *)0)->live_directory) +
		     sizeof("/" WEIR_CONTROL_NAME)] = "";

	append_text(control, sizeof(control), path);
	append_text(control, sizeof(control), "/" WEIR_CONTROL_NAME);
	weir_sys3(SYS_unlinkat, AT_FDCWD, control, 0);
	weir_sys3(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

static int make_directory(const char *path)
{
	long err = weir_sys3(SYS_mkdirat, AT_FDCWD, path, 0700);

	return err == -EEXIST ? 0 : (int)err;
}

/* A size that no ring can have stands for the nearest that one can. */
static int read_ring(const char *size, struct weir_standalone_words *words)
{
	uint64_t bytes;
	int err = weir_number_parse_size(size, &bytes);

	if (err)
		return err;
	bytes = bytes < WEIR_RING_LEAST ? WEIR_RING_LEAST : bytes;
	words->ring_bytes = bytes > WEIR_RING_MOST ? WEIR_RING_MOST : bytes;
	words->manner = WEIR_MANNER_RING;
	return 0;
}

static int read_word(const char *word, struct weir_standalone_words *words)
{
	if (!strncmp(word, "ring=", 5))
		return read_ring(word + 5, words);
	if (!strcmp(word, "profile"))
		words->manner = WEIR_MANNER_PROFILE;
	else if (!strcmp(word, "backtrace"))
		words->manner |= WEIR_MANNER_SITES;
	else if (!strcmp(word, "pointers"))
		words->manner |= WEIR_MANNER_POINTERS;
	else if (!strcmp(word, "single-file"))
		words->flags |= WEIR_CONTROL_SINGLE;
	else if (!strcmp(word, "verify"))
		words->flags |= WEIR_CONTROL_DIGEST;
	else
		return weir_number_parse_size(word, &words->buffer_bytes);
	return 0;
}

/* From the last comma back, as long as they are words. */
size_t weir_standalone_split(const char *trace,
			     struct weir_standalone_words *ret_words)
{
	struct weir_standalone_words words = { 0 };
	size_t len = strlen(trace);
	char word[32];

	while (len) {
		size_t at = len - 1;

		while (at && trace[at] != ',')
			at--;
		if (!at || len - at - 1 >= sizeof(word))
			break;
		memcpy(word, trace + at + 1, len - at - 1);
		word[len - at - 1] = 0;
		if (read_word(word, &words))
			break;
		len = at;
	}
	if (words.manner != WEIR_MANNER_RING)
		words.flags &= ~WEIR_CONTROL_SINGLE;
	*ret_words = words;
	return len;
}

/* As the launcher's --all, --include, --exclude; other words are not ours. */
static void read_files(const char *files, struct weir_control_setup *setup)
{
	static char rules[WEIR_CONTROL_RULES];

	setup->rules = rules;
	while (files && *files) {
		size_t len = strcspn(files, ":");

		if (len == 3 && !strncmp(files, "all", 3))
			setup->flags |= WEIR_CONTROL_ALL;
		if (len > 1 && (*files == '+' || *files == '-') &&
		    setup->rules_bytes + len < sizeof(rules)) {
			memcpy(rules + setup->rules_bytes, files, len);
			rules[setup->rules_bytes + len] = 0;
			setup->rules_bytes += (uint32_t)len + 1;
		}
		files += len + (files[len] == ':');
	}
}

/* Whoever follows the link later finds the control file whole. */
static int make_control(const char *directory,
			const struct weir_standalone *alone)
{
	struct weir_control_setup setup = {
		.flags = alone->words.flags,
		.manner = alone->words.manner |
			  (alone->words.flags & WEIR_CONTROL_DIGEST
				   ? WEIR_MANNER_DIGEST
				   : 0),
		.ring_bytes = alone->words.ring_bytes,
	};
	int err;

	read_files(alone->files, &setup);
	err = weir_control_make(directory, &setup);
	if (err)
		remove_live_directory(directory);
	return err;
}

/* A name that nobody else can have made: unguessable, and made by us. */
static int make_live_directory(struct weir_standalone *alone)
{
	char *path = alone->live_directory;
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	uint8_t random[13];
	char name[] = "/dev/shm/weir-0000000000000";
	long err = -EEXIST;

	for (int n = 0; n < NAME_TRIES && err == -EEXIST; n++) {
		if (weir_sys3(SYS_getrandom, random, sizeof(random), 0) < 0)
			return -ENOSYS;
		for (size_t i = 0; i < sizeof(random); i++)
			name[sizeof("/dev/shm/weir-") - 1 + i] =
				letters[random[i] % 32];
		err = weir_sys3(SYS_mkdirat, AT_FDCWD, name, 0700);
	}
	path[0] = 0;
	if (!err)
		err = append_text(path, sizeof(alone->live_directory), name);
	return err ? (int)err : make_control(path, alone);
}

static int read_link(struct weir_standalone *alone)
{
	long n = weir_sys4(SYS_readlinkat, AT_FDCWD, alone->link,
			   alone->live_directory,
			   sizeof(alone->live_directory) - 1);

	if (n < 0)
		return (int)n;
	alone->live_directory[n] = 0;
	return 0;
}

/* The first process makes the live directory; a link tells it to all. */
static int find_live_directory(struct weir_standalone *alone)
{
	int err = read_link(alone);

	if (!err)
		return 0;
	err = make_live_directory(alone);
	if (err)
		return err;
	err = (int)weir_sys3(SYS_symlinkat, alone->live_directory, AT_FDCWD,
			     alone->link);
	if (!err)
		return 0;
	remove_live_directory(alone->live_directory);
	return err == -EEXIST ? read_link(alone) : err;
}

static int is_program(const char *path)
{
	return !weir_sys3(SYS_faccessat, AT_FDCWD, path, 1 /* X_OK */);
}

/* The tool beside the library: in a build tree, or ../bin of an install. */
static const char *find_tool(void)
{
	static const char *const places[] = { "/weir", "/../bin/weir",
					      "/../../bin/weir",
					      "/../../../bin/weir" };
	static char path[4096];
	const char *own = weir_next_own_name();
	char *slash;

	if (!own || strlen(own) > sizeof(path) - 64)
		return NULL;
	memcpy(path, own, strlen(own) + 1);
	slash = strrchr(path, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		memcpy(slash, places[i], strlen(places[i]) + 1);
		if (is_program(path))
			return path;
	}
	return NULL;
}

static int is_our_setting(const char *setting)
{
	return !strncmp(setting, "LD_PRELOAD=", 11) ||
	       !strncmp(setting, "WEIR_", 5);
}

/*
 * The tool detaches itself at once, so the process we wait for is short and
 * the application never sees a child it did not make.
 */
static void start_collector(struct weir_standalone *alone,
			    char *const *environment)
{
	static char *kept[1024];
	const char *tool = find_tool();
	char *argv[] = { "weir", "collect", alone->trace, NULL };
	int pid, status;
	size_t n = 0;

	if (!tool)
		return;
	for (; environment && *environment; environment++)
		if (!is_our_setting(*environment) && n < 1023)
			kept[n++] = *environment;
	kept[n] = NULL;
	if (weir_real.posix_spawn_at_GLIBC_2_15(&pid, tool, NULL, NULL, argv,
						kept))
		return;
	while (weir_sys4(SYS_wait4, pid, &status, 0, 0) == -EINTR)
		;
}

/* Once more, as it may be its absence that we have to tell. */
void weir_standalone_give_up(const struct weir_standalone *alone, int err)
{
	make_directory(alone->trace);
	weir_control_lose_process(alone->trace, err);
}

static int prepare_all(struct weir_standalone *alone, const char *trace,
		       size_t len, char *const *environment)
{
	char names[6][65]; /* struct utsname: the second is the host's */
	int made, err;

	if (!len || len >= sizeof(alone->trace))
		return -ENAMETOOLONG;
	memcpy(alone->trace, trace, len);
	alone->trace[len] = 0;
	made = make_directory(alone->trace);
	err = (int)weir_sys1(SYS_uname, names);
	if (err)
		return err;
	alone->link[0] = 0;
	append_text(alone->link, sizeof(alone->link), alone->trace);
	append_text(alone->link, sizeof(alone->link), "/");
	append_text(alone->link, sizeof(alone->link), names[1]);
	append_text(alone->link, sizeof(alone->link), ".live");
	err = find_live_directory(alone);
	if (err)
		return made ? made : err;
	start_collector(alone, environment);
	return 0;
}

/* Neither more nor less than the owner's rights, whatever the umask. */
int weir_standalone_prepare(struct weir_standalone *alone, const char *trace,
			    size_t len, char *const *environment)
{
	long theirs = weir_sys1(SYS_umask, 077);
	int err = prepare_all(alone, trace, len, environment);

	weir_sys1(SYS_umask, theirs);
	return err;
}
