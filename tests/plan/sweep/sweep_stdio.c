/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams and descriptors, with gaps in their files. */
#include "sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1500, GAP = 9000, BLOCK = 3000, BLOCKS = 12 };

static void write_lines(struct sweep *sweep, const char *path, const char *how)
{
	FILE *file = fopen(path, how);

	sweep_hold(sweep, file, "a stream can be opened");
	if (!file)
		return;
	for (int i = 0; i < LINES; i++)
		fprintf(file, "line %d of a stream\n", i);
	fseek(file, GAP, SEEK_CUR);
	fputs("after a gap\n", file);
	sweep_hold(sweep, !fclose(file), "a stream can be closed");
}

static void read_lines(struct sweep *sweep, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[64], expected[64];

	if (!file)
		return;
	for (int i = 0; i < LINES; i++) {
		snprintf(expected, sizeof(expected), "line %d of a stream\n",
			 i);
		if (!fgets(line, sizeof(line), file) || strcmp(line, expected))
			sweep_hold(sweep, false, "a line is read as written");
	}
	fclose(file);
}

/* Every third block is left out. */
static void write_blocks(struct sweep *sweep, const char *path)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
	char block[BLOCK], seen[BLOCK];

	for (int i = 0; i < BLOCKS; i++) {
		memset(block, 'a' + i, sizeof(block));
		if (i % 3 != 1)
			sweep_hold(sweep, pwrite(fd, block, BLOCK,
						 (off_t)i * BLOCK) == BLOCK,
				   "a block is written");
	}
	for (int i = 0; i < BLOCKS - 1; i++) {
		memset(block, i % 3 != 1 ? 'a' + i : 0, sizeof(block));
		sweep_hold(sweep, pread(fd, seen, BLOCK, (off_t)i * BLOCK) ==
					  BLOCK &&
				  !memcmp(seen, block, BLOCK),
			   "a block or gap is read as written");
	}
	close(fd);
}

void sweep_stdio(struct sweep *sweep)
{
	char path[4096];

	sweep_path(sweep, "stream.txt", path);
	write_lines(sweep, path, "w");
	read_lines(sweep, path);
	write_lines(sweep, path, "a");
	sweep_path(sweep, "blocks.bin", path);
	write_blocks(sweep, path);
}
