/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of all files together how they are shared and used again. */
#ifndef WEIR_FINDINGS_FILESUM_H
#define WEIR_FINDINGS_FILESUM_H

#include "analyse/sums/totals.h"

#include <stddef.h>
#include <stdint.h>

struct weir_uses;

/* Who uses a file, of those whose calls were looked into. */
struct weir_filesum_file {
	uint32_t file; /* number in the names */
	uint32_t users, readers, writers; /* processes */
	uint32_t reader, writer; /* the first of them */
	uint32_t node; /* of the first user */
	uint8_t is_across; /* on several nodes */
};

/* Zero it to begin. */
struct weir_filesum_list {
	struct weir_filesum_file *files;
	size_t count, room;
};

void weir_filesum_fini(struct weir_filesum_list *list);

/* Adds all files of these uses, which no other uses have. 0 or -ENOMEM. */
int weir_filesum_add(struct weir_filesum_list *list,
		     const struct weir_uses *uses,
		     const struct weir_reader *reader);

/* When all have been added, before any is looked for. */
void weir_filesum_sort(struct weir_filesum_list *list);

/* NULL: it was not looked into. */
const struct weir_filesum_file *
weir_filesum_find(const struct weir_filesum_list *list, uint32_t file);

/* How far it is touched, as far as offsets are known; bytes. */
uint64_t weir_filesum_size(const struct weir_row *row);

/*
 * Bytes that were read once more, at least: those beyond its size. 0 where it
 * is not known where calls read.
 */
uint64_t weir_filesum_again(const struct weir_digest *digest);

struct weir_filesum {
	uint64_t files, size;
	uint64_t shared;    /* of several processes */
	uint64_t across;    /* of processes on several nodes */
	uint64_t passed_on; /* written by one process, read by another */
	uint64_t again;	    /* bytes that were read once more */
};

/* Without pipes and objects in files. */
struct weir_filesum weir_filesum_of(const struct weir_totals *totals,
				    const struct weir_filesum_list *list);

#endif
