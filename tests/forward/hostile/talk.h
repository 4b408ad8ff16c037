/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the service made by hand: it knows layouts and frames, and
 * nothing of the library that programs have. It says what it is told to say.
 */
#ifndef TALK_H
#define TALK_H

#include "spec/forward.h"

#include <stdbool.h>
#include <sys/types.h>

#define TALK_FDS 253 /* the most that one message takes */

struct talk {
	const char *place; /* the runtime directory */
	int memory, board_fd;
	struct weir_op_attach_out welcome;
	char presence[4096];
	size_t bytes; /* of the memory */
	struct weir_session_page *page;
	struct weir_session_open *opens;
	struct weir_session_slot *slots;
	struct weir_session_head *heads;
	unsigned char *lanes, *chunks;
	const struct weir_board *board;
};

/* Ends the program, telling what did not hold. */
void talk_fail(const char *what, long value);

/* A socket of the service: "door" or "above". Fails the program if nobody
 * listens there. */
int talk_connect(const char *place, const char *name);

/* Bytes and descriptors; what cannot be sent is no fault. */
ssize_t talk_send(int fd, const void *bytes, size_t size, const int *fds,
		  int count);

/* Bytes until a frame is whole or the other side has closed; descriptors that
 * come are kept in fds (up to 2), and others closed. */
ssize_t talk_hear(int fd, void *room, size_t size, int *fds);

/* One connection, one question: the status in the head of the answer; 1: it
 * was closed without any. */
int talk_ask(const char *place, const void *frame, size_t size, const int *fds,
	     int count);

/* Fails the program if it is refused. */
void talk_attach(struct talk *talk);
/* 0 or -errno, as the daemon says. */
int talk_try_attach(struct talk *talk);
void talk_leave(struct talk *talk);

/* Hands over a descriptor (-1: none). */
int talk_open(struct talk *talk, int fd, uint32_t flags,
	      struct weir_op_open_out *ret_out);
/* A new file of the liar's own, handed over. */
int talk_own_file(struct talk *talk, const char *path,
		  struct weir_op_open_out *ret_out);

/* Of deferred files. The session's part of `in` is filled in. */
int talk_create_deferred(struct talk *talk,
			 struct weir_op_create_deferred_in *in, int parent,
			 const char *path,
			 struct weir_op_create_deferred_out *ret_out,
			 int *ret_memory);
int talk_materialise(struct talk *talk, uint32_t how, int parent,
		     const char *path);
int talk_unlink_deferred(struct talk *talk, uint64_t nonce, int parent,
			 const char *path);
/* *ret_fd -1: it stays where it is. */
int talk_fetch(struct talk *talk, uint32_t open, bool grows, int *ret_fd);

void talk_ring(struct talk *talk);
/* By slot; waits for the answer, at most 10 s: then it fails the program. */
int talk_post(struct talk *talk, uint32_t op, const void *args, size_t size,
	      uint32_t data);
/* The same without waiting, in this slot. */
void talk_put(struct talk *talk, uint32_t slot, uint32_t op, const void *args,
	      uint32_t data);
int talk_wait(struct talk *talk, uint32_t slot);

/* The same open by all slots at once: it counts as one. */
void talk_close_often(struct talk *talk, uint32_t open);
/* The service still answers to this session. */
void talk_still_answers(struct talk *talk);

/* A chunk that was granted, taken; fails the program when none comes. */
uint32_t talk_take_chunk(struct talk *talk);
unsigned char *talk_chunk(struct talk *talk, uint32_t chunk);
/* Counts so many bytes of it, and gives it back. */
void talk_seal(struct talk *talk, uint32_t chunk, uint32_t used);

void talk_seed(uint64_t seed);
uint64_t talk_random(void); /* the same for the same seed */
void talk_fill(void *bytes, size_t size);
/* One of those at which things break: 0, limits, powers of two, -1, … */
uint64_t talk_odd(void);
uint64_t talk_now(void); /* ns */

#endif
