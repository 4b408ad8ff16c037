/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files must contain, in memory of the test's own: names, inodes with
 * their bytes, open file descriptions with their offsets. All processes and
 * threads of a run share one book, which is a file in no place that is served.
 */
#ifndef BOOK_H
#define BOOK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BOOK_NAMES  5
#define BOOK_INODES 14
#define BOOK_OPENS  256
#define BOOK_MOST   (4u << 20) /* bytes of a file */
#define BOOK_NOTES  40
#define BOOK_KINDS  48
#define BOOK_CELLS  4096 /* of the file without a lock */
#define BOOK_CELL   509

/* What was done to an inode last, for whoever looks for a fault. */
struct book_note {
	uint32_t worker, kind;
	uint64_t number;
	int64_t offset, length, size;
};

struct book_inode {
	pthread_mutex_t lock; /* of all but users */
	uint32_t users;	      /* names, and open file descriptions */
	uint32_t notes_made;
	uint64_t size;
	struct book_note notes[BOOK_NOTES];
};

struct book_open {
	uint32_t users; /* descriptors, of all processes */
	uint32_t inode;
	int flags;
	uint64_t offset; /* under the inode's lock, as flags */
};

struct book {
	uint64_t seed, operations, rounds, spoil;
	uint32_t processes, threads, is_rough;
	_Atomic uint32_t failed, arrived, turn;
	char why[8192];
	_Atomic uint64_t done[BOOK_KINDS];
	_Atomic uint64_t bytes_written, bytes_read, total;

	/* Of names, of users everywhere. Taken before an inode's lock. */
	pthread_mutex_t lock;
	int32_t names[BOOK_NAMES]; /* an inode; -1: none */
	struct book_inode inodes[BOOK_INODES];
	struct book_open opens[BOOK_OPENS];

	/* The file without a lock: each cell has one worker who writes it. */
	_Atomic uint32_t begun[BOOK_CELLS], ended[BOOK_CELLS];

	uint8_t bytes[BOOK_INODES][BOOK_MOST]; /* 0 beyond the size */
};

extern struct book *book;

int book_make(const char *path); /* 0 or -errno */
int book_join(const char *path);

/* A free one with one user, or -1; the book's lock is held. */
int book_take_inode(void);
int book_take_open(uint32_t inode, int flags);
void book_drop_inode(uint32_t inode);
void book_drop_open(uint32_t open);

void book_write(uint32_t inode, const void *bytes, uint64_t length,
		uint64_t offset);
void book_cut(uint32_t inode, uint64_t length);

/* Bytes that a read there gets. */
uint64_t book_left(uint32_t inode, uint64_t offset, uint64_t length);

void book_note(uint32_t inode, struct book_note note);

/* The first to call it is heard. inode -1: of none. */
__attribute__((format(printf, 2, 3))) void book_fail(int inode,
						     const char *form, ...);

/* All `workers` wait for each other, unless one has failed. */
void book_meet(uint32_t workers);

extern const char *(*book_kind_name)(uint32_t kind);

#endif
