/* SPDX-License-Identifier: BSD-3-Clause */
/* A small raw trace with one of everything, always the same. */
#include "sample.h"

#include "rawmaker.h"

#include "base/varint.h"
#include "trace/pack/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	CALL_OPEN = 1,
	CALL_OPENAT = 2,
	CALL_CLOSE = 4,
	CALL_DUP2 = 8,
	CALL_FCNTL = 10,
	CALL_PIPE = 11,
	CALL_READ = 20,
	CALL_WRITE = 21,
	CALL_PREAD = 22,
	CALL_PWRITE = 23,
	CALL_WRITEV = 25,
	CALL_LSEEK = 40,
	CALL_STAT = 60,
	CALL_SENDFILE = 70,
};

static uint32_t chance(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static struct weir_event event_of(const struct rawmaker *maker, uint16_t call,
				  uint32_t handle)
{
	return (struct weir_event){
		.call = call,
		.handle = handle,
		.start = maker->clock + 75,
		.dur = 600,
	};
}

static void add_plain(struct rawmaker *maker, uint16_t call, uint32_t handle,
		      int64_t off, uint64_t size, uint32_t noise)
{
	struct weir_event event = event_of(maker, call, handle);

	event.start += noise;
	event.dur += noise / 2;
	event.flags = WEIR_EVENT_RETSIZE;
	event.off = off;
	event.size = size;
	event.ret = (int64_t)size;
	rawmaker_add(maker, &event);
}

/* Failed, cut short, unknown offset, never returned. 5 events. */
static void add_odd(struct rawmaker *maker)
{
	struct weir_event event = event_of(maker, CALL_READ, 2);
	struct rawmaker_detail detail = { .used = 0 };

	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_FAILED;
	event.size = 4096;
	event.ret = EAGAIN;
	rawmaker_add(maker, &event);

	event = event_of(maker, CALL_WRITE, 3);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_RETSIZE;
	event.size = 100;
	event.ret = 60;
	event.dur = UINT64_C(1) << 33;
	rawmaker_add(maker, &event);

	event = event_of(maker, CALL_OPEN, 0);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_FAILED | WEIR_EVENT_CUT;
	event.ret = ENAMETOOLONG;
	rawmaker_number(&detail, 1);
	rawmaker_number(&detail, 4000);
	rawmaker_text(&detail, "cut/off");
	rawmaker_put(maker, event, &detail);

	event = event_of(maker, CALL_CLOSE, 999);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_VFORK;
	rawmaker_add(maker, &event);

	event = event_of(maker, CALL_PREAD, 2);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_ENTERED;
	event.dur = 0;
	rawmaker_add(maker, &event);
}

/* Details of every wire. 7 events. */
static void add_details(struct rawmaker *maker)
{
	struct rawmaker_detail stat = { .used = 0 }, vector = { .used = 0 };
	struct rawmaker_detail pair = { .used = 0 }, other = { .used = 0 };
	struct rawmaker_detail to = { .used = 0 }, at = { .used = 0 };
	struct weir_event event = event_of(maker, CALL_STAT, 0);

	event.flags = WEIR_EVENT_NOOFF;
	rawmaker_number(&stat, 0);
	rawmaker_text(&stat, "/etc/../etc//./passwd");
	rawmaker_number(&stat, 1);
	for (int i = 0; i < 13; i++)
		rawmaker_number(&stat, 0100000 + (uint64_t)i);
	rawmaker_put(maker, event, &stat);

	event = event_of(maker, CALL_WRITEV, 2);
	event.flags = WEIR_EVENT_RETSIZE;
	event.off = 8192;
	event.size = event.ret = 48;
	rawmaker_number(&vector, 3);
	rawmaker_number(&vector, 2);
	for (uint64_t i = 0; i < 4; i++)
		rawmaker_number(&vector, 0x7fff00001000 * (i & 1) + 16);
	rawmaker_put(maker, event, &vector);

	event = event_of(maker, CALL_PIPE, 0);
	event.flags = WEIR_EVENT_NOOFF;
	rawmaker_number(&pair, 1);
	rawmaker_number(&pair, weir_varint_zigzag(7));
	rawmaker_number(&pair, weir_varint_zigzag(8));
	rawmaker_put(maker, event, &pair);

	event = event_of(maker, CALL_SENDFILE, 3);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_RETSIZE;
	event.size = event.ret = 1 << 20;
	rawmaker_number(&other, weir_varint_zigzag(3));
	rawmaker_number(&other, 2);
	rawmaker_put(maker, event, &other);

	event = event_of(maker, CALL_DUP2, 2);
	event.flags = WEIR_EVENT_NOOFF;
	event.ret = 9;
	rawmaker_number(&to, weir_varint_zigzag(9));
	rawmaker_put(maker, event, &to);

	event = event_of(maker, CALL_OPENAT, 6);
	event.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_NEWHANDLE;
	event.ret = 10;
	rawmaker_number(&at, weir_varint_zigzag(-100));
	rawmaker_number(&at, 1);
	rawmaker_text(&at, "\xff\x1b[31m \"quoted\\\" \xc3\xa9\n");
	rawmaker_number(&at, 02000000);
	rawmaker_number(&at, 0);
	rawmaker_put(maker, event, &at);

	event = event_of(maker, CALL_LSEEK, 2);
	event.off = -8;
	event.size = 2;
	event.ret = 4088;
	rawmaker_add(maker, &event);
}

/* A parent that ends after its children, as records do. 3 events. */
static void add_nested(struct rawmaker *maker)
{
	uint64_t begin = maker->clock + 100;
	struct weir_event child = event_of(maker, CALL_WRITE, 2);

	child.depth = 1;
	child.flags = WEIR_EVENT_NOOFF | WEIR_EVENT_RETSIZE;
	child.size = child.ret = 512;
	child.start = begin + 10;
	rawmaker_add(maker, &child);
	child.start = maker->clock + 10;
	rawmaker_add(maker, &child);
	child.depth = 0;
	child.size = child.ret = 1024;
	child.start = begin;
	child.dur = maker->clock + 30 - begin;
	rawmaker_add(maker, &child);
}

static void add_loss(struct rawmaker *maker)
{
	struct weir_event event = event_of(maker, WEIR_NOTE_LOSS, 0);
	struct rawmaker_detail detail = { .used = 0 };

	event.flags = WEIR_EVENT_NOOFF;
	event.dur = 0;
	rawmaker_number(&detail, 1);
	rawmaker_number(&detail, event.start - 50);
	rawmaker_number(&detail, event.start - 20);
	rawmaker_put(maker, event, &detail);
}

/* Sequential writes and random reads, with noise in their times. */
static void add_rounds(struct rawmaker *writer, struct rawmaker *reader,
		       int rounds)
{
	uint32_t state = 42;

	for (int i = 0; i < rounds; i++) {
		add_plain(writer, CALL_PWRITE, 2, (int64_t)i * 4096, 4096,
			  chance(&state) % 64);
		add_plain(reader, CALL_PREAD, 4,
			  (int64_t)(chance(&state) % 100000) * 8, 8,
			  chance(&state) % 512);
	}
}

void sample_write(struct weir_store *store, int rounds)
{
	static struct rawmaker one, two, other;

	rawmaker_head(store, 1717986918);
	rawmaker_dict(store);
	rawmaker_proc(store, 1, 100, "live");
	rawmaker_proc(store, 2, 200, "live");
	rawmaker_start(&one, store, 1, 1, 1000000);
	rawmaker_start(&two, store, 1, 2, 1000500);
	rawmaker_start(&other, store, 2, 1, 1000100);
	rawmaker_handle(&one, 1, -1, WEIR_ORIGIN_CWD, 0, "/home/user");
	rawmaker_open(&one, 2, 3, 1, "./data/../out.bin");
	rawmaker_handle(&one, 3, 1, WEIR_ORIGIN_INHERITED, 0, "pipe:[4711]");
	rawmaker_handle(&one, 5, 9, WEIR_ORIGIN_DUP, 2, "");
	add_odd(&one);
	add_details(&one);
	add_nested(&one);
	add_loss(&one);
	/* Handle 4 is used by a thread whose chunk comes before its maker's. */
	add_rounds(&one, &two, rounds);
	rawmaker_flush(&two);
	rawmaker_open(&one, 4, 5, 1, "in.bin");
	rawmaker_flush(&one);
	rawmaker_open(&other, 1, 3, 0, "relative to nothing known");
	rawmaker_flush(&other);
	rawmaker_proc(store, 1, 100, "exited");
	rawmaker_proc(store, 2, 200, "cut");
	rawmaker_head(store, 1717986919);
}

int sample_file(void)
{
	int fd = memfd_create("sample", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	return fd;
}

const char *sample_path(int fd)
{
	static char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

int sample_raw(int rounds)
{
	int fd = sample_file();
	struct weir_store *store;

	if (weir_store_adopt(dup(fd), &store))
		abort();
	sample_write(store, rounds);
	weir_store_close(store);
	return fd;
}

int sample_packed(int rounds)
{
	struct weir_pack_totals totals;
	struct weir_pack *pack;
	int fd = sample_file();

	if (weir_pack_adopt(sample_raw(rounds), dup(fd), &pack) ||
	    weir_pack_finish(pack, &totals))
		abort();
	weir_pack_close(pack);
	return fd;
}
