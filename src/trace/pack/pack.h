/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites raw chunks, as they were captured, as packed columns. */
#ifndef WEIR_PACK_PACK_H
#define WEIR_PACK_PACK_H

#include <stdint.h>

struct weir_pack;

struct weir_pack_totals {
	uint64_t events;    /* in the packed file, LOSS notes not counted */
	uint64_t dropped;   /* by the processes, for want of memory */
	uint64_t lost;      /* by the collector, or damaged in the raw file */
	uint64_t processes;
	uint64_t bytes;     /* of the packed file */
	uint64_t damaged_events; /* the part of lost that is damage */
	uint64_t damaged_blocks; /* of the raw file: payload or place broken */
	uint64_t damaged_bytes;  /* of the raw file, in no block */
};

/*
 * One thread at a time may use a pack; the raw file may grow meanwhile.
 * packed_path must not exist yet. Renaming it is the caller's business.
 */
int weir_pack_open(const char *raw_path, const char *packed_path,
		   struct weir_pack **ret_pack);

/* The same on open files, owned from then on, also when it fails. */
int weir_pack_adopt(int raw_fd, int packed_fd, struct weir_pack **ret_pack);

/*
 * Refuses, with -EFBIG, more bytes of names than these: for who reads what
 * others wrote. What is recorded here is packed whatever its names take.
 */
void weir_pack_bound_names(struct weir_pack *pack, uint64_t most);

/*
 * Packs what can be packed of the raw file's bytes below raw_end, which must
 * be a block boundary (weir_store_bytes()) or UINT64_MAX for all there is.
 */
int weir_pack_advance(struct weir_pack *pack, uint64_t raw_end);

/*
 * A process, by its number in the raw file, whose chunks wait for a handle
 * that another thread has told in a chunk that is still open; 0: there is
 * none. Asking forgets it until it is met again.
 */
uint32_t weir_pack_wanting(struct weir_pack *pack);

/*
 * Learns handles from records that will come in the raw file later: chunks
 * that need them wait no longer. Nothing else is taken from them.
 */
int weir_pack_hint(struct weir_pack *pack, uint32_t process, const void *data,
		   uint32_t used, uint64_t base_tick);

/*
 * Takes another raw file as the continuation of the one before, which is
 * read to its end first. The fd is owned from then on, also on failure.
 * A process that has been told under another number goes on where it was.
 */
int weir_pack_continue(struct weir_pack *pack, int raw_fd);

/* Packs all that is left and writes the last blocks. Once. */
int weir_pack_finish(struct weir_pack *pack,
		     struct weir_pack_totals *ret_totals);

/* Gives everything back; a packed file that is not finished stays as it is. */
void weir_pack_close(struct weir_pack *pack);

#endif
