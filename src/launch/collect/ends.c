/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out how recorded processes ended. */
#include "launch/collect/ends.h"

#include "base/clock.h"
#include "base/grow.h"
#include "trace/facts/procend.h"
#include "trace/facts/procstat.h"
#include "trace/facts/props.h"
#include "trace/file/store.h"
#include "trace/layout/control_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SOME	   16
#define MOST_TEXTS 4096 /* of processes whose end we may still learn */
#define NOTE_LIVES UINT64_C(10000000000) /* ns; then its number is another's   \
					  */
#define LAST_WAIT 20			 /* ms, in all */

struct weir_ends_process {
	uint32_t pid;
	uint32_t image;	 /* the latest */
	uint32_t number; /* in the file, of the image that `told` tells of */
	int fd;		 /* -1: the kernel tells nothing more */
	uint64_t start;
	struct weir_procend end;
	struct weir_props told; /* its last block so far; no text: none */
	bool exited;		/* as that tells */
	unsigned looks;		/* since then */
};

/* As <linux/pidfd.h> has it, where that is new enough. */
struct pidfd_info {
	uint64_t mask, cgroup;
	uint32_t ids[11];
	int32_t status;
};

#define PIDFD_INFO_EXIT	     8
#define PIDFD_GET_INFO	     _IOWR(0xff, 11, struct pidfd_info)
#define NO_SUCH_REQUEST(err) ((err) == ENOTTY || (err) == EINVAL)

static int ask_kernel(int fd, struct pidfd_info *ret_info)
{
	*ret_info = (struct pidfd_info){ .mask = PIDFD_INFO_EXIT };
	return ioctl(fd, PIDFD_GET_INFO, ret_info) ? -errno : 0;
}

static int open_process(uint32_t pid)
{
	return (int)syscall(SYS_pidfd_open, (long)pid, 0L);
}

/* Of ourselves nothing is known yet, but the question is. */
static bool kernel_forgets(void)
{
	int fd = open_process((uint32_t)getpid());
	struct pidfd_info info;
	int err = fd < 0 ? -ENOSYS : ask_kernel(fd, &info);

	if (fd >= 0)
		close(fd);
	return err && NO_SUCH_REQUEST(-err);
}

void weir_ends_open(struct weir_ends *ends, int control_fd)
{
	struct rlimit limit = { 0 };
	void *page = MAP_FAILED;

	memset(ends, 0, sizeof(*ends));
	if (control_fd >= 0)
		page = mmap(NULL, WEIR_CONTROL_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, control_fd, 0);
	ends->control = page == MAP_FAILED ? NULL : page;
	ends->queue_fd = epoll_create1(EPOLL_CLOEXEC);
	ends->hurries = kernel_forgets();
	/* Most descriptors are for live files. */
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		ends->most_open = limit.rlim_cur / 4;
}

static void close_process(struct weir_ends *ends, struct weir_ends_process *one)
{
	if (one->fd >= 0) {
		close(one->fd);
		ends->open--;
	}
	one->fd = -1;
}

static void forget_told(struct weir_ends_process *one)
{
	weir_props_fini(&one->told);
	weir_props_init(&one->told);
}

static void remove_process(struct weir_ends *ends, size_t i)
{
	close_process(ends, &ends->processes[i]);
	forget_told(&ends->processes[i]);
	memmove(&ends->processes[i], &ends->processes[i + 1],
		(ends->count - i - 1) * sizeof(*ends->processes));
	ends->count--;
}

void weir_ends_close(struct weir_ends *ends)
{
	while (ends->count)
		remove_process(ends, ends->count - 1);
	free(ends->processes);
	if (ends->control)
		munmap(ends->control, WEIR_CONTROL_BYTES);
	if (ends->queue_fd >= 0)
		close(ends->queue_fd);
	ends->control = NULL;
	ends->queue_fd = -1;
}

int weir_ends_hurry_fd(const struct weir_ends *ends)
{
	return ends->hurries ? ends->queue_fd : -1;
}

/* The latest of that number; `start` 0: whenever it began. */
static struct weir_ends_process *find_process(struct weir_ends *ends,
					      uint32_t pid, uint64_t start)
{
	for (size_t i = ends->count; i--;) {
		struct weir_ends_process *one = &ends->processes[i];

		if (one->pid == pid && (!start || one->start == start))
			return one;
	}
	return NULL;
}

