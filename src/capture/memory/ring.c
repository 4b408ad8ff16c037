/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the last calls of a process, in short records. */
#include "capture/memory/ring.h"

#include "base/append.h"
#include "base/sys.h"
#include "capture/memory/control.h"
#include "capture/memory/thread.h"
#include "capture/memory/tick.h"
#include "spec/ring.h"
#include "trace/layout/anchor.h"
#include "trace/layout/ring_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

/* Farther apart than this, `head` alone does not tell by how much. */
#define FAR (INT64_C(1) << (WEIR_RING_TIME_BITS - 2))

/* A unit is at most so many ns as far as two moments can tell: below 1 us. */
#define UNIT_NS UINT64_C(800)

/* Of this process, its parent's until then; what stays the same, by it. */
static struct place {
	struct weir_ring_head *ring;
	struct weir_ring_record *records;
	uint32_t slots, shift;
} own;

/*
 * Only the magnitude of a tick is needed: the collector, which has seen both
 * clocks for long, makes us of units.
 */
static uint32_t unit_shift(bool counter)
{
	struct weir_live_anchor first = weir_anchor_now(counter);
	struct weir_live_anchor second = weir_anchor_now(counter);
	uint64_t mult =
		counter ? weir_anchor_mult(&first, &second) : UINT64_C(1) << 32;
	uint32_t shift = 0;

	while (shift < 24 && mult << 1 <= UNIT_NS << 32) {
		mult <<= 1;
		shift++;
	}
	return shift;
}

void weir_ring_init(struct weir_ring_head *ring, uint32_t slots, uint32_t shift,
		    uint64_t now)
{
	ring->version = 1;
	ring->slots = slots;
	ring->shift = shift;
	ring->begun = now;
	atomic_store(&ring->latest, now);
	atomic_store(&ring->head, now << WEIR_RING_PLACE_BITS);
	memcpy(ring->magic, WEIR_RING_MAGIC, sizeof(ring->magic));
}

static long map_ring(const char *path, size_t bytes)
{
	long fd, err, at;

	if (weir_sys_limits_files(bytes))
		return -EFBIG;
	fd = weir_sys4(SYS_openat, AT_FDCWD, path,
		       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		       0600);
	if (fd < 0)
		return fd;
	weir_sys2(SYS_fchmod, fd, 0600); /* a umask may have left us less */
	err = weir_sys4(SYS_fallocate, fd, 0, 0, bytes);
	at = err ? err
		 : weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED, fd, 0);
	weir_sys1(SYS_close, fd);
	if (weir_sys_failed(at))
		weir_sys3(SYS_unlinkat, AT_FDCWD, path, 0);
	else
		weir_sys3(SYS_madvise, at, bytes, MADV_DONTFORK);
	return at;
}

static struct place ring_place(struct weir_ring_head *ring, uint32_t slots,
			       uint32_t shift)
{
	return (struct place){ ring, weir_ring_records(ring), slots, shift };
}

int weir_ring_open(const char *live_file, uint64_t bytes)
{
	static char path[WEIR_CONTROL_PATH + sizeof(WEIR_RING_SUFFIX)];
	uint32_t shift = unit_shift(weir_tick_is_counter);
	long at;

	if (bytes < WEIR_RING_LEAST || bytes > WEIR_RING_MOST)
		return -EINVAL;
	bytes &= ~(uint64_t)15;
	weir_append_text(weir_append_text(path, live_file), WEIR_RING_SUFFIX);
	at = map_ring(path, WEIR_RING_HEAD_BYTES + bytes);
	if (weir_sys_failed(at))
		return (int)at;
	own = ring_place((struct weir_ring_head *)at, (uint32_t)(bytes / 16),
			 shift);
	weir_ring_init(own.ring, own.slots, shift, weir_tick_now() >> shift);
	return 0;
}

/* Units from the last record on; `head` tells them modulo 2^38. */
WEIR_GATE_HOT int64_t units_since(const struct weir_ring_head *ring,
				  uint64_t head, uint64_t now)
{
	int64_t gap = (int64_t)((now << WEIR_RING_PLACE_BITS) -
				(head & ~WEIR_RING_PLACES)) >>
		      WEIR_RING_PLACE_BITS;
	int64_t about =
		(int64_t)(now - atomic_load_explicit(&ring->latest,
						     memory_order_relaxed));

	if (weir_gate_unlikely(about > FAR || about < -FAR))
		gap += (about - gap + 2 * FAR) >>
		       WEIR_RING_TIME_BITS << WEIR_RING_TIME_BITS;
	return gap;
}

/* The place `by` further on; places go twice round. */
WEIR_GATE_HOT uint32_t step(const struct place *in, uint32_t place, uint32_t by)
{
	uint32_t next = place + by;

	return next >= 2 * in->slots ? next - 2 * in->slots : next;
}

/*
 * Take `count` places, and one more if the gap does not fit into a record.
 * Relaxed: places belong to one thread each, and who reads them comes when
 * all threads are gone, or looks at FRESH.
 */
