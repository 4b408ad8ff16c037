/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies a plan where libc opens files and streams. */
#include "adjust/opened.h"

#include "adjust/adjust.h"
#include "adjust/advice.h"
#include "adjust/buffers.h"
#include "adjust/stripe.h"
#include "base/append.h"
#include "base/sys.h"
#include "capture/process/filter.h"
#include "capture/record/pass.h"
#include "capture/streams/role_stream.h"
#include "gate/confined.h"
#include "spec/params.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

bool weir_opened_is_on;

/* Signal handlers may open files on a small stack. */
static __thread char room[PATH_MAX];
static __thread bool is_busy;

void weir_opened_begin(void)
{
	static const enum weir_plan_target targets[] = {
		WEIR_PLAN_STRIPE,
		WEIR_PLAN_OPEN,
		WEIR_PLAN_STREAM,
	};

	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		weir_opened_is_on |= weir_adjust_has(targets[i]);
}

static void tell_all(struct weir_opened *plan, struct weir_layer *on)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct weir_opened_effect *effect = &plan->effects[i];

		weir_adjust_tell(on, on ? on->pass.handle : 0, effect->setting,
				 effect->verdict,
				 effect->why ? effect->why : effect->said);
	}
	plan->count = 0;
}

static void tell_beside(struct weir_beside *beside,
			const struct weir_pass *pass)
{
	struct weir_layer on = { .pass = *pass };

	tell_all((struct weir_opened *)beside, &on);
}

void weir_opened_count(struct weir_opened *plan)
{
	tell_all(plan, NULL);
}

/* False: we must not ask, or a signal handler has come between. */
static bool begin_open(struct weir_opened *plan)
{
	plan->beside.tell = tell_beside;
	if (weir_confined || is_busy)
		return false;
	is_busy = true;
	return true;
}

static size_t target_of(int fd, char text[PATH_MAX])
{
	char link[sizeof("/proc/self/fd/") + 24];
	long got;

	weir_append_number(weir_append_text(link, "/proc/self/fd/"),
			  (uint64_t)fd);
	got = weir_sys4(SYS_readlinkat, AT_FDCWD, link, text, PATH_MAX - 1);
	if (got <= 0)
		return 0;
	text[got] = 0;
	return (size_t)got;
}

/* As the plan has it: from the root, or from the working directory. */
static const char *name_of(const struct weir_opened *plan, int fd)
{
	size_t used, length;

	if (plan->path && (*plan->path == '/' || plan->dirfd == AT_FDCWD))
		return plan->path;
	used = target_of(plan->path ? plan->dirfd : fd, room);
	if (!used || !plan->path)
		return used ? room : NULL;
	length = strlen(plan->path);
	if (used + length + 2 > sizeof(room))
		return plan->path;
	room[used] = '/';
	memcpy(room + used + 1, plan->path, length + 1);
	return room;
}

/* What is for every file is not for those of the system. */
static bool is_meant(const struct weir_plan_setting *setting, const char *name)
{
	return setting->file || *name != '/' ||
	       weir_filter_target(name) != WEIR_FILTER_SYSTEM;
}

static void advise(struct weir_opened *plan, int fd, const char *name,
		   const struct stat *st)
{
	const struct weir_plan_setting *s = NULL;

	while ((s = weir_adjust_next(WEIR_PLAN_OPEN, name, NULL, s)))
		if (is_meant(s, name))
			weir_advice_give(plan, s, fd, st);
}

static bool is_plain_file(int fd, struct stat *ret_st)
{
	return !weir_sys2(SYS_fstat, fd, ret_st) && S_ISREG(ret_st->st_mode);
}

/* The file was opened: what is set of it afterwards. */
static void follow_descriptor(struct weir_opened *plan, int fd)
{
	struct stat st;
	const char *name;

	if (fd < 0 || plan->flags & O_PATH || !is_plain_file(fd, &st))
		return;
	name = name_of(plan, fd);
	if (name)
		advise(plan, fd, name, &st);
}

