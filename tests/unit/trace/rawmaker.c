/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes raw traces for tests, by the rules of doc/format.md. */
#include "rawmaker.h"

#include "base/varint.h"
#include "trace/facts/props.h"
#include "trace/pack/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char rawmaker_dictionary[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind dirfd s detail dirfd\n"
	"kind otherfd h detail otherfd\n"
	"kind newfd2 s detail decimal\n"
	"kind in - none none\n"
	"kind out - none none\n"
	"kind size - size bytes\n"
	"kind off - off bytes\n"
	"kind whence - size whence\n"
	"kind cmd - size fcntl_cmd\n"
	"kind word - off decimal\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind stat x detail stat\n"
	"kind iov v detail vector\n"
	"kind fdpair f detail fdpair\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n"
	"kind err - result decimal\n"
	"kind pos - result bytes\n"
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 2 openat newfd open dir:dirfd path:path flags:oflags mode:mode\n"
	"call 4 close err close fd:fd\n"
	"call 8 dup2 newfd dup fd:fd to:newfd2\n"
	"call 10 fcntl err control fd:fd cmd:cmd arg:word\n"
	"call 11 pipe err pipe fds:fdpair\n"
	"call 20 read count read fd:fd buf:out len:size\n"
	"call 21 write count write fd:fd buf:in len:size\n"
	"call 22 pread count read fd:fd buf:out len:size off:off\n"
	"call 23 pwrite count write fd:fd buf:in len:size off:off\n"
	"call 25 writev count write fd:fd vec:iov\n"
	"call 40 lseek pos seek fd:fd off:off whence:whence\n"
	"call 60 stat err meta path:path st:stat\n"
	"call 70 sendfile count copy out:fd in:otherfd len:size\n";

static void check(int err)
{
	if (!err)
		return;
	fprintf(stderr, "rawmaker: %s\n", strerror(-err));
	abort();
}

static void append(struct weir_store *store, struct weir_block head,
		   const void *payload)
{
	check(weir_store_append(store, &head, payload));
}

void rawmaker_start(struct rawmaker *maker, struct weir_store *store,
		    uint32_t proc, uint32_t thread, uint64_t clock)
{
	memset(maker, 0, sizeof(*maker));
	maker->store = store;
	maker->proc = proc;
	maker->thread = thread;
	maker->clock = maker->base = clock;
}

void rawmaker_flush(struct rawmaker *maker)
{
	if (!maker->used)
		return;
	append(maker->store,
	       (struct weir_block){ .type = WEIR_BLOCK_CHUNK,
				    .stored = maker->used * 8,
				    .proc = maker->proc,
				    .thread = maker->thread,
				    .count = maker->records,
				    .first = ++maker->sequence,
				    .last = maker->base },
	       maker->words);
	maker->base = maker->clock;
	maker->used = maker->records = 0;
	memset(maker->sites, 0, sizeof(maker->sites));
}

static void put(struct rawmaker *maker, uint64_t word)
{
	maker->words[maker->used++] = word;
}

static uint64_t put_call(struct rawmaker *maker, const struct weir_event *e)
{
	uint64_t index = (e->call + e->handle * 7) % 64;
	uint64_t flags = e->flags & ~(WEIR_EVENT_FAILED | WEIR_EVENT_NOOFF);
	uint64_t def = e->call | (uint64_t)e->depth << 16 | flags << 24 |
		       (uint64_t)e->handle << 32;
	uint64_t bits = index << WEIR_RECORD_SITE_SHIFT;

	if (maker->sites[index].def != def) {
		bits |= WEIR_RECORD_DEF;
		put(maker, maker->sites[index].def = def);
		put(maker, maker->sites[index].size = e->size);
		maker->sites[index].next = 0;
	} else if (maker->sites[index].size != e->size) {
		bits |= WEIR_RECORD_SIZE;
		put(maker, maker->sites[index].size = e->size);
	}
	if (e->flags & WEIR_EVENT_NOOFF) {
		bits |= WEIR_RECORD_NOOFF;
	} else {
		if (maker->sites[index].next != (uint64_t)e->off) {
			bits |= WEIR_RECORD_OFF;
			put(maker, (uint64_t)e->off);
		}
		maker->sites[index].next = (uint64_t)e->off + e->size;
	}
	return bits;
}

