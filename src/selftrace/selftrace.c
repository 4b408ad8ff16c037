/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events of this process, each as of its thread. */
#include "selftrace/selftrace.h"

#include "base/clock.h"
#include "base/varint.h"
#include "selftrace/eventrow.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST WEIR_SLOT_FRAMES

_Atomic bool weir_selftrace_is_on;

/* What a thread writes with. */
struct rows {
	struct weir_eventrow calls, beside;
	struct {
		uint64_t start, written;
	} open[DEEPEST];
};

static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;
static bool has_begun; /* with `beginning` */
static pthread_key_t at_exit;
static _Atomic uint32_t handles;
static __thread struct rows *own;
static __thread bool is_refused; /* there is no slot for it */

static void end_rows(void *arg)
{
	struct rows *s = arg;

	weir_eventrow_end(&s->calls);
	weir_eventrow_end(&s->beside);
	free(s);
	own = NULL;
}

static struct rows *begin_rows(void)
{
	struct rows *s = is_refused ? NULL : calloc(1, sizeof(*s));

	is_refused = true;
	if (!s)
		return NULL;
	if (!weir_eventrow_begin(&s->calls)) {
		free(s);
		return NULL;
	}
	if (!weir_eventrow_begin(&s->beside)) {
		weir_eventrow_end(&s->calls);
		free(s);
		return NULL;
	}
	is_refused = false;
	own = s;
	pthread_setspecific(at_exit, s);
	return s;
}

/* The calling thread's; NULL: nothing is written, which is counted. */
static struct rows *find_row(void)
{
	struct rows *s = own;

	if (!atomic_load_explicit(&weir_selftrace_is_on, memory_order_acquire))
		return NULL;
	if (!s)
		s = begin_rows();
	if (!s)
		atomic_fetch_add(&weir_ownlive_live()->lost_outside, 1);
	return s;
}

int weir_selftrace_begin(const struct weir_ownlive_title *title)
{
	int err = 0;

	pthread_mutex_lock(&beginning);
	if (!has_begun) {
		err = -pthread_key_create(&at_exit, end_rows);
		if (!err)
			err = weir_ownlive_open(title);
		has_begun = !err;
		atomic_store(&weir_selftrace_is_on, !err);
	}
	pthread_mutex_unlock(&beginning);
	return err;
}

void weir_selftrace_end(void)
{
	if (atomic_exchange(&weir_selftrace_is_on, false))
		atomic_store(&weir_ownlive_live()->exiting, 1);
}

uint64_t weir_selftrace_now(void)
{
	return atomic_load(&weir_selftrace_is_on)
		       ? weir_clock_tick(weir_ownlive_counts())
		       : 0;
}

/* As a HANDLE note tells it: an absolute path, of no descriptor. */
uint32_t weir_selftrace_name(const char *path)
{
	struct rows *s = find_row();
	uint8_t detail[10 * WEIR_VARINT_MAX + PATH_MAX];
	size_t length = strnlen(path, PATH_MAX - 1), used = 0;
	uint64_t now = weir_selftrace_now();
	uint32_t handle;
	struct weir_eventrow_line line = {.call = WEIR_NOTE_HANDLE,
					  .start = now,
					  .end = now,
					  .detail = detail};

	if (!s)
		return 0;
	handle = atomic_fetch_add(&handles, 1) + 1;
	used += weir_varint_put(detail + used, handle);
	used += weir_varint_put(detail + used, 0);
	used += weir_varint_put(detail + used, WEIR_ORIGIN_OPENED);
	for (int i = 0; i < 5; i++) /* base, mode, device, inode, flags */
		used += weir_varint_put(detail + used, 0);
	used += weir_varint_put(detail + used, length);
	memcpy(detail + used, path, length);
	line.detail_bytes = (uint32_t)(used + length);
	weir_eventrow_put(&s->beside, &line);
	return handle;
}

void weir_selftrace_number(struct weir_selftrace_event *event, uint64_t number)
{
	if (event->detail_bytes + WEIR_VARINT_MAX <= WEIR_SELFTRACE_DETAIL)
		event->detail_bytes += (uint32_t)weir_varint_put(
			event->detail + event->detail_bytes, number);
}

void weir_selftrace_text(struct weir_selftrace_event *event, const char *text)
{
	uint32_t length = (uint32_t)strnlen(text, WEIR_SELFTRACE_DETAIL / 2);

	weir_selftrace_number(event, length);
	if (event->detail_bytes + length > WEIR_SELFTRACE_DETAIL)
		return;
	memcpy(event->detail + event->detail_bytes, text, length);
	event->detail_bytes += length;
}

static void put_event_line(struct weir_eventrow *row,
			   const struct weir_selftrace_event *event,
			   uint64_t start, uint32_t depth)
{
	weir_eventrow_put(row,
			  &(struct weir_eventrow_line){
				  .call = event->call,
				  .handle = event->handle,
				  .depth = depth,
				  .start = start,
				  .end = weir_clock_tick(weir_ownlive_counts()),
				  .size = event->size,
				  .off = event->off,
				  .has_off = event->has_off,
				  .ret = event->ret,
				  .detail = event->detail,
				  .detail_bytes = event->detail_bytes,
			  });
}

bool weir_selftrace_is_inside(void)
{
	return own && weir_eventrow_depth(&own->calls) > 0;
}

bool weir_selftrace_enter(uint32_t call, uint32_t handle)
{
	struct rows *s = find_row();
	uint64_t start = weir_selftrace_now();
	uint32_t depth = s ? weir_eventrow_depth(&s->calls) : DEEPEST;

	if (depth >= DEEPEST || !start)
		return false;
	s->open[depth].start = start;
	s->open[depth].written = s->calls.written;
	weir_eventrow_enter(&s->calls, call, handle, start);
	return true;
}

/* Who has entered has a row, also if all is over by now. */
void weir_selftrace_leave(const struct weir_selftrace_event *event)
{
	uint32_t depth = weir_eventrow_depth(&own->calls) - 1;

	put_event_line(&own->calls, event, own->open[depth].start, depth);
}

bool weir_selftrace_cancel(void)
{
	uint32_t depth = weir_eventrow_depth(&own->calls) - 1;

	if (own->calls.written != own->open[depth].written)
		return true;
	weir_eventrow_forget(&own->calls);
	return false;
}

void weir_selftrace_put(const struct weir_selftrace_event *event)
{
	struct rows *s = find_row();
	uint64_t start = event->start ? event->start : weir_selftrace_now();

	if (s)
		put_event_line(&s->beside, event, start, 0);
}
