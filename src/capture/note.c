/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that are not calls: losses, and what descriptors stand for. */
#include "capture/note.h"

#include "base/sys.h"
#include "capture/filter.h"
#include "capture/jot.h"
#include "capture/observe.h"
#include "capture/pool.h"
#include "gate/confined.h"
#include "gate/fdmap.h"
#include "gate/ofd.h"
#include "trace/sum_layout.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD_WORDS   6   /* of a note's record, before its detail */
#define HANDLE_BYTES 100 /* ten numbers */
#define LOSS_BYTES   30
#define FIRST_HANDLE 1   /* the working directory at the start */

_Atomic uint32_t weir_note_cwd;

/*
 * Start a note of at most `bytes` of detail. Making room may write a note of
 * its own (of losses), so it comes first. NULL: no room.
 */
static struct weir_jot *begin_note(struct weir_thread *t, size_t bytes)
{
	if (!weir_thread_room(t, (uint32_t)(HEAD_WORDS + bytes / 8 + 1)))
		return NULL;
	t->note.used = 0;
	t->note.cut = false;
	return &t->note;
}

/* A record of its own with `t->note` as detail; start 0: no time of its own. */
static void put_note(struct weir_thread *t, uint64_t def, uint64_t start)
{
	uint32_t padded = (t->note.used + 7) & ~UINT32_C(7);
	uint32_t site = WEIR_RECORD_SITES - 1;
	uint64_t *at = t->cursor;

	if (!start)
		start = t->previous_end;
	*at++ = WEIR_RECORD_DEF | WEIR_RECORD_NOOFF | WEIR_RECORD_WIDE |
		WEIR_RECORD_DETAIL |
		(uint64_t)site << WEIR_RECORD_SITE_SHIFT;
	*at++ = def;
	*at++ = 0;
	*at++ = start - t->previous_end;
	*at++ = 0;
	*at++ = t->note.used;
	if (padded)
		at[padded / 8 - 1] = 0;
	memcpy(at, t->note.bytes, t->note.used);
	at += padded / 8;
	t->sites[site] = (struct weir_thread_site){ .def = def };
	t->previous_end = start;
	t->cursor = at;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, at, weir_thread_depth(t)));
}

void weir_note_tell_handle(struct weir_thread *t,
			   const struct weir_note_handle *h)
{
	struct weir_jot *d = begin_note(
		t, HANDLE_BYTES + (h->path ? strnlen(h->path, 4096) : 0));

	if (!d)
		return;
	weir_jot_unsigned(d, h->handle);
	weir_jot_unsigned(d, (uint64_t)(h->fd + 1));
	weir_jot_unsigned(d, h->origin);
	weir_jot_unsigned(d, h->base);
	weir_jot_unsigned(d, h->mode);
	weir_jot_unsigned(d, h->device);
	weir_jot_unsigned(d, h->inode);
	weir_jot_unsigned(d, 0);
	weir_jot_text(d, h->path);
	put_note(t, WEIR_NOTE_HANDLE, 0);
}

void weir_note_greet(struct weir_thread *t)
{
	struct weir_note_handle cwd = {
		.handle = FIRST_HANDLE,
		.fd = -1,
		.origin = WEIR_ORIGIN_CWD,
		.path = weir_pool_live()->cwd,
	};

	if (t->slot->thread != 1)
		return;
	t->state = WEIR_THREAD_BUSY;
	weir_note_tell_handle(t, &cwd);
	weir_observe_done(t);
}

/*
 * Told first, written after: killed in between, the thread's count in the
 * slot still has them; the other order would count them twice.
 */
void weir_note_loss(struct weir_thread *t)
{
	struct weir_jot *d = begin_note(t, LOSS_BYTES);
	uint64_t drops = t->commit >> WEIR_COMMIT_DROPS_SHIFT;
	uint64_t since = drops - t->slot->drops_told;

	if (!d)
		return;
	weir_jot_unsigned(d, since);
	weir_jot_unsigned(d, t->slot->first_drop);
	weir_jot_unsigned(d, t->slot->last_drop);
	t->slot->drops_told = drops;
	put_note(t, WEIR_NOTE_LOSS, t->slot->first_drop);
}

/* The place is free only when the note is committed: see sum_layout.h. */
bool weir_note_sum(struct weir_thread *t, struct weir_sum *sum)
{
	struct weir_jot *d = begin_note(t, sizeof(*sum));
	uint64_t used;

	if (!d)
		return false;
	used = (uint64_t)((uint8_t *)t->cursor - (uint8_t *)t->data) +
	       HEAD_WORDS * 8 + sizeof(*sum);
	sum->told = (uint64_t)t->sequence << 16 | used;
	memcpy(d->bytes, sum, sizeof(*sum));
	d->used = sizeof(*sum);
	put_note(t, WEIR_NOTE_SUM | sum->key >> 32 << 32, 0);
	return true;
}

void weir_note_entered(struct weir_thread *t, uint32_t depth)
{
	const struct weir_slot_frame *frame = &t->slot->frames[depth];
	uint64_t start = atomic_load(&frame->start);
	uint64_t def = frame->call | (uint64_t)depth << 16 |
		       (uint64_t)WEIR_EVENT_ENTERED << 24 |
		       (uint64_t)frame->handle << 32;

	if (!start)
		return; /* of a file that is not recorded */
	if (begin_note(t, 0))
		put_note(t, def, start);
	else
		weir_thread_drop(t, depth, start);
}

uint32_t weir_note_base(int dirfd)
{
	if (dirfd == WEIR_GATE_AT_FDCWD)
		return atomic_load(&weir_note_cwd);
	return weir_fdmap_handle(weir_fdmap_get(dirfd));
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

uint64_t weir_note_find(struct weir_thread *t, int fd)
{
	struct weir_note_handle h = { .fd = fd,
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
	entry = weir_fdmap_entry(h.handle,
				 weir_ofd_new(fd, WEIR_OFD_SHARED, false),
				 false);
	entry = weir_fdmap_hide(entry, weir_filter_target(target));
	if (!weir_fdmap_why(entry))
		weir_note_tell_handle(t, &h);
	return weir_fdmap_offer(fd, 0, entry);
}

uint64_t weir_note_identify(struct weir_thread *t, int fd)
{
	uint64_t entry;

	t->state = WEIR_THREAD_BUSY;
	entry = weir_note_find(t, fd);
	weir_observe_done(t);
	return entry;
}