static uint64_t put_result(struct rawmaker *maker, const struct weir_event *e)
{
	uint64_t usual = e->flags & WEIR_EVENT_RETSIZE ? e->size : 0;
	uint64_t gap = e->start - maker->clock, bits = 0;

	if (e->flags & WEIR_EVENT_FAILED)
		bits |= WEIR_RECORD_FAILED | WEIR_RECORD_RET;
	if ((uint64_t)e->ret != usual)
		bits |= WEIR_RECORD_RET;
	if (bits & WEIR_RECORD_RET)
		put(maker, (uint64_t)e->ret);
	if ((gap | e->dur) >> WEIR_RECORD_TIME_BITS) {
		put(maker, gap);
		put(maker, e->dur);
		bits |= WEIR_RECORD_WIDE;
	} else {
		bits |= e->dur << WEIR_RECORD_DUR_SHIFT |
			gap << WEIR_RECORD_GAP_SHIFT;
	}
	maker->clock = e->start + e->dur;
	return bits;
}

void rawmaker_add(struct rawmaker *maker, const struct weir_event *event)
{
	uint32_t detail = (event->detail_len + 7) / 8, at;
	uint64_t bits;

	if (maker->used + 10 + detail > RAWMAKER_WORDS)
		rawmaker_flush(maker);
	at = maker->used++;
	bits = put_call(maker, event);
	bits |= put_result(maker, event);
	if (event->detail_len) {
		bits |= WEIR_RECORD_DETAIL;
		put(maker, event->detail_len);
		maker->words[maker->used + detail - 1] = 0;
		memcpy(&maker->words[maker->used], event->detail,
		       event->detail_len);
		maker->used += detail;
	}
	maker->words[at] = bits;
	maker->records++;
}

void rawmaker_number(struct rawmaker_detail *detail, uint64_t number)
{
	detail->used += (uint32_t)weir_varint_put(detail->bytes + detail->used,
						  number);
}

void rawmaker_text(struct rawmaker_detail *detail, const char *text)
{
	rawmaker_number(detail, strlen(text));
	memcpy(detail->bytes + detail->used, text, strlen(text));
	detail->used += (uint32_t)strlen(text);
}

void rawmaker_put(struct rawmaker *maker, struct weir_event event,
		  struct rawmaker_detail *detail)
{
	if (detail) {
		event.detail = detail->bytes;
		event.detail_len = detail->used;
	}
	rawmaker_add(maker, &event);
	if (detail)
		detail->used = 0;
}

void rawmaker_open(struct rawmaker *maker, uint32_t handle, int fd,
		   uint32_t base, const char *path)
{
	struct rawmaker_detail detail = { .used = 0 };
	struct weir_event event = {
		.call = 1,
		.handle = handle,
		.flags = WEIR_EVENT_NEWHANDLE | WEIR_EVENT_NOOFF,
		.start = maker->clock + 50,
		.dur = 2000,
		.ret = fd,
	};

	rawmaker_number(&detail, base);
	rawmaker_text(&detail, path);
	rawmaker_number(&detail, 0102);
	rawmaker_number(&detail, 0644 + 1);
	rawmaker_put(maker, event, &detail);
}

void rawmaker_handle(struct rawmaker *maker, uint32_t handle, int fd,
		     int origin, uint32_t base, const char *path)
{
	struct rawmaker_detail detail = { .used = 0 };
	struct weir_event event = {
		.call = WEIR_NOTE_HANDLE,
		.flags = WEIR_EVENT_NOOFF,
		.start = maker->clock,
	};

	rawmaker_number(&detail, handle);
	rawmaker_number(&detail, (uint64_t)fd + 1);
	rawmaker_number(&detail, (uint64_t)origin);
	rawmaker_number(&detail, base);
	for (int i = 0; i < 4; i++)
		rawmaker_number(&detail, 0);
	rawmaker_text(&detail, path);
	rawmaker_put(maker, event, &detail);
}

