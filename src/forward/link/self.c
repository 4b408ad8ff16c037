/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells who a thread is, in memory that processes share. */
#include "forward/link/self.h"

#include "base/append.h"
#include "base/sys.h"
#include "wire/session_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MOUNTS "/proc/self/ns/mnt"

/* In a thread that has never been here, no process is the right one. */
__thread struct weir_self weir_self = {.process = UINT32_MAX};
bool weir_self_may_spin;

static struct weir_self_page unwiped;
struct weir_self_page *weir_self_page = &unwiped;

/* The pid namespace in which the session was made; 0: no session yet. */
static uint64_t home;

/* What names of files meant at the beginning. */
static struct stat mounts, root;

static bool there_are_processors(void)
{
	unsigned char mask[1024];
	long bytes = weir_sys3(SYS_sched_getaffinity, 0, sizeof(mask), mask);
	int found = 0;

	for (long i = 0; i < bytes && found < 2; i++)
		found += __builtin_popcount(mask[i]);
	return found > 1;
}

static bool stat_name(const char *name, struct stat *ret_about)
{
	return !weir_sys4(SYS_newfstatat, AT_FDCWD, name, ret_about, 0);
}

static bool is_same_place(const char *name, const struct stat *before)
{
	struct stat now;

	return stat_name(name, &now) && now.st_ino == before->st_ino &&
	       now.st_dev == before->st_dev;
}

bool weir_self_has_moved(void)
{
	return !is_same_place(MOUNTS, &mounts) || !is_same_place("/", &root);
}

void weir_self_begin(void)
{
	long page = weir_sys6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	weir_self_may_spin = there_are_processors();
	stat_name(MOUNTS, &mounts);
	stat_name("/", &root);
	if (weir_sys_failed(page))
		return;
	if (weir_sys3(SYS_madvise, page, 4096, MADV_WIPEONFORK))
		weir_sys2(SYS_munmap, page, 4096);
	else
		weir_self_page = (struct weir_self_page *)page;
}

uint64_t weir_self_pid_namespace(void)
{
	struct stat about;

	return stat_name("/proc/self/ns/pid", &about) ? about.st_ino : 0;
}

void weir_self_settle(void)
{
	home = weir_self_pid_namespace();
}

void weir_self_forked(void)
{
	if (weir_self_page == &unwiped)
		memset(&unwiped, 0, sizeof(unwiped));
}

uint32_t weir_self_find(void)
{
	uint32_t nobody = 0, pid = (uint32_t)weir_sys0(SYS_getpid);
	uint32_t tid = (uint32_t)weir_sys0(SYS_gettid) & WEIR_SELF_TID;

	atomic_compare_exchange_strong(&weir_self_page->process, &nobody, pid);
	if (home && home != weir_self_pid_namespace())
		tid |= WEIR_SELF_FOREIGN;
	weir_self.owner = tid;
	memset(weir_self.chunks, 0, sizeof(weir_self.chunks));
	weir_self.vain = 0;
	weir_self.process = atomic_load(&weir_self_page->process);
	return tid;
}

/* One that has ended is still there for signals until it is waited for. */
static bool is_zombie(uint32_t tid)
{
	char path[48], text[512], *end;
	long fd, got;

	weir_append_text(
		weir_append_number(weir_append_text(path, "/proc/"), tid),
		"/stat");
	fd = weir_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	got = weir_sys3(SYS_read, fd, text, sizeof(text) - 1);
	weir_sys1(SYS_close, fd);
	text[got > 0 ? got : 0] = 0;
	end = strrchr(text, ')');
	return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

bool weir_self_has_ended(uint32_t owner)
{
	uint32_t tid = owner & WEIR_SELF_TID;

	if (!owner || owner == WEIR_SESSION_DAEMON ||
	    owner & WEIR_SELF_FOREIGN || weir_self_owner() & WEIR_SELF_FOREIGN)
		return false;
	return weir_sys2(SYS_kill, tid, 0) == -ESRCH || is_zombie(tid);
}
