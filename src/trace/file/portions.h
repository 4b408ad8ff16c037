/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a packed file apart by process, to append it to other files. */
#ifndef WEIR_FILE_PORTIONS_H
#define WEIR_FILE_PORTIONS_H

#include <stdint.h>

struct weir_portions;
struct weir_store;

/* The fd is owned from then on, also on failure. */
int weir_portions_open(int fd, struct weir_portions **ret_parts);
void weir_portions_close(struct weir_portions *parts);

/* One for each process; without any, one of what else was found. */
uint32_t weir_portions_count(const struct weir_portions *parts);

/* The process of a part; 0: of none. */
uint32_t weir_portions_pid(const struct weir_portions *parts, uint32_t part);

/*
 * Appends a part. The first of a file brings the dictionary. 0 or -errno; then
 * the store may hold some of its blocks.
 */
int weir_portions_put(struct weir_portions *parts, uint32_t part,
		   struct weir_store *store);

/*
 * Makes a file that parts were appended to one that can be appended to: cuts
 * off what follows its last whole block. Costs a look at its end unless the
 * last append was cut short. -EBADMSG when it is no such file.
 */
int weir_portions_mend(int fd);

#endif
