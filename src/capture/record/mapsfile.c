/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc/self/maps without libc's help. */
#include "capture/record/mapsfile.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <fcntl.h>
#include <string.h>

#define NUMBERS 128 /* bytes that a line has at most before its name */

bool weir_mapsfile_open(struct weir_mapsfile *maps, char *room, size_t size)
{
	*maps = (struct weir_mapsfile){ .fd = -1, .room = room, .size = size };
	if (!weir_confined && size > NUMBERS)
		maps->fd = weir_sys4(SYS_openat, AT_FDCWD, "/proc/self/maps",
				     O_RDONLY | O_CLOEXEC, 0);
	return maps->fd >= 0;
}

void weir_mapsfile_close(struct weir_mapsfile *maps)
{
	weir_sys1(SYS_close, maps->fd);
}

/* The rest of a line that was begun moves to the front. */
static bool read_more(struct weir_mapsfile *maps)
{
	size_t left = maps->used - maps->at;
	long n;

	memmove(maps->room, maps->room + maps->at, left);
	maps->at = 0;
	maps->used = left;
	n = weir_sys3(SYS_read, maps->fd, maps->room + left, maps->size - left);
	if (n <= 0)
		return false;
	maps->used += (size_t)n;
	return true;
}

/*
 * A line that does not fit has a long name. It is passed over, and the name is
 * empty: the mappings that come after it matter more.
 */
static char *take_long_line(struct weir_mapsfile *maps)
{
	char *rest = maps->room + NUMBERS, *end = NULL;
	char *name = memchr(maps->room, '/', NUMBERS);
	long n = 0;

	while (!end) {
		n = weir_sys3(SYS_read, maps->fd, rest, maps->size - NUMBERS);
		if (n <= 0)
			return NULL;
		end = memchr(rest, '\n', (size_t)n);
	}
	*(name ? name : rest - 1) = 0;
	maps->used = NUMBERS + (size_t)n;
	maps->at = (size_t)(end + 1 - maps->room);
	return maps->room;
}

/* A line, terminated; NULL: there is none. */
static char *next_line(struct weir_mapsfile *maps)
{
	char *line, *end;

	for (;;) {
		line = maps->room + maps->at;
		end = memchr(line, '\n', maps->used - maps->at);
		if (end)
			break;
		if (maps->used - maps->at == maps->size)
			return take_long_line(maps);
		if (!read_more(maps))
			return NULL;
	}
	*end = 0;
	maps->at = (size_t)(end + 1 - maps->room);
	return line;
}

static uint64_t parse_number(char **at, uint64_t base)
{
	uint64_t number = 0;

	for (;; (*at)++) {
		unsigned digit = (unsigned)(**at - '0');

		if (digit > 9) {
			digit = (unsigned)(**at - 'a') + 10;
			if (digit < 10 || digit >= base)
				return number;
		}
		number = number * base + digit;
	}
}

static void skip(char **at, char wanted)
{
	while (**at && **at != wanted)
		(*at)++;
	while (**at == wanted)
		(*at)++;
}

/* low-high rwxp offset device inode path */
bool weir_mapsfile_next(struct weir_mapsfile *maps,
			struct weir_mapsfile_row *ret_row)
{
	char *at = next_line(maps);

	if (!at)
		return false;
	ret_row->low = parse_number(&at, 16);
	skip(&at, '-');
	ret_row->high = parse_number(&at, 16);
	skip(&at, ' ');
	ret_row->is_code = at[0] == 'r' && at[1] && at[2] == 'x';
	skip(&at, ' ');
	ret_row->offset = parse_number(&at, 16);
	skip(&at, ' ');
	skip(&at, ' ');
	ret_row->inode = parse_number(&at, 10);
	skip(&at, ' ');
	ret_row->path = at;
	return true;
}
