/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out and records what descriptors stand for. */
#include "capture/record/fdnames.h"

#include "base/sys.h"
#include "capture/memory/pool.h"
#include "capture/process/filter.h"
#include "capture/record/chunk.h"
#include "capture/record/encode.h"
#include "gate/confined.h"
#include "gate/fdmap.h"
#include "gate/ofd.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define HANDLE_BYTES 100 /* ten numbers */
#define FIRST_HANDLE 1	 /* the working directory at the start */

void weir_fdnames_record(struct weir_thread *t,
			 const struct weir_fdnames_handle *h)
{
	struct weir_encoded *d = weir_chunk_begin_note(
		t, HANDLE_BYTES + (h->path ? strnlen(h->path, 4096) : 0));

	if (!d)
		return;
	weir_encode_unsigned(d, h->handle);
	weir_encode_unsigned(d, (uint64_t)(h->fd + 1));
	weir_encode_unsigned(d, h->origin);
	weir_encode_unsigned(d, h->base);
	weir_encode_unsigned(d, h->mode);
	weir_encode_unsigned(d, h->device);
	weir_encode_unsigned(d, h->inode);
	weir_encode_unsigned(d, 0);
	weir_encode_text(d, h->path);
	weir_chunk_put_note(t, WEIR_NOTE_HANDLE, 0);
}

void weir_fdnames_record_cwd(struct weir_thread *t)
{
	struct weir_fdnames_handle cwd = {
		.handle = FIRST_HANDLE,
		.fd = -1,
		.origin = WEIR_ORIGIN_CWD,
		.path = weir_pool_live()->cwd,
	};

	if (t->slot->thread != 1)
		return;
	t->state = WEIR_THREAD_BUSY;
	weir_fdnames_record(t, &cwd);
	weir_thread_done(t);
}

static long link_of(int fd, char *target, size_t room)
{
	char name[64] = "/proc/self/fd/";
	char digits[12];
	size_t at = strlen(name);
	int n = 0;

	do
		digits[n++] = (char)('0' + fd % 10);
	while (fd /= 10);
	while (n)
		name[at++] = digits[--n];
	name[at] = 0;
	return weir_sys4(SYS_readlinkat, AT_FDCWD, name, target, room);
}

uint64_t weir_fdnames_find(struct weir_thread *t, int fd)
{
	struct weir_fdnames_handle h = { .fd = fd,
					 .origin = WEIR_ORIGIN_INHERITED };
	/* The note's own buffer: a signal stack has no room for a path. */
	char *target = (char *)t->found;
	struct stat st;
	uint64_t entry;
	long n;

	if (t->vforks) /* what it uses or copies it may hand on */
		weir_ofd_share(weir_fdmap_ofd(weir_fdmap_get(fd)));
	if (t->vforks || !weir_fdtable_holds(fd) || weir_confined ||
	    weir_sys2(SYS_fstat, fd, &st))
		return 0;
	n = link_of(fd, target, sizeof(t->found) - 1);
	target[n > 0 ? n : 0] = 0;
	h.handle = weir_fdmap_next_handle();
	h.mode = st.st_mode;
	h.device = st.st_dev;
	h.inode = st.st_ino;
	h.path = target;
	entry = weir_fdmap_entry(
		h.handle, weir_ofd_new(fd, WEIR_OFD_SHARED, false), false);
	entry = weir_fdmap_hide(entry, weir_filter_target(target));
	if (!weir_fdmap_why(entry))
		weir_fdnames_record(t, &h);
	return weir_fdmap_offer(fd, 0, entry);
}

uint64_t weir_fdnames_identify(struct weir_thread *t, int fd)
{
	uint64_t entry;

	t->state = WEIR_THREAD_BUSY;
	entry = weir_fdnames_find(t, fd);
	weir_thread_done(t);
	return entry;
}