void rawmaker_block(struct weir_store *store, uint32_t type, uint32_t proc,
		    const char *text)
{
	append(store,
	       (struct weir_block){ .type = type,
				    .proc = proc,
				    .stored = (uint32_t)strlen(text) },
	       text);
}

static void append_props(struct weir_store *store, uint32_t type,
			 uint32_t proc, struct weir_props *props)
{
	append(store,
	       (struct weir_block){ .type = type,
				    .proc = proc,
				    .stored = (uint32_t)props->used },
	       props->text);
	weir_props_fini(props);
}

void rawmaker_head(struct weir_store *store, uint64_t mult)
{
	struct weir_props props;

	weir_props_init(&props);
	check(weir_props_add_number(&props, "format", 1));
	check(weir_props_add_text(&props, "weir", "0.1.0"));
	check(weir_props_add_text(&props, "host", "node01"));
	check(weir_props_add_number(&props, "created", 1700000000000000000));
	check(weir_props_add_text(&props, "clock", "tsc"));
	check(weir_props_add_number(&props, "tick0", 1000000));
	check(weir_props_add_number(&props, "mono0", 5000000000));
	check(weir_props_add_number(&props, "real0", 1700000000000000000));
	check(weir_props_add_number(&props, "mult", mult));
	append_props(store, WEIR_BLOCK_HEAD, 0, &props);
}

void rawmaker_dict(struct weir_store *store)
{
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, rawmaker_dictionary);
}

void rawmaker_proc(struct weir_store *store, uint32_t number, uint32_t pid,
		   const char *state)
{
	struct weir_props props;
	char thread[64];

	weir_props_init(&props);
	check(weir_props_add_number(&props, "pid", pid));
	check(weir_props_add_number(&props, "ppid", 1));
	check(weir_props_add_number(&props, "uid", 1000));
	check(weir_props_add_number(&props, "start", 4242 + pid));
	check(weir_props_add_number(&props, "image", 0));
	check(weir_props_add_text(&props, "exe", "/usr/bin/app"));
	check(weir_props_add_text(&props, "cwd", "/home/user"));
	check(weir_props_add_text(&props, "arg", "app"));
	check(weir_props_add_text(&props, "arg", "two\nlines 100%"));
	check(weir_props_add_number(&props, "tick0", 1000000));
	for (uint32_t i = 1; i < 3; i++) {
		snprintf(thread, sizeof(thread), "%u %u 0 %u", i, pid + i - 1,
			 i - 1);
		check(weir_props_add_text(&props, "thread", thread));
	}
	check(weir_props_add_number(&props, "dropped", 1));
	check(weir_props_add_number(&props, "outside", 0));
	check(weir_props_add_number(&props, "lost", 0));
	check(weir_props_add_text(&props, "stop", "none"));
	check(weir_props_add_text(&props, "state", state));
	append_props(store, WEIR_BLOCK_PROC, number, &props);
}

static int fail(const char *path, int err)
{
	fprintf(stderr, "%s: %s\n", path, strerror(-err));
	return 1;
}

int rawmaker_main(int argc, char **argv, void (*fill)(struct weir_store *))
{
	struct weir_pack_totals totals;
	struct weir_store *store;
	struct weir_pack *pack;
	int err;

	if (argc != 3)
		return 2;
	err = weir_store_create(argv[1], &store);
	if (err)
		return fail(argv[1], err);
	fill(store);
	weir_store_close(store);
	err = weir_pack_open(argv[1], argv[2], &pack);
	if (!err)
		err = weir_pack_finish(pack, &totals);
	if (err)
		return fail(argv[2], err);
	weir_pack_close(pack);
	return 0;
}
