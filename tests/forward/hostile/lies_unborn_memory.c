/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can do to the memory of a file that is not born. */
#include "unborn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define WRITING (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)
#define SECOND	UINT64_C(1000000000)

/* Five bytes, and that many once more behind a hole. */
static void fill(struct unborn *unborn)
{
	if (pwrite(unborn->memory, "hello", 5, 0) != 5 ||
	    pwrite(unborn->memory, "hello", 5, 70000) != 5)
		talk_fail("no memory", errno);
}

static void must_hold(int fd)
{
	char bytes[6] = "";
	struct stat status;

	if (pread(fd, bytes, 5, 70000) != 5 || strcmp(bytes, "hello") != 0 ||
	    fstat(fd, &status) || status.st_size != 70005)
		talk_fail("the file is not what was written", fd);
}

static void must_be_born(struct unborn *unborn, const char *name)
{
	int fd, ret = talk_bear(&unborn->talk, 0, unborn->parent, name);

	if (ret)
		talk_fail("was not born", ret);
	fd = openat(unborn->parent, name, O_RDWR | O_CLOEXEC);
	must_hold(fd);
	close(fd);
}

/* The file, which can be written whatever became of the memory. */
static void must_be_fetched(struct unborn *unborn)
{
	int fd = -1, ret = talk_fetch(&unborn->talk, unborn->open, false, &fd);

	if (ret || fd < 0)
		talk_fail("there is no file", ret);
	must_hold(fd);
	if (write(fd, "jello", 5) != 5 || ftruncate(fd, 3))
		talk_fail("the file cannot be written", errno);
	close(fd);
}

/* Somebody else has sealed it before the daemon does. */
static void seal_all_ways(struct unborn *unborn)
{
	static const int seals[] = {
		F_SEAL_SEAL,   F_SEAL_WRITE,	    F_SEAL_GROW,
		F_SEAL_SHRINK, F_SEAL_FUTURE_WRITE, WRITING,
	};
	char name[32];

	for (int i = 0; i < 24; i++) {
		int way = seals[i % 6] | (i / 6 % 2 ? F_SEAL_SEAL : 0);
		bool is_removed = i / 12;

		snprintf(name, sizeof(name), "sealed-%d", i);
		unborn_make(unborn, name);
		fill(unborn);
		if (is_removed)
			talk_miss(&unborn->talk, 0, unborn->parent, name);
		if (fcntl(unborn->memory, F_ADD_SEALS, way))
			talk_fail("cannot be sealed", errno);
		if (!is_removed)
			must_be_born(unborn, name);
		if (!is_removed || way != F_SEAL_SEAL)
			must_be_fetched(unborn);
		unborn_close(unborn);
	}
}

/* As long as it is mapped, the kernel lets nobody seal it. */
static void map_before_birth(struct unborn *unborn)
{
	char *at;

	unborn_make(unborn, "mapped");
	fill(unborn);
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
		  unborn->memory, 0);
	if (at == MAP_FAILED)
		talk_fail("memory cannot be mapped", errno);
	must_be_born(unborn, "mapped");
	must_be_fetched(unborn);
	if (write(unborn->memory, "x", 1) > 0 || !ftruncate(unborn->memory, 9))
		talk_fail("memory is written after the birth", 0);
	strcpy(at, "too late");
	munmap(at, 4096);
	unborn_close(unborn);
}

/* Longer than any file can be, and nothing in it. */
static void grow_hugely(struct unborn *unborn)
{
	uint64_t start = talk_now();
	int fd = -1;

	unborn_make(unborn, "huge");
	fill(unborn);
	if (ftruncate(unborn->memory, INT64_MAX - 4095) &&
	    ftruncate(unborn->memory, INT64_C(1) << 44))
		talk_fail("memory does not grow", errno);
	if (!talk_fetch(&unborn->talk, unborn->open, true, &fd))
		close(fd);
	if (talk_bear(&unborn->talk, 0, unborn->parent, "huge") &&
	    talk_miss(&unborn->talk, 0, unborn->parent, "huge"))
		talk_fail("cannot be removed", 0);
	if (talk_now() - start > 5 * SECOND)
		talk_fail("holes took long", (long)(talk_now() - start));
	unlinkat(unborn->parent, "huge", 0);
	unborn_close(unborn);
}

void lie_unborn_memory(struct liar *liar)
{
	struct unborn unborn;

	unborn_begin(&unborn, liar);
	seal_all_ways(&unborn);
	map_before_birth(&unborn);
	grow_hugely(&unborn);
	talk_still_answers(&unborn.talk);
}

struct changing {
	int memory;
	bool grows;
	_Atomic int is_over;
};

/* Cut and made longer, or longer and longer, up to what is too much. */
static void *change_always(void *arg)
{
	static const char bytes[1 << 16] = "x";
	struct changing *changing = arg;
	off_t end = 0;

	while (!changing->is_over) {
		if (!changing->grows && ftruncate(changing->memory, end % 3))
			break;
		pwrite(changing->memory, bytes, sizeof(bytes),
		       changing->grows ? end : (off_t)talk_random() % 200000);
		end += (off_t)sizeof(bytes);
		if (end > 64 << 20)
			usleep(100);
	}
	return NULL;
}

/* Nobody can seal it: what is born is whatever was there. */
static void change_at_birth(struct unborn *unborn, int round)
{
	struct changing changing = { .grows = round % 2 };
	uint64_t start = talk_now();
	pthread_t thread;
	char name[32];

	snprintf(name, sizeof(name), "changing-%d", round);
	unborn_make(unborn, name);
	if (round % 4 < 2)
		fcntl(unborn->memory, F_ADD_SEALS, F_SEAL_SEAL);
	changing.memory = unborn->memory;
	if (pthread_create(&thread, NULL, change_always, &changing))
		talk_fail("no thread", 0);
	usleep(2000);
	talk_bear(&unborn->talk, 0, unborn->parent, name);
	if (talk_now() - start > 5 * SECOND)
		talk_fail("a birth took long", round);
	changing.is_over = 1;
	pthread_join(thread, NULL);
	if (talk_bear(&unborn->talk, 0, unborn->parent, name))
		talk_fail("was not born when nobody changed it", round);
	unborn_close(unborn);
}

void lie_unborn_changing(struct liar *liar)
{
	struct unborn unborn;

	unborn_begin(&unborn, liar);
	for (int i = 0; i < 20; i++)
		change_at_birth(&unborn, i);
	talk_still_answers(&unborn.talk);
}
