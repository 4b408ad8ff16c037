/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can do to memory that it was given. */
#include "liar.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

static void must_fail(const char *what, long ret)
{
	if (ret >= 0) {
		printf("%s\n", what);
		talk_fail("was possible", ret);
	}
}

static void must_not_map(const char *what, int fd)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	must_fail(what, at == MAP_FAILED ? -1 : 0);
}

/* The daemon would get SIGBUS from memory that became shorter. */
void lie_seals(struct liar *liar)
{
	struct talk talk = { .place = liar->place };

	talk_attach(&talk);
	must_fail("shorter memory", ftruncate(talk.memory, 4096));
	must_fail("no memory", ftruncate(talk.memory, 0));
	must_fail("longer memory",
		  ftruncate(talk.memory, (off_t)talk.bytes + 4096));
	must_fail("a seal", fcntl(talk.memory, F_ADD_SEALS, F_SEAL_WRITE));
	talk_still_answers(&talk);
	munmap(talk.lanes, (size_t)WEIR_SESSION_SLOTS * WEIR_SESSION_LANE);
	talk_still_answers(&talk);
}

void lie_board(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	uint64_t nothing = 0;
	char path[64];
	int again;

	talk_attach(&talk);
	must_not_map("the board, writable", talk.board_fd);
	must_fail("the board, written",
		  pwrite(talk.board_fd, &nothing, sizeof(nothing), 0));
	must_fail("the board, shorter", ftruncate(talk.board_fd, 0));
	must_fail("the board, sealed",
		  fcntl(talk.board_fd, F_ADD_SEALS, F_SEAL_WRITE));
	must_fail("the board, made writable",
		  mprotect((void *)talk.board, 4096, PROT_READ | PROT_WRITE));
	must_fail("the board, punched",
		  fallocate(talk.board_fd,
			    FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			    4096));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", talk.board_fd);
	again = open(path, O_RDWR);
	if (again >= 0) {
		must_not_map("the board, opened anew", again);
		must_fail("the board, opened anew and written",
			  pwrite(again, &nothing, sizeof(nothing), 0));
	}
	if (talk.board->magic != WEIR_BOARD_MAGIC)
		talk_fail("the board was changed", 0);
	talk_still_answers(&talk);
}

static void scribble_once(struct talk *talk)
{
	size_t size = weir_session_chunks_at(talk->welcome.chunks);
	unsigned char *at = (unsigned char *)talk->page;

	for (int i = 0; i < 20000; i++) {
		uint64_t value = talk_odd();
		size_t to = talk_random() % (size / 8) * 8;

		if (i % 2) /* where it hurts: below the lanes */
			to %= weir_session_lanes_at(talk->welcome.chunks);
		memcpy(at + to, &value, sizeof(value));
	}
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++)
		atomic_store(&talk->slots[i].state, WEIR_SESSION_POSTED);
	atomic_store(&talk->page->waiting, 1);
	talk_ring(talk);
	usleep(20000);
}

/* Everything, everywhere; nothing sensible can come back. */
void lie_scribble(struct liar *liar)
{
	for (int i = 0; i < 10; i++) {
		struct talk talk = { .place = liar->place };

		talk_attach(&talk);
		for (int round = 0; round < 10; round++)
			scribble_once(&talk);
		talk_leave(&talk);
	}
}

/* Nonsense that is still there when a next daemon looks for what was written:
 * it waits for a line before each portion, and after the last. */
void lie_stay(struct liar *liar)
{
	struct talk talk[4];
	char line[16];

	for (size_t i = 0; i < 4; i++) {
		talk[i] = (struct talk){ .place = liar->place };
		talk_attach(&talk[i]);
		talk_seal(&talk[i], talk_take_chunk(&talk[i]), 64);
	}
	while (fgets(line, sizeof(line), stdin)) {
		for (size_t i = 0; i < 4; i++)
			scribble_once(&talk[i]);
		puts("ready");
		fflush(stdout);
	}
}

/* Pages that are taken away below the daemon's hands. */
void lie_holes(struct liar *liar)
{
	struct talk talk = { .place = liar->place };

	talk_attach(&talk);
	for (int i = 0; i < 200; i++) {
		uint32_t chunk = talk_take_chunk(&talk);

		talk_fill(talk_chunk(&talk, chunk), 4096);
		talk_seal(&talk, chunk, WEIR_SESSION_CHUNK);
		fallocate(talk.memory,
			  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)weir_session_chunks_at(talk.welcome.chunks),
			  (off_t)talk.welcome.chunks * WEIR_SESSION_CHUNK);
	}
	talk_still_answers(&talk);
	fallocate(talk.memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		  (off_t)talk.bytes);
	talk_ring(&talk);
	usleep(50000);
}

/* Chunks taken, slots posted, and nobody waits. */
void lie_sudden_end(struct liar *liar)
{
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (!child) {
			struct talk talk = { .place = liar->place };
			unsigned char args[WEIR_SESSION_ARGS] = { 0 };

			talk_attach(&talk);
			atomic_store(&talk.heads[talk_take_chunk(&talk)].owner,
				     (uint32_t)getpid());
			for (uint32_t j = 0; j < WEIR_SESSION_SLOTS; j++)
				talk_put(&talk, j, WEIR_OP_ASK, args, 0);
			talk_ring(&talk);
			raise(SIGKILL);
		}
	}
}
