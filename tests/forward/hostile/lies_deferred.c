/* SPDX-License-Identifier: BSD-3-Clause */
/* Files to be created later, where there is nothing, by nobody, or too many. */
#include "deferred.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define AGE UINT64_C(4000000000) /* ns; older ones are created by themselves */

static void must_refuse(struct deferred *deferred, const char *what, int parent,
			const char *path)
{
	struct deferred other = *deferred;

	other.parent = parent;
	if (!deferred_try(&other, path, O_RDWR | O_CREAT) ||
	    !talk_unlink_deferred(&deferred->talk, talk_random(), parent,
				  path)) {
		printf("%s\n", what);
		talk_fail("holds a file", parent);
	}
}

static void try_no_directories(struct liar *liar, struct deferred *deferred)
{
	int ends[2];

	if (pipe(ends))
		talk_fail("no pipe", errno);
	must_refuse(deferred, "nothing", -1, "/a/name");
	must_refuse(deferred, "an end of a pipe", ends[0], "/a/name");
	must_refuse(deferred, "a file", open(liar->victim, O_PATH), "/a/name");
	must_refuse(deferred, "a device", open("/dev/zero", O_RDWR), "/a/name");
	must_refuse(deferred, "memory", deferred->talk.memory, "/a/name");
	must_refuse(deferred, "what the kernel tells", open("/proc", O_PATH),
		    "/proc/name");
	if (!talk_materialise(&deferred->talk, 0, -1, "/a/name") ||
	    !talk_materialise(&deferred->talk, 1, ends[1], ""))
		talk_fail("what is in nothing was created", 0);
}

static void try_no_names(struct deferred *deferred)
{
	static const char *const names[] = { "",  "/",	  ".",	  "..",
					     "a/", "a/.", "a/..", "/.." };
	static char name[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		must_refuse(deferred, names[i], deferred->parent, names[i]);
	memset(name, 'n', 4095);
	must_refuse(deferred, "a long name", deferred->parent, name);
	name[256] = 0;
	must_refuse(deferred, "a name that is too long", deferred->parent,
		    name);
}

/* Whatever is before the name, it is in the directory that came along. */
static void try_odd_names(struct deferred *deferred)
{
	static char name[4096];
	static const char *const paths[] = {
		"../../evil",	"/../evil-2",	   "\1\n\t\x7f\xff\xc0\"\\{",
		"a//b/\xed\xa0\x80", "-rf", "%s%n%n", name,
	};
	struct stat status;

	memset(name, '/', 4095);
	memset(name + 3840, 'n', 255);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const char *slash = strrchr(paths[i], '/');

		deferred_make(deferred, paths[i]);
		if (talk_materialise(&deferred->talk, 0, deferred->parent,
				     paths[i]) ||
		    fstatat(deferred->parent, slash ? slash + 1 : paths[i],
			    &status, AT_SYMLINK_NOFOLLOW))
			talk_fail("an odd name was not created", (long)i);
		deferred_close(deferred);
	}
}

/* How the daemon tells what it could not store. */
static int ask_for_errors(struct deferred *deferred)
{
	unsigned char room[WEIR_FRAME_SMALL];
	int64_t size = weir_frame_put_errors(room, sizeof(room), NULL, NULL, 0);

	return talk_ask(deferred->talk.place, room, (size_t)size, NULL, 0);
}

/* They cannot be created, until nobody wants them any more. */
static void try_lost_places(struct deferred *deferred)
{
	struct deferred lost = *deferred;
	int fd;

	if (mkdirat(deferred->parent, "lost", 0700))
		talk_fail("no directory", errno);
	lost.parent = openat(deferred->parent, "lost", O_PATH | O_CLOEXEC);
	deferred_make(&lost, "in \"lost\"\n\xff");
	unlinkat(deferred->parent, "lost", AT_REMOVEDIR);
	must_refuse(deferred, "a lost directory", lost.parent, "another");
	if (!talk_fetch(&lost.talk, lost.open, false, &fd) ||
	    !talk_materialise(&lost.talk, 1, lost.parent, ""))
		talk_fail("was created in a directory that is gone", 0);
	if (ask_for_errors(deferred))
		talk_fail("what could not be stored is not told", 0);
	if (talk_unlink_deferred(&lost.talk, 7, lost.parent,
				 "in \"lost\"\n\xff"))
		talk_fail("cannot be removed from a lost directory", 0);
	deferred_close(&lost);
	close(lost.parent);
}

