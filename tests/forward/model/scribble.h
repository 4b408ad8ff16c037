/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers that do random things to files, and know what must come of them. */
#ifndef SCRIBBLE_H
#define SCRIBBLE_H

#include "book.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

#define SCRIBBLE_HANDLES 5
#define SCRIBBLE_LONGEST (3u << 20) /* bytes of a call */
#define SCRIBBLE_PIECES	 5

struct scribble_handle {
	int fd; /* -1: none */
	uint32_t open;
};

struct worker {
	uint32_t number;
	bool is_child; /* forked by a worker */
	uint64_t random, operation;
	uint32_t kind; /* of the operation */
	pid_t child;
	struct scribble_handle handles[SCRIBBLE_HANDLES];
	uint64_t near; /* where the last one was */
	int cells;     /* the file without a lock */
	uint8_t *out, *in;
};

extern char scribble_place[PATH_MAX - 64];

typedef void (*scribble_act)(struct worker *worker);
struct scribble_kind {
	const char *name;
	unsigned weight, rough; /* how often, how often in a rough run */
	scribble_act act;
};
extern const struct scribble_kind scribble_data_kinds[];
extern const struct scribble_kind scribble_name_kinds[];
extern const struct scribble_kind scribble_cell_kinds[];
extern const struct scribble_kind scribble_rough_kinds[];

/* A number below `limit`. */
uint64_t scribble_any(struct worker *worker, uint64_t limit);
uint64_t scribble_length(struct worker *worker);
uint64_t scribble_offset(struct worker *worker, uint64_t length);
void scribble_fill(struct worker *worker, uint64_t length);
void scribble_path(char *room, size_t size, uint32_t name);
void scribble_work(struct worker *worker, uint64_t count);

/* One that is open, or NULL. */
struct scribble_handle *scribble_pick(struct worker *worker);
struct scribble_handle *scribble_empty(struct worker *worker);

/* Both lock the inode of an open file; begin returns the open file. */
struct book_open *scribble_begin(struct scribble_handle *handle);
void scribble_end(struct worker *worker, const struct book_open *open,
		  int64_t offset, int64_t length);

/* One call returned this where that was right; errno is told too. */
void scribble_expect(struct worker *worker, int inode, int64_t got,
		     int64_t right);

void scribble_open_any(struct worker *worker);
void scribble_close(struct worker *worker, struct scribble_handle *handle);
void scribble_leave(struct worker *worker); /* forgets what is open */

int scribble_open_cells(void);
void scribble_cells_check(struct worker *worker);

#endif
