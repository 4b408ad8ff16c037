/* SPDX-License-Identifier: BSD-3-Clause */
/* What is about to be overwritten is read back. */
#include "base/sys.h"
#include "capture/proof.h"
#include "capture/written.h"
#include "gate/asked.h"
#include "gate/confined.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM 65536

/* Of a descriptor, in /proc. */
static void name_of(int fd, char name[32])
{
	static const char folder[] = "/proc/self/fd/";
	char digits[12];
	size_t at = sizeof(digits);
	unsigned number = (unsigned)fd;

	digits[--at] = 0;
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(name, folder, sizeof(folder) - 1);
	memcpy(name + sizeof(folder) - 1, digits + at, sizeof(digits) - at);
}

struct reader {
	int fd;
	int own; /* for this moment; -1: none */
};

/* Descriptors that cannot be read, or not so, are opened once more. */
static long read_at(struct reader *from, void *to, size_t bytes, uint64_t at)
{
	char name[32];
	long got = from->own < 0 ? weir_sys4(SYS_pread64, from->fd, to, bytes,
					     at)
				 : -1;

	if (got < 0 && from->own < 0) {
		name_of(from->fd, name);
		from->own = (int)weir_sys4(SYS_openat, AT_FDCWD, name,
					   O_RDONLY | O_CLOEXEC, 0);
	}
	if (got < 0 && from->own >= 0)
		got = weir_sys4(SYS_pread64, from->own, to, bytes, at);
	return got;
}

static bool take_part(uint32_t handle, struct reader *from, void *room,
		      struct weir_extent part, bool is_back)
{
	while (part.from < part.to) {
		uint64_t left = part.to - part.from;
		long got = read_at(from, room, left < ROOM ? left : ROOM,
				   part.from);

		if (got < 0)
			return false;
		if (!got) /* it is shorter by now, so these are zeros */
			return true;
		if (is_back)
			weir_proof_add(handle, part.from, room, (size_t)got);
		else
			weir_proof_take(handle, part.from, room, (size_t)got);
		part.from += (uint64_t)got;
	}
	return true;
}

static bool take_parts(uint32_t handle, struct reader *reader, void *room,
		       struct weir_extent range, bool is_back)
{
	uint64_t at, bytes;

	while (weir_proof_find(handle, range.from, range.to - range.from, &at,
			       &bytes)) {
		struct weir_extent part = { at, at + bytes };

		if (!take_part(handle, reader, room, part, is_back))
			return false;
		range.from = part.to;
	}
	return true;
}

void weir_proof_old_take(uint32_t handle, int fd, uint64_t from, uint64_t to,
			 bool is_back)
{
	struct reader reader = { fd, -1 };
	struct weir_extent range = { from, to };
	uint64_t at, bytes;
	bool all = false;
	long room;

	if (from >= to ||
	    !weir_proof_find(handle, from, to - from, &at, &bytes))
		return;
	room = weir_confined ? -1 :
	       weir_sys6(SYS_mmap, 0, ROOM, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!weir_sys_failed(room)) {
		weir_asked_stored(fd);
		all = take_parts(handle, &reader, (void *)room, range,
				 is_back);
		weir_sys2(SYS_munmap, room, ROOM);
	}
	if (reader.own >= 0)
		weir_sys1(SYS_close, reader.own);
	if (!all)
		weir_proof_doubt(handle, WEIR_PROOF_OVERWRITTEN);
}
