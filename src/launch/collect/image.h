/* SPDX-License-Identifier: BSD-3-Clause */
/* Drains one recorded process image until it has ended. */
#ifndef WEIR_COLLECT_IMAGE_H
#define WEIR_COLLECT_IMAGE_H

#include "trace/live/salvage.h"

struct weir_account;
struct weir_ends;
struct weir_profiling;
struct weir_reserve;
struct weir_spool;

struct weir_image {
	char *name;		       /* of the live file */
	int dir_fd;		       /* where it is; borrowed */
	struct weir_salvage_proc proc; /* proc.view NULL: not set up yet */
	uint64_t records;	       /* stored */
	bool threads_end;	       /* some had, when we looked last */
	struct weir_account *account;  /* of sums; NULL: none yet */
	uint64_t failing;	       /* since when it cannot be mapped */
};

/* Where a pass over an image works and writes. */
struct weir_image_pass {
	struct weir_spool *spool;
	struct weir_profiling *profiling; /* NULL: chunks are stored */
	struct weir_live_chunk *chunks; /* room for WEIR_LIVE_UNITS */
	struct weir_reserve *reserve; /* of live files; NULL: none is kept */
	struct weir_ends *ends;	/* of processes */
	unsigned round;			/* of the collector */
};

int weir_image_new(int dir_fd, const char *name,
		   struct weir_image **ret_image);
void weir_image_free(struct weir_image *image);

/*
 * Tries to map the live file: 0; -EAGAIN when its process is still at it;
 * -ESRCH when nobody is and nothing will come; -EBADMSG when it is not a live
 * file; or what keeps us from reading it.
 */
int weir_image_attach(struct weir_image *image);

/*
 * Stores what is full and what ended threads left; a chunk that cannot be
 * stored is counted as lost. Returns the number of chunks.
 */
uint32_t weir_image_drain(struct weir_image *image,
			  const struct weir_image_pass *pass);

/* Removes its files, or keeps the live file for another process. */
void weir_image_remove(const struct weir_image *image,
		       struct weir_reserve *reserve);

/* After the image is gone: stores all the rest and the last PROC block. */
int weir_image_finish(struct weir_image *image,
		      const struct weir_image_pass *pass);

#endif
