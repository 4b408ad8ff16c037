/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies and compares files, in the kernel where it can. */
#include "share/filecopy.h"

#include "base/whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE	(256u << 10)
#define AT_ONCE (1u << 30)

uint64_t weir_filecopy_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
}

static int copy_by_hand(int from, off_t at, int to)
{
	char *piece = malloc(PIECE);
	ssize_t n = 0;
	int err = piece ? 0 : -ENOMEM;

	while (!err && (n = pread(from, piece, PIECE, at)) > 0) {
		err = weir_whole_write(to, piece, (size_t)n);
		at += n;
	}
	if (!err && n < 0)
		err = -errno;
	free(piece);
	return err;
}

int weir_filecopy_all(int from, int to)
{
	off_t at = 0;

	while (copy_file_range(from, &at, to, NULL, AT_ONCE, 0) > 0)
		continue;
	/* It may end before the file does, or not be possible here. */
	return copy_by_hand(from, at, to);
}

static int compare_contents(int one, int other, char *left, char *right)
{
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(one, left, PIECE, at);
		ssize_t m = n > 0 ? pread(other, right, (size_t)n, at) : n;

		if (n < 0 || m < 0)
			return -errno;
		if (m != n || memcmp(left, right, (size_t)n))
			return 0;
		if (!n)
			return 1;
		at += n;
	}
}

int weir_filecopy_same(int one, int other)
{
	struct stat a, b;
	char *pieces;
	int same;

	if (fstat(one, &a) || fstat(other, &b))
		return -errno;
	if (a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return 1;
	if (a.st_size != b.st_size)
		return 0;
	pieces = malloc((size_t)2 * PIECE);
	if (!pieces)
		return -ENOMEM;
	same = compare_contents(one, other, pieces, pieces + PIECE);
	free(pieces);
	return same;
}
