/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is killed: it works for ever and keeps proof of it. */
#include "victim.h"

#include "../lib/raw.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CALLS 60
#define BIG         (1 << 20)

/* Each call stands between these two; the order is the proof's point. */
#define ENTER(slot) atomic_fetch_add(&(slot)->entered, 1)
#define LEAVE(slot) atomic_fetch_add(&(slot)->returned, 1)

static struct victim_page *page;
static bool big_reads;
static char buffer[BIG];

static void must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static void map_page(const char *path)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDWR, 0);

	page = (void *)raw_call6(SYS_mmap, 0, sizeof(*page),
				 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must((long)page > 0, "page");
	raw_call(SYS_close, fd);
}

static struct victim_slot *take_slot(enum victim_kind kind)
{
	uint32_t n = atomic_fetch_add(&page->slots, 1);

	must(n < VICTIM_SLOTS, "slots");
	page->slot[n].kind = kind;
	page->slot[n].tid = (uint32_t)gettid();
	page->slot[n].pid = (uint32_t)getpid();
	return &page->slot[n];
}

static int open_data(struct victim_slot *slot)
{
	int fd;

	ENTER(slot);
	fd = open("data", O_RDONLY);
	LEAVE(slot);
	must(fd >= 0, "data");
	return fd;
}

/* Sizes differ, so that records are long and chunks fill soon. */
static void read_data(struct victim_slot *slot, int fd, uint64_t calls)
{
	for (uint64_t i = 0; i < calls; i++) {
		size_t size = big_reads && i % 4 == 3 ? BIG : 1 + i % 5;

		ENTER(slot);
		if (pread(fd, buffer, size, (off_t)(i * 16)) < 0)
			_exit(98);
		LEAVE(slot);
	}
}

static void *work(void *arg)
{
	struct victim_slot *slot = take_slot(VICTIM_READS);

	read_data(slot, open_data(slot), UINT64_MAX);
	return NULL;
}

static _Atomic int sleeper;

static void *work_asleep(void *arg)
{
	struct victim_slot *slot = take_slot(VICTIM_SLEEPS);
	int fds[2];
	char byte;

	ENTER(slot);
	must(!pipe(fds), "pipe");
	LEAVE(slot);
	sleeper = gettid();
	ENTER(slot);
	must(read(fds[0], &byte, 1) == 1, "read");
	return NULL;
}

static bool sleeps(int tid)
{
	char path[64], text[256];
	long fd, n;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
	n = raw_call(SYS_read, fd, text, sizeof(text) - 1);
	raw_call(SYS_close, fd);
	text[n > 0 ? n : 0] = 0;
	return strstr(text, ") S ");
}

static void start(void *(*function)(void *))
{
	pthread_t thread;

	must(!pthread_create(&thread, NULL, function, NULL), "thread");
}

static void run_child(void)
{
	struct victim_slot *slot = take_slot(VICTIM_READS);

	read_data(slot, open_data(slot), CHILD_CALLS);
	_exit(0);
}

static void fork_for_ever(void)
{
	for (;;) {
		pid_t pid = fork();

		must(pid >= 0, "fork");
		if (!pid)
			run_child();
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	bool forks = argc > 3 && strstr(argv[3], "fork");

	must(threads > 0, "usage: victim PAGE THREADS [fork] [big]");
	big_reads = argc > 3 && strstr(argv[3], "big");
	map_page(argv[1]);
	setpgid(0, 0);
	page->group = (uint32_t)getpid();
	start(work_asleep);
	while (!sleeper || !sleeps(sleeper))
		sched_yield();
	for (int i = 0; i < threads; i++)
		start(work);
	page->ready = 1;
	if (forks)
		fork_for_ever();
	for (;;)
		pause();
}
