/* SPDX-License-Identifier: BSD-3-Clause */
/* Files to be created later that are others', and calls beside each other. */
#include "deferred.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

/* Those of another session, and of none. */
static void fetch_foreign(struct deferred *own, struct deferred *other)
{
	int fd;

	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i += 41) {
		atomic_store(&own->talk.opens[i].deferred,
			     UINT64_C(2) << 32 | (i % WEIR_BOARD_DEFERRED));
		if (i != own->open &&
		    talk_fetch(&own->talk, i, i & 1, &fd) != -EBADF)
			talk_fail("fetched what it has not", (long)i);
	}
	other->talk.welcome.session = own->talk.welcome.session;
	if (talk_fetch(&other->talk, own->open, false, &fd) != -EACCES)
		talk_fail("fetched by another's token", 0);
}

/* What it may do to a file of another's, that changes no byte of it. */
static void trouble(struct deferred *deferred, uint32_t round)
{
	static const int seals[] = { F_SEAL_WRITE, F_SEAL_GROW, F_SEAL_SHRINK,
				     F_SEAL_FUTURE_WRITE, 0 };
	void *at = MAP_FAILED;
	int fd;

	if (round % 3 == 0)
		at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			  deferred->memory, 0);
	fcntl(deferred->memory, F_ADD_SEALS, seals[round % 5]);
	if (round % 7 == 0 &&
	    !talk_fetch(&deferred->talk, deferred->open, round & 1, &fd))
		close(fd);
	deferred_close(deferred);
	if (at != MAP_FAILED)
		munmap(at, 4096);
}

/* The files that the victim makes and removes all the time. */
static void trouble_victim(struct liar *liar, struct deferred *deferred)
{
	const char *slash = strrchr(liar->victim, '/');
	char path[4096];
	uint32_t met = 0;
	int ret;

	snprintf(path, sizeof(path), "%.*s", (int)(slash - liar->victim),
		 liar->victim);
	deferred->parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s.later", liar->victim);
	for (uint64_t until = talk_now() + UINT64_C(700000000);
	     talk_now() < until;) {
		ret = deferred_try(deferred, path, O_RDWR);
		if (!ret)
			trouble(deferred, met++);
		else if (ret != -ESTALE)
			talk_fail("the victim's is answered wrongly", ret);
	}
	printf("met %u of the victim's\n", met);
	if (!met)
		talk_fail("the victim has none", 0);
}

void lie_deferred_others(struct liar *liar)
{
	struct deferred own, other;

	deferred_begin(&own, liar);
	deferred_begin(&other, liar);
	deferred_make(&own, "own");
	fetch_foreign(&own, &other);
	if (talk_unlink_deferred(&own.talk, 1, own.parent, "none") != -ESTALE ||
	    talk_materialise(&own.talk, 0, own.parent, "none"))
		talk_fail("what there is not was found", 0);
	deferred_close(&own);
	trouble_victim(liar, &own);
	talk_still_answers(&own.talk);
}

/* One open, closed by all slots at once while it is fetched. */
struct closing {
	struct deferred deferred;
	_Atomic int is_over;
};

static void *fetch_always(void *arg)
{
	struct closing *closing = arg;
	struct talk talk = closing->deferred.talk;
	int fd;

	while (!closing->is_over)
		if (!talk_fetch(&talk, 0, false, &fd))
			close(fd);
	return NULL;
}

void lie_deferred_closes(struct liar *liar)
{
	static const char much[1 << 20]; /* its birth takes a while */
	struct closing closing = { 0 };
	struct deferred *deferred = &closing.deferred;
	pthread_t threads[2];
	char name[32];

	deferred_begin(deferred, liar);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, fetch_always, &closing))
			talk_fail("no thread", 0);
	for (int i = 0; i < 150; i++) {
		snprintf(name, sizeof(name), "closed-%d", i);
		deferred_make(deferred, name);
		if (i % 4 == 3)
			talk_unlink_deferred(&deferred->talk, 0,
					     deferred->parent, name);
		pwrite(deferred->memory, much, sizeof(much), 0);
		usleep((useconds_t)(talk_random() % 500));
		talk_close_often(&deferred->talk, 0);
		close(deferred->memory);
	}
	closing.is_over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	talk_still_answers(&deferred->talk);
}