WEIR_GATE_HOT uint32_t take_places(const struct place *in, uint64_t now,
				   uint32_t count, uint64_t *ret_gap)
{
	struct weir_ring_head *ring = in->ring;
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint64_t next;
	uint32_t place;
	int64_t gap;

	do {
		gap = units_since(ring, head, now);
		place = (uint32_t)(head & WEIR_RING_PLACES);
		next = step(in, place,
			    count + (gap > (int64_t)WEIR_RING_MOST_GAP));
		next |= gap > 0 ? now << WEIR_RING_PLACE_BITS
				: head & ~WEIR_RING_PLACES;
	} while (weir_gate_unlikely(!atomic_compare_exchange_weak_explicit(
		&ring->head, &head, next, memory_order_relaxed,
		memory_order_relaxed)));
	if (gap > 0)
		atomic_store_explicit(&ring->latest, now, memory_order_relaxed);
	if (weir_gate_unlikely((next & WEIR_RING_PLACES) < place))
		atomic_fetch_add(&ring->turns, 1);
	*ret_gap = gap > 0 ? (uint64_t)gap : 0;
	return place;
}

/* The word with FRESH comes last: it says that both are there. */
WEIR_GATE_HOT void write_place(const struct place *in, uint32_t place,
			       uint64_t what, uint64_t data)
{
	bool again = place >= in->slots;
	struct weir_ring_record *to =
		in->records + (again ? place - in->slots : place);

	__atomic_store_n(&to->data, data, __ATOMIC_RELAXED);
	__atomic_store_n(&to->what, what | (again ? 0 : WEIR_RING_FRESH),
			 __ATOMIC_RELEASE);
}

/*
 * A thread that lost the processor after it took its place may find that the
 * others have come round to it: its record has been overwritten already.
 */
WEIR_GATE_HOT bool is_overtaken(const struct place *in, uint32_t place)
{
	uint32_t next = (uint32_t)(atomic_load_explicit(&in->ring->head,
							memory_order_relaxed) &
				   WEIR_RING_PLACES);
	uint32_t since =
		next >= place ? next - place : next + 2 * in->slots - place;

	return since > in->slots;
}

#define NOBODY (WEIR_RING_BARE | WEIR_RING_WHO_MASK << 32) /* fd -1 */

/* Of two, the first carries the gap. */
WEIR_GATE_HOT void add_records(const struct place *in, uint64_t now,
			       const struct weir_ring_record *records,
			       uint32_t count)
{
	uint64_t gap;
	uint32_t place = take_places(in, now, count, &gap);

	if (weir_gate_unlikely(is_overtaken(in, place)))
		return;
	if (weir_gate_unlikely(gap > WEIR_RING_MOST_GAP)) {
		write_place(in, place, NOBODY | WEIR_RING_FILLER, gap);
		place = step(in, place, 1);
		gap = 0;
	}
	write_place(in, place, records[0].what | gap << WEIR_RING_GAP_SHIFT,
		    records[0].data);
	if (count > 1)
		write_place(in, step(in, place, 1), records[1].what,
			    records[1].data);
}

void weir_ring_add(struct weir_ring_head *ring, uint64_t now,
		   const struct weir_ring_record *records, uint32_t count)
{
	struct place in = ring_place(ring, ring->slots, ring->shift);

	add_records(&in, now, records, count);
}

/* A descriptor of more bits than there is room for is nobody's. */
static inline uint64_t who_of(uint32_t handle)
{
	int32_t fd;

	if (weir_gate_likely(!(handle & WEIR_HANDLE_BARE)))
		return (handle & WEIR_RING_WHO_MASK) << WEIR_RING_WHO_SHIFT;
	fd = (int32_t)(handle << 1) >> 1;
	if (fd >= 1 << 29 || fd < -(1 << 29))
		fd = -1;
	return WEIR_RING_BARE |
	       ((uint64_t)(uint32_t)fd & WEIR_RING_WHO_MASK)
		       << WEIR_RING_WHO_SHIFT;
}

WEIR_GATE_HOT void keep_call(uint64_t start, uint64_t data, int64_t off,
			     uint64_t whose)
{
	uint64_t who = who_of((uint32_t)(whose >> 32));
	uint64_t now = start >> own.shift;
	struct weir_ring_record records[2] = {
		{ who | WEIR_RING_FILLER, (uint64_t)off },
		{ who | (whose & 0xf), data },
	};

	if (weir_gate_unlikely((whose & 0xf) == WEIR_RING_UNWRITTEN))
		return;
	if (whose & WEIR_RING_HAS_PLACE) {
		if (weir_gate_likely(data <= WEIR_RING_MOST_MOVED &&
				     (uint64_t)off <= WEIR_RING_MOST_PLACE)) {
			records[1].data =
				WEIR_RING_PLACED |
				(uint64_t)off << WEIR_RING_MOVED_BITS | data;
		} else if (off >= 0 && who != NOBODY) {
			add_records(&own, now, records, 2);
			return;
		}
	}
	add_records(&own, now, records + 1, 1);
}

void weir_ring_keep(uint64_t start, uint64_t data, int64_t off, uint64_t whose)
{
	keep_call(start, data, off, whose);
}

void weir_ring_put(struct weir_thread *t, uint64_t start, uint64_t data,
		   int64_t off, uint64_t whose)
{
	keep_call(start, data, off, whose);
	weir_thread_close_frames(t, whose >> 8 & 0xff);
	weir_thread_done(t);
}
