/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads back what is about to be overwritten. */
#include "base/sys.h"
#include "capture/digests/digests.h"
#include "gate/asked.h"
#include "gate/confined.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM (UINT64_C(1) << 18)
#define NEAR 4096

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

/* Descriptors that cannot be read, or not so, are opened once more. */
static long read_at(struct weir_digest_old *old, size_t bytes, uint64_t at)
{
	char name[32];
	long got = old->own < 0 ? weir_sys4(SYS_pread64, old->fd, old->room,
					    bytes, at)
				: -1;

	if (got < 0 && old->own < 0) {
		name_of(old->fd, name);
		old->own = (int)weir_sys4(SYS_openat, AT_FDCWD, name,
					  O_RDONLY | O_CLOEXEC, 0);
	}
	if (got < 0 && old->own >= 0)
		got = weir_sys4(SYS_pread64, old->own, old->room, bytes, at);
	return got;
}

/* --- memory ------------------------------------------------------------- */

/* Kept for the next call; who finds none has its own. */
static void *_Atomic spare;

static uint8_t *get_room(void)
{
	void *room = atomic_exchange(&spare, NULL);
	long at;

	if (room || weir_confined)
		return room;
	at = weir_sys6(SYS_mmap, 0, ROOM, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return weir_sys_failed(at) ? NULL : (uint8_t *)at;
}

static void put_room(void *room)
{
	room = atomic_exchange(&spare, room);
	if (room && !weir_confined)
		weir_sys2(SYS_munmap, room, ROOM);
}

/* --- parts -------------------------------------------------------------- */

/* Parts that lie close together are read at once, more and more of them. */
static uint64_t length_to_read(struct weir_digest_old *old,
			       struct weir_digests_range part)
{
	uint64_t length = part.to - part.from;

	if (old->to && part.from >= old->to && part.from - old->to < NEAR)
		old->ahead = old->ahead ? old->ahead * 2 : NEAR;
	else
		old->ahead = 0;
	if (old->ahead > length)
		length = old->ahead;
	return length < ROOM ? length : ROOM;
}

/* Bytes from this place on; 0: it cannot be read. */
static uint64_t read_from(struct weir_digest_old *old,
			  struct weir_digests_range part)
{
	long got;

	if (part.from >= old->from && part.from < old->to)
		return old->to - part.from;
	got = read_at(old, length_to_read(old, part), part.from);
	if (got <= 0)
		return 0;
	old->has_read = true;
	old->from = part.from;
	old->to = part.from + (uint64_t)got;
	return (uint64_t)got;
}

static bool sum_up_part(struct weir_digest_old *old,
			struct weir_digests_range part,
			struct weir_digests_piece *ret_piece)
{
	*ret_piece = (struct weir_digests_piece){ .position = part.from };
	while (part.from < part.to) {
		uint64_t there = read_from(old, part);

		if (!there)
			return false;
		if (there > part.to - part.from)
			there = part.to - part.from;
		weir_digests_extend(ret_piece,
				    old->room + (part.from - old->from), there);
		part.from += there;
	}
	return true;
}

void weir_digest_old_begin(struct weir_digest_old *old, uint32_t handle, int fd)
{
	*old = (struct weir_digest_old){ .handle = handle,
					 .fd = fd,
					 .own = -1 };
}

void weir_digest_old_begin_closed(struct weir_digest_old *old, uint32_t handle,
				  int (*open)(const void *file),
				  const void *file)
{
	weir_digest_old_begin(old, handle, -1);
	old->open = open;
	old->file = file;
}

/* Once: what could not be opened is not tried again. */
static int descriptor_of(struct weir_digest_old *old)
{
	if (old->own < 0 && old->open)
		old->own = old->open(old->file);
	old->open = NULL;
	return old->own < 0 ? old->fd : old->own;
}

static bool can_read(struct weir_digest_old *old)
{
	int fd;

	if (old->room)
		return true;
	if (weir_confined || (fd = descriptor_of(old)) < 0)
		return false;
	weir_asked_stored(fd);
	old->room = get_room();
	return old->room != NULL;
}

void weir_digest_old_learn(struct weir_digest_old *old,
			   struct weir_digests_range *ranges, uint32_t count)
{
	struct weir_digests_piece piece;
	struct weir_digests_range part;
	uint32_t at = 0;

	for (;;) {
		at += weir_digests_blind_among(old->handle, ranges + at,
					       count - at, &part);
		if (at == count || !can_read(old) ||
		    !sum_up_part(old, part, &piece))
			return;
		weir_digests_learn(old->handle, &piece);
		ranges[at].from = part.to;
	}
}

void weir_digest_old_end(struct weir_digest_old *old)
{
	if (old->room)
		put_room(old->room);
	if (old->own >= 0)
		weir_sys1(SYS_close, old->own);
}
