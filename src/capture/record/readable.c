/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether memory can be read that nobody has looked at yet. */
#include "capture/record/readable.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <string.h>
#include <sys/uio.h>

#define PAGE_SHIFT 12
#define MOST_PAGES 64
#define MOST_TEXT  4096

/* Both ends are tried: nobody has a name or a vector with a hole in it. */
bool weir_readable_probe(const void *pointer, size_t bytes)
{
	uint8_t ends[2];
	uint8_t *at = (uint8_t *)(uintptr_t)pointer;
	struct iovec here = { ends, sizeof(ends) };
	struct iovec there[] = { { at, 1 }, { at + bytes - 1, 1 } };

	return !weir_confined &&
	       weir_sys6(SYS_process_vm_readv, weir_sys0(SYS_getpid), &here, 1,
			 there, 2, 0) == sizeof(ends);
}

static bool page_is_there(struct weir_thread *t, uintptr_t page)
{
	uintptr_t *known = &t->readable[page % WEIR_THREAD_PAGES];

	/* Nothing is ever mapped there, and 0 is what no page is known as. */
	if (!page)
		return false;
	if (*known == page)
		return true;
	if (!weir_readable_probe((const void *)(page << PAGE_SHIFT), 1))
		return false;
	*known = page;
	return true;
}

bool weir_readable_has_bytes(struct weir_thread *t, const void *from,
			     size_t bytes)
{
	uintptr_t first = (uintptr_t)from >> PAGE_SHIFT;
	uintptr_t last = ((uintptr_t)from + bytes - 1) >> PAGE_SHIFT;

	if (!from || !bytes || last - first >= MOST_PAGES)
		return false;
	for (uintptr_t page = first; page <= last; page++)
		if (!page_is_there(t, page))
			return false;
	return true;
}

bool weir_readable_has_text(struct weir_thread *t, const char *text)
{
	size_t seen = 0;

	while (seen < MOST_TEXT) {
		uintptr_t at = (uintptr_t)text + seen;
		size_t rest = (((at >> PAGE_SHIFT) + 1) << PAGE_SHIFT) - at;

		if (!page_is_there(t, at >> PAGE_SHIFT))
			return false;
		if (memchr((const void *)at, 0, rest))
			return true;
		seen += rest;
	}
	return false;
}
