/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds files that the service has, by name or by what stat tells. */
#ifndef WEIR_FILES_SERVEDFILES_H
#define WEIR_FILES_SERVEDFILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct weir_servedfile {
	uint32_t file, turn; /* place on the board; turn 0: not there */
	uint32_t flags;	     /* WEIR_FILE_*, of the moment */
};

/* Of WEIR_FORWARD: on which devices the forwarded files are. */
void weir_servedfiles_begin(const char *where);

/*
 * A file as stat tells it. `dir` and `path` (NULL: dir is the file itself) are
 * how it was found: a process that has not attached yet does so when it may
 * meet a forwarded file.
 */
bool weir_servedfiles_find(const struct stat *about, int dir, const char *path,
			   struct weir_servedfile *ret_served);

/* By its numbers, without attaching: only where the board is mapped. */
bool weir_servedfiles_find_inode(uint64_t dev, uint64_t ino,
				 struct weir_servedfile *ret_served);

/* By name; `follow`: of a link, the file that it leads to. */
bool weir_servedfiles_find_name(int dir, const char *path, bool follow,
				struct weir_servedfile *ret_served);

int weir_servedfiles_commit(const struct weir_servedfile *served);
int weir_servedfiles_bypass(const struct weir_servedfile *served);
void weir_servedfiles_unlinked(const struct weir_servedfile *served);

/* All files that are being written. */
void weir_servedfiles_commit_all(void);

#endif
