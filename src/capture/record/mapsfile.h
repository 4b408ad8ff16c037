/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc/self/maps without libc's help. */
#ifndef WEIR_RECORD_MAPSFILE_H
#define WEIR_RECORD_MAPSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `room` is for work, and holds the name of the mapping just read. */
struct weir_mapsfile {
	long fd;
	char *room;
	size_t size, used, at;
};

struct weir_mapsfile_row {
	uintptr_t low, high;
	uint64_t offset, inode;
	bool is_code;
	const char *path; /* empty: of no file, or longer than the room */
};

bool weir_mapsfile_open(struct weir_mapsfile *maps, char *room, size_t size);
bool weir_mapsfile_next(struct weir_mapsfile *maps,
			struct weir_mapsfile_row *ret_row);
void weir_mapsfile_close(struct weir_mapsfile *maps);

#endif
