/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether the program's memory is there. */
#include "forward/transfer/touch.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <linux/futex.h>
#include <stdint.h>

#define PAGE  ((uintptr_t)4096)
#define AREAS 4
#define BATCH 64 /* pages asked for at once */

struct area {
	uintptr_t low, high;
};

/* [0] may be read, [1] written. The one found last is the first. */
static __thread struct area known[2][AREAS];

static bool is_in_areas(const struct area *areas, uintptr_t low, uintptr_t high)
{
	for (int i = 0; i < AREAS; i++)
		if (low >= areas[i].low && high <= areas[i].high)
			return true;
	return false;
}

/* What touches an area makes it longer; else the oldest one is forgotten. */
static void remember_area(struct area *areas, uintptr_t low, uintptr_t high)
{
	int at = 0;

	while (at < AREAS - 1 && (low > areas[at].high || high < areas[at].low))
		at++;
	if (low <= areas[at].high && high >= areas[at].low) {
		low = low < areas[at].low ? low : areas[at].low;
		high = high > areas[at].high ? high : areas[at].high;
	}
	for (; at; at--)
		areas[at] = areas[at - 1];
	areas[0] = (struct area){low, high};
}

/* One byte of each page is read by the kernel. */
static bool read_pages(uintptr_t low, uintptr_t high)
{
	char bytes[BATCH];
	struct iovec pages[BATCH], here = {bytes, 0};
	long pid = weir_sys0(SYS_getpid);

	while (low < high) {
		here.iov_len = 0;
		for (; low < high && here.iov_len < BATCH; low += PAGE)
			pages[here.iov_len++] = (struct iovec){(void *)low, 1};
		if (weir_sys6(SYS_process_vm_readv, pid, &here, 1, pages,
			      here.iov_len, 0) != (long)here.iov_len)
			return false;
	}
	return true;
}

/* "Or" it with 0: the word stays what it is, whoever else writes it. */
static bool write_pages(uintptr_t low, uintptr_t high)
{
	static uint32_t nobody_waits;
	int nothing = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 1);

	for (; low < high; low += PAGE)
		if (weir_sys6(SYS_futex, &nobody_waits,
			      FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0, low,
			      nothing) < 0)
			return false;
	return true;
}

static bool can_touch(int writes, const void *at, size_t bytes)
{
	uintptr_t low = (uintptr_t)at & ~(PAGE - 1);
	uintptr_t high = ((uintptr_t)at + bytes + PAGE - 1) & ~(PAGE - 1);

	if (!at || high <= low)
		return !bytes;
	if (is_in_areas(known[writes], low, high))
		return true;
	if (weir_confined ||
	    !(writes ? write_pages(low, high) : read_pages(low, high)))
		return false;
	remember_area(known[writes], low, high);
	return true;
}

bool weir_touch_can_read(const void *from, size_t bytes)
{
	return can_touch(0, from, bytes);
}

bool weir_touch_can_write(void *to, size_t bytes)
{
	return can_touch(1, to, bytes);
}