void lie_deferred_parents(struct liar *liar)
{
	struct deferred deferred;

	deferred_begin(&deferred, liar);
	try_no_directories(liar, &deferred);
	try_no_names(&deferred);
	try_odd_names(&deferred);
	try_lost_places(&deferred);
	talk_still_answers(&deferred.talk);
}

static void try_tokens(struct deferred *deferred)
{
	struct weir_op_attach_out own = deferred->talk.welcome;

	for (uint32_t i = 0; i < 100; i++) {
		uint64_t bit = UINT64_C(1) << i % 64;
		struct weir_op_attach_out *told = &deferred->talk.welcome;
		int fd;

		*told = own;
		if (i % 3 == 0)
			told->token0 ^= bit;
		if (i % 3 == 1)
			told->token1 ^= bit;
		if (i % 3 == 2)
			told->session ^= (uint32_t)(talk_odd() | 1);
		if (!deferred_try(deferred, "token", O_RDWR | O_CREAT) ||
		    !talk_fetch(&deferred->talk, 0, i & 1, &fd))
			talk_fail("believed another session", (long)i);
	}
	deferred->talk.welcome = own;
}

/* A user, a group, and what it is to be: whatever they say. */
static void try_odd_requests(struct deferred *deferred)
{
	for (uint32_t i = 0; i < 300; i++) {
		struct weir_op_create_deferred_in in = {
			.nonce = i % 2 ? 0 : talk_odd(),
			.cid = talk_odd(),
			.flags = (uint32_t)talk_odd() | (i % 3 ? O_CREAT : 0),
			.mode = (uint32_t)talk_odd(),
			.user = i % 4 == 3 ? (uint32_t)talk_odd() : geteuid(),
			.group = i % 5 == 4 ? (uint32_t)talk_odd() : getegid(),
		};
		struct weir_op_create_deferred_out out;
		char name[16];

		snprintf(name, sizeof(name), "odd-%u", i % 40);
		if (talk_create_deferred(&deferred->talk, &in, deferred->parent,
					 name, &out, &deferred->memory))
			continue;
		if ((in.user != geteuid() || in.group != getegid()) && i < 40)
			talk_fail("created for somebody else", (long)i);
		deferred->open = out.open;
		deferred_close(deferred);
	}
	for (uint32_t i = 0; i < 20; i++)
		if (!talk_materialise(&deferred->talk,
				      3 + (uint32_t)talk_random() % 99,
				      deferred->parent, "odd-1"))
			talk_fail("was created in no known way", (long)i);
	if (talk_materialise(&deferred->talk, 1, deferred->parent, ""))
		talk_fail("some could not be created", 0);
}

/* As the kernel does it, with all its bits. */
static void try_mode(struct deferred *deferred)
{
	struct weir_op_create_deferred_in in = {.flags = O_RDONLY | O_CREAT,
						.mode = UINT32_MAX,
						.user = geteuid(),
						.group = getegid()};
	struct weir_op_create_deferred_out out;
	struct stat status;

	if (talk_create_deferred(&deferred->talk, &in, deferred->parent, "mode",
				 &out, &deferred->memory) ||
	    talk_materialise(&deferred->talk, 0, deferred->parent, "mode") ||
	    fstatat(deferred->parent, "mode", &status, 0))
		talk_fail("one of any mode was not created", 0);
	if (status.st_mode != (S_IFREG | 07777) || status.st_uid != geteuid())
		talk_fail("another mode", (long)status.st_mode);
	deferred->open = out.open;
	deferred_close(deferred);
}