static void follow_fd(struct weir_opened *plan, int fd)
{
	if (!begin_open(plan))
		return;
	weir_stripe_finish(plan);
	if (fd < 0)
		plan->count = 0; /* there is no file to tell of */
	follow_descriptor(plan, fd);
	is_busy = false;
}

/* Kept through what the next functions do. */
static void prepare_open(struct weir_opened *plan)
{
	int err = errno;

	if (!begin_open(plan))
		return;
	weir_stripe_prepare(plan, name_of);
	is_busy = false;
	errno = err;
}

void weir_opened_open_before(struct weir_opened *plan)
{
	prepare_open(plan);
}

void weir_opened_open_after(struct weir_opened *plan, int fd)
{
	int err = errno;

	follow_fd(plan, fd);
	errno = err;
}

void weir_opened_creat_before(struct weir_opened *plan)
{
	plan->flags = O_CREAT | O_WRONLY | O_TRUNC;
	prepare_open(plan);
}

void weir_opened_creat_after(struct weir_opened *plan, int fd)
{
	weir_opened_open_after(plan, fd);
}

/* libc makes up the name. */
void weir_opened_temporary_before(struct weir_opened *plan)
{
	plan->flags |= O_CREAT | O_EXCL | O_RDWR;
	plan->beside.tell = tell_beside;
}

void weir_opened_temporary_after(struct weir_opened *plan, int fd)
{
	weir_opened_open_after(plan, fd);
}

/* Other letters make no file: libc refuses them. */
void weir_opened_stream_before(struct weir_opened *plan)
{
	char first = *plan->letters;

	plan->flags = weir_role_letters(plan->letters);
	plan->perms = 0666;
	plan->has_perms = first == 'w' || first == 'a';
	prepare_open(plan);
}

static void enlarge(struct weir_opened *plan, struct weir_stream *stream,
		    const struct weir_plan_setting *setting)
{
	if (stream->flags & WEIR_STREAM_UNBUFFERED) {
		weir_opening_note(plan, setting, WEIR_VERDICT_KEPT,
				  "without a buffer");
		return;
	}
	if (!weir_buffers_give(stream, (size_t)setting->number[0])) {
		weir_opening_note(plan, setting, WEIR_VERDICT_REFUSED,
				  "too many streams, or too large");
		return;
	}
	weir_opening_measure(plan, setting, setting->number[0],
			     stream->buf_end - stream->buf_base);
}

static void follow_stream(struct weir_opened *plan, struct weir_stream *stream)
{
	const struct weir_plan_setting *s = NULL;
	const char *name;
	struct stat st;

	if (!is_plain_file(stream->fd, &st))
		return;
	name = name_of(plan, stream->fd);
	while (name && (s = weir_adjust_next(WEIR_PLAN_STREAM, name, NULL, s)))
		if (s->param == WEIR_PARAM_STDIO_BUFFER && is_meant(s, name))
			enlarge(plan, stream, s);
}

void weir_opened_stream_after(struct weir_opened *plan, void *stream)
{
	struct weir_stream *s = stream;
	int err = errno;

	follow_fd(plan, s ? s->fd : -1);
	if (s && begin_open(plan)) {
		follow_stream(plan, s);
		is_busy = false;
	}
	errno = err;
}

void weir_opened_adopt_before(struct weir_opened *plan)
{
	plan->beside.tell = tell_beside;
}

/* Its descriptor was met as it was opened. */
void weir_opened_adopt_after(struct weir_opened *plan, void *stream)
{
	int err = errno;

	if (stream && begin_open(plan)) {
		follow_stream(plan, stream);
		is_busy = false;
	}
	errno = err;
}

void weir_opened_close_before(struct weir_opened *plan)
{
	plan->buffer = weir_buffers_take(plan->stream);
}

void weir_opened_close_after(struct weir_opened *plan, int ret)
{
	(void)ret;
	weir_buffers_free(plan->buffer);
}