/* Opened by its number: it may have ended, and another have that by now. */
static void watch_process(struct weir_ends *ends, struct weir_ends_process *one)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = one->pid };

	if (ends->queue_fd < 0 || ends->open >= ends->most_open)
		return;
	one->fd = open_process(one->pid);
	if (one->fd < 0)
		return;
	ends->open++;
	if (weir_procstat_start(one->pid) != one->start ||
	    epoll_ctl(ends->queue_fd, EPOLL_CTL_ADD, one->fd, &event))
		close_process(ends, one);
}

/* Who ended long ago, and nobody told how, is not waited for for ever. */
static void limit_texts(struct weir_ends *ends)
{
	for (size_t i = 0; ends->count > MOST_TEXTS && i < ends->count; i++) {
		if (ends->processes[i].told.text && ends->processes[i].fd < 0) {
			remove_process(ends, i);
			return;
		}
	}
}

/* One of an earlier block gives way: of a repeated key the last counts. */
static int put_end(struct weir_store *store, uint32_t number,
		   struct weir_props *told, struct weir_procend end)
{
	int err = weir_procend_put(&end, told);

	return err ?: weir_salvage_put_told(store, number, told);
}

/* The program before this one was told of, and nothing of its end. */
static int tell_exec(struct weir_ends_process *one, struct weir_store *store)
{
	const struct weir_procend exec = { WEIR_PROCEND_EXEC, 0 };
	int err = put_end(store, one->number, &one->told, exec);

	forget_told(one);
	return err;
}

int weir_ends_meet(struct weir_ends *ends, const struct weir_live *about,
		   uint32_t image, struct weir_store *store)
{
	struct weir_ends_process *one =
		find_process(ends, about->pid, about->process_start);

	if (one) {
		one->image = image;
		return one->told.text ? tell_exec(one, store) : 0;
	}
	limit_texts(ends);
	if (WEIR_GROW(ends->processes, ends->count, ends->room))
		return 0;
	one = &ends->processes[ends->count++];
	*one = (struct weir_ends_process){ .pid = about->pid,
					   .image = image,
					   .start = about->process_start,
					   .fd = -1 };
	watch_process(ends, one);
	return 0;
}

/* What the kernel knows of a process that has ended. */
static void learn_end(struct weir_ends *ends, struct weir_ends_process *one)
{
	struct pidfd_info info;
	int status;

	if (!ask_kernel(one->fd, &info) && info.mask & PIDFD_INFO_EXIT)
		one->end = weir_procend_of(info.status);
	else if (weir_procstat_look(one->pid, one->start, &status) ==
		 WEIR_PROCSTAT_ENDED)
		one->end = weir_procend_of(status);
	else if (ends->hurries)
		close_process(ends, one); /* too late */
	if (one->end.how != WEIR_PROCEND_UNTOLD)
		close_process(ends, one);
}

static void ask_queue(struct weir_ends *ends, int wait_ms)
{
	struct epoll_event events[SOME];
	int count = SOME;

	while (ends->queue_fd >= 0 && count == SOME) {
		count = epoll_wait(ends->queue_fd, events, SOME, wait_ms);
		for (int i = 0; i < count; i++) {
			struct weir_ends_process *one = find_process(
				ends, (uint32_t)events[i].data.u64, 0);

			if (one && one->fd >= 0)
				learn_end(ends, one);
		}
		wait_ms = 0;
	}
}

static void note_end(struct weir_ends *ends, uint32_t pid, int status)
{
	struct weir_ends_process *one = find_process(ends, pid, 0);
	struct weir_ends_note *note;

	if (one && one->told.text) {
		one->end = weir_procend_of(status);
		return;
	}
	note = &ends->notes[ends->next_note++ % WEIR_ENDS_NOTES];
	*note = (struct weir_ends_note){ pid, status,
					 weir_clock_ns(CLOCK_MONOTONIC) };
}

static void take_notes(struct weir_ends *ends)
{
	for (int i = 0; ends->control && i < WEIR_CONTROL_ENDS; i++) {
		uint64_t word = atomic_load(&ends->control->ends[i]);

		if (!word)
			continue;
		word = atomic_exchange(&ends->control->ends[i], 0);
		note_end(ends, (uint32_t)(word >> 32), (uint16_t)word);
	}
}

