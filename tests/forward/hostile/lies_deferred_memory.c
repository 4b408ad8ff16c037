/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can do to the memory of a deferred file. */
#include "deferred.h"

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
static void fill(struct deferred *deferred)
{
	if (pwrite(deferred->memory, "hello", 5, 0) != 5 ||
	    pwrite(deferred->memory, "hello", 5, 70000) != 5)
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

static void must_be_created(struct deferred *deferred, const char *name)
{
	int fd, ret = talk_materialise(&deferred->talk, 0, deferred->parent,
				       name);

	if (ret)
		talk_fail("was not created", ret);
	fd = openat(deferred->parent, name, O_RDWR | O_CLOEXEC);
	must_hold(fd);
	close(fd);
}

/* The file, which can be written whatever became of the memory. */
static void must_be_fetched(struct deferred *deferred)
{
	int fd = -1,
	    ret = talk_fetch(&deferred->talk, deferred->open, false, &fd);

	if (ret || fd < 0)
		talk_fail("there is no file", ret);
	must_hold(fd);
	if (write(fd, "jello", 5) != 5 || ftruncate(fd, 3))
		talk_fail("the file cannot be written", errno);
	close(fd);
}

/* Somebody else has sealed it before the daemon does. */
static void seal_all_ways(struct deferred *deferred)
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
		deferred_make(deferred, name);
		fill(deferred);
		if (is_removed)
			talk_unlink_deferred(&deferred->talk, 0,
					     deferred->parent, name);
		if (fcntl(deferred->memory, F_ADD_SEALS, way))
			talk_fail("cannot be sealed", errno);
		if (!is_removed)
			must_be_created(deferred, name);
		if (!is_removed || way != F_SEAL_SEAL)
			must_be_fetched(deferred);
		deferred_close(deferred);
	}
}

/* As long as it is mapped, the kernel lets nobody seal it. */
static void map_before_birth(struct deferred *deferred)
{
	char *at;

	deferred_make(deferred, "mapped");
	fill(deferred);
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
		  deferred->memory, 0);
	if (at == MAP_FAILED)
		talk_fail("memory cannot be mapped", errno);
	must_be_created(deferred, "mapped");
	must_be_fetched(deferred);
	if (write(deferred->memory, "x", 1) > 0 ||
	    !ftruncate(deferred->memory, 9))
		talk_fail("memory is written after the birth", 0);
	strcpy(at, "too late");
	munmap(at, 4096);
	deferred_close(deferred);
}

/* Longer than any file can be, and nothing in it. */
static void grow_hugely(struct deferred *deferred)
{
	uint64_t start = talk_now();
	int fd = -1;

	deferred_make(deferred, "huge");
	fill(deferred);
	if (ftruncate(deferred->memory, INT64_MAX - 4095) &&
	    ftruncate(deferred->memory, INT64_C(1) << 44))
		talk_fail("memory does not grow", errno);
	if (!talk_fetch(&deferred->talk, deferred->open, true, &fd))
		close(fd);
	if (talk_materialise(&deferred->talk, 0, deferred->parent, "huge") &&
	    talk_unlink_deferred(&deferred->talk, 0, deferred->parent, "huge"))
		talk_fail("cannot be removed", 0);
	if (talk_now() - start > 5 * SECOND)
		talk_fail("holes took long", (long)(talk_now() - start));
	unlinkat(deferred->parent, "huge", 0);
	deferred_close(deferred);
}

void lie_deferred_memory(struct liar *liar)
{
	struct deferred deferred;

	deferred_begin(&deferred, liar);
	seal_all_ways(&deferred);
	map_before_birth(&deferred);
	grow_hugely(&deferred);
	talk_still_answers(&deferred.talk);
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

/* Nobody can seal it: what is created is whatever was there. */
static void change_at_birth(struct deferred *deferred, int round)
{
	struct changing changing = { .grows = round % 2 };
	uint64_t start = talk_now();
	pthread_t thread;
	char name[32];

	snprintf(name, sizeof(name), "changing-%d", round);
	deferred_make(deferred, name);
	if (round % 4 < 2)
		fcntl(deferred->memory, F_ADD_SEALS, F_SEAL_SEAL);
	changing.memory = deferred->memory;
	if (pthread_create(&thread, NULL, change_always, &changing))
		talk_fail("no thread", 0);
	usleep(2000);
	talk_materialise(&deferred->talk, 0, deferred->parent, name);
	if (talk_now() - start > 5 * SECOND)
		talk_fail("a birth took long", round);
	changing.is_over = 1;
	pthread_join(thread, NULL);
	if (talk_materialise(&deferred->talk, 0, deferred->parent, name))
		talk_fail("was not created when nobody changed it", round);
	deferred_close(deferred);
}

void lie_deferred_changing(struct liar *liar)
{
	struct deferred deferred;

	deferred_begin(&deferred, liar);
	for (int i = 0; i < 20; i++)
		change_at_birth(&deferred, i);
	talk_still_answers(&deferred.talk);
}
