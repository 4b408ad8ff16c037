/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the raw trace file and keeps room for its last blocks. */
#ifndef WEIR_COLLECT_SPOOL_H
#define WEIR_COLLECT_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

struct weir_store;
struct weir_spool;

/* Makes the file; -EEXIST when there is one. */
int weir_spool_open(const char *path, struct weir_spool **ret_spool);

/* Gives back what was kept and not used. */
void weir_spool_close(struct weir_spool *spool);

/* To append to; ask for room before anything but the last blocks. */
struct weir_store *weir_spool_store(struct weir_spool *spool);

/* Goes on with another file, which takes the place of the first. */
void weir_spool_replace(struct weir_spool *spool, struct weir_store *store);

/* Bytes to keep for the last blocks; more processes need more of them. */
void weir_spool_keep(struct weir_spool *spool, uint64_t bytes);

/* The file must not grow beyond this, but for the last blocks. */
void weir_spool_set_limit(struct weir_spool *spool, uint64_t bytes);

/* Whether a block was refused for that reason. */
bool weir_spool_is_limited(const struct weir_spool *spool);

/* 0, or why a block of this size must not be appended (-ENOSPC, ...). */
int weir_spool_make_room(struct weir_spool *spool, uint64_t payload);

#endif
