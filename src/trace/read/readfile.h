/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a file of a trace, which need not stay open to be read. */
#ifndef WEIR_READ_READFILE_H
#define WEIR_READ_READFILE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * A trace may have more files than a process may have descriptors, and a
 * mapping would not do: see weir_blocks. Zero it to begin.
 */
struct weir_readfile {
	char *path;  /* NULL: fd is borrowed, and stays open */
	int is_kept; /* fd is open for good */
	int fd;
	dev_t device;
	ino_t inode;
};

/* Opens a regular file; -EBADMSG for anything else, which could block. */
int weir_readfile_find(const char *path, int *ret_fd);

/* What was found; fd is owned from then on and, unless kept, closed. */
int weir_readfile_init(struct weir_readfile *file, const char *path, int fd,
		       int keep);
void weir_readfile_fini(struct weir_readfile *file);

/* For a while; -ESTALE when another file has its name by now. */
int weir_readfile_open(const struct weir_readfile *file, int *ret_fd);
void weir_readfile_close(const struct weir_readfile *file, int fd);

/* How many files may be kept: others need descriptors, too. */
uint32_t weir_readfile_most(void);

#endif