static struct weir_procend find_note(struct weir_ends *ends, uint32_t pid)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < WEIR_ENDS_NOTES; i++) {
		struct weir_ends_note *note = &ends->notes[i];

		if (note->pid != pid || !note->when ||
		    now - note->when > NOTE_LIVES)
			continue;
		note->when = 0;
		return weir_procend_of(note->status);
	}
	return (struct weir_procend){ WEIR_PROCEND_UNTOLD, 0 };
}

/* Who runs on without its image runs on as another program. */
static bool has_executed(const struct weir_ends_process *one,
			 const struct weir_salvage_proc *proc)
{
	int status;

	return one->image > proc->image ||
	       weir_procstat_look(one->pid, one->start, &status) ==
		       WEIR_PROCSTAT_RUNS;
}

int weir_ends_part(struct weir_ends *ends, const struct weir_salvage_proc *proc,
		   struct weir_store *store)
{
	const struct weir_live *about = weir_live_about(proc->view);
	struct weir_procend end = { WEIR_PROCEND_UNTOLD, 0 };
	struct weir_ends_process *one =
		find_process(ends, about->pid, about->process_start);
	struct weir_props told;
	int err = weir_salvage_tell_proc(proc, &told);

	if (err)
		return err;
	if (one && has_executed(one, proc))
		end.how = WEIR_PROCEND_EXEC;
	err = put_end(store, proc->number, &told, end);
	if (one && !err && end.how == WEIR_PROCEND_UNTOLD) {
		one->told = told;
		one->number = proc->number;
		one->exited =
			atomic_load(&weir_live_shared(proc->view)->exiting);
		one->looks = 0;
		return 0;
	}
	weir_props_fini(&told);
	return err;
}

/* Its image is gone, and no other has come. */
static void find_end(struct weir_ends *ends, struct weir_ends_process *one)
{
	int status;

	if (one->end.how == WEIR_PROCEND_UNTOLD)
		one->end = find_note(ends, one->pid);
	if (one->end.how == WEIR_PROCEND_UNTOLD && one->looks == 1 &&
	    weir_procstat_look(one->pid, one->start, &status) ==
		    WEIR_PROCSTAT_ENDED)
		one->end = weir_procend_of(status);
}

/* Of who ended by itself, as it said, only another end is news. */
static int tell_end(struct weir_ends_process *one, struct weir_store *store)
{
	if (one->exited && !weir_procend_is_signal(&one->end))
		return 0;
	return put_end(store, one->number, &one->told, one->end);
}

/*
 * Not at the first look: another image of the process may be there already,
 * and has not been met.
 */
static int tell_news(struct weir_ends *ends, struct weir_store *store)
{
	int err = 0;

	for (size_t i = ends->count; i--;) {
		struct weir_ends_process *one = &ends->processes[i];

		if (!one->told.text || !one->looks++)
			continue;
		find_end(ends, one);
		if (one->end.how == WEIR_PROCEND_UNTOLD &&
		    (one->fd >= 0 || !one->exited))
			continue;
		err = err ?: tell_end(one, store);
		remove_process(ends, i);
	}
	return err;
}

int weir_ends_look(struct weir_ends *ends, struct weir_store *store)
{
	take_notes(ends);
	ask_queue(ends, 0);
	return tell_news(ends, store);
}

/* Somebody who is gone has not ended yet, or not been looked at. */
static bool is_awaited(const struct weir_ends *ends)
{
	for (size_t i = 0; i < ends->count; i++) {
		const struct weir_ends_process *one = &ends->processes[i];

		if (one->told.text && (one->fd >= 0 || one->looks < 2))
			return true;
	}
	return false;
}

int weir_ends_finish(struct weir_ends *ends, struct weir_store *store)
{
	int err = weir_ends_look(ends, store);

	for (int ms = 0; !err && ms < LAST_WAIT && is_awaited(ends); ms++) {
		ask_queue(ends, 1);
		err = tell_news(ends, store);
	}
	for (size_t i = 0; !err && i < ends->count; i++) {
		struct weir_ends_process *one = &ends->processes[i];

		one->end.how = WEIR_PROCEND_UNKNOWN;
		if (one->told.text)
			err = tell_end(one, store);
	}
	return err;
}