/* The same call once more is the same, another one is not. */
static void try_nonces(struct deferred *deferred)
{
	struct weir_op_create_deferred_in in = {.nonce = 42,
						.flags = O_RDWR | O_CREAT |
							 O_EXCL,
						.mode = 0600,
						.user = geteuid(),
						.group = getegid()};
	struct weir_op_create_deferred_out out;
	int memory, ret = 0;

	for (int i = 0; i < 50 && !ret; i++) {
		ret = talk_create_deferred(&deferred->talk, &in,
					   deferred->parent, "nonce", &out,
					   &memory);
		close(memory);
	}
	in.nonce++;
	if (ret || talk_create_deferred(&deferred->talk, &in, deferred->parent,
					"nonce", &out, &memory) != -EEXIST)
		talk_fail("nonces are confused", ret);
	if (talk_unlink_deferred(&deferred->talk, 43, deferred->parent,
				 "nonce") ||
	    talk_unlink_deferred(&deferred->talk, 43, deferred->parent,
				 "nonce") ||
	    talk_unlink_deferred(&deferred->talk, 0, deferred->parent,
				 "nonce") != -ESTALE ||
	    talk_unlink_deferred(&deferred->talk, 44, deferred->parent,
				 "nonce") != -ESTALE)
		talk_fail("nonces of removals are confused", 0);
}

void lie_deferred_tokens(struct liar *liar)
{
	struct deferred deferred;

	deferred_begin(&deferred, liar);
	try_tokens(&deferred);
	try_odd_requests(&deferred);
	try_mode(&deferred);
	try_nonces(&deferred);
	talk_still_answers(&deferred.talk);
}

/* Names as long as there is room; whether there was an end of it. Nobody
 * closes them, and few hold anything: much would be created soon. */
static bool fill_the_room(struct liar *liar, int who)
{
	struct deferred deferred;
	char name[32];
	int ret = 0;

	deferred_begin(&deferred, liar);
	for (int i = 0; i < (int)WEIR_BOARD_DEFERRED && !ret; i++) {
		snprintf(name, sizeof(name), "%d-%d", who, i);
		ret = deferred_try(&deferred, name, O_RDWR | O_CREAT | O_EXCL);
		if (!ret && i % 8 == 0 && write(deferred.memory, name, 3) != 3)
			talk_fail("no memory", errno);
		close(deferred.memory);
	}
	if (ret && ret != -ESTALE)
		talk_fail("too many are answered wrongly", ret);
	return ret;
}

static int count_names(struct deferred *own)
{
	char name[32];
	int count = 0;

	for (int who = 0; who < 3; who++)
		for (int i = 0; i < (int)WEIR_BOARD_DEFERRED; i++) {
			snprintf(name, sizeof(name), "%d-%d", who, i);
			count += !faccessat(own->parent, name, F_OK, 0);
		}
	return count;
}

/* More than there is room for, of programs that end at once. */
void lie_deferred_many(struct liar *liar)
{
	uint64_t start = talk_now();
	_Atomic int *ends = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct deferred own;

	if (ends == MAP_FAILED)
		talk_fail("no page", errno);
	deferred_begin(&own, liar);
	for (int who = 0; who < 3; who++)
		if (!fork()) {
			*ends += fill_the_room(liar, who);
			raise(SIGKILL);
		}
	while (waitpid(-1, NULL, 0) > 0)
		;
	if (!*ends && talk_now() - start < AGE)
		talk_fail("there is no end of them", 0);
	if (talk_materialise(&own.talk, 1, own.parent, ""))
		talk_fail("some could not be created", 0);
	if (count_names(&own) < (int)WEIR_BOARD_DEFERRED - 100)
		talk_fail("some of them are lost", count_names(&own));
	talk_still_answers(&own.talk);
}
