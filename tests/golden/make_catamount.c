/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Made the traces in catamount/: make_catamount RAW PACKED. They have calls of
 * an older machine in their own dictionary, and one of every kind of line.
 */
#include "rawmaker.h"

#include "base/varint.h"

#include <errno.h>
#include <stddef.h>

#define add   rawmaker_put
#define FD(n) (WEIR_HANDLE_BARE | (n))
#define ALPHA UINT64_C(1205528630000000)
#define BETA  UINT64_C(1216152765000000)

enum {
	OPEN = 1,
	FSTAT,
	FXSTAT,
	READ,
	PWRITE,
	WRITEV,
	PWRITEV,
	IREADV,
	IWRITEV,
	IREADX,
	IWRITEX,
	IOWAIT,
	IODONE,
	AIO_WRITE,
	AIO_RETURN,
	READLINK,
	PIPE,
	SYNC,
	OPENDIR,
	READDIR,
	MMAP,
	URING_OP,
	URING_DONE,
	NOT_THERE = 99,
};

static const char head[] = "format=1\nweir=0.1.0\nhost=nid00012\n"
			   "created=1205528630000000000\nclock=ns\ntick0=0\n"
			   "mono0=0\nreal0=0\nmult=4294967296\n";

static const char dictionary[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind ver u detail decimal\n"
	"kind in u detail hex\n"
	"kind out - none none\n"
	"kind size - size bytes\n"
	"kind off - off bytes\n"
	"kind iov v detail vector\n"
	"kind xtv v detail extents\n"
	"kind stat x detail stat\n"
	"kind id u detail hex\n"
	"kind target t detail quoted\n"
	"kind fdpair f detail fdpair\n"
	"kind hint u detail hex\n"
	"kind dirent r detail ino/type/$name\n"
	"kind uring_op u detail uring_op\n"
	"kind otherfd h detail otherfd\n"
	"kind cqe_flags u detail cqe_flags\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n"
	"kind err - result decimal\n"
	"kind ptr - result hex\n"
	"kind void - result none\n"
	"layer posix\n"
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 2 fstat err sync fd:fd st:stat\n"
	"call 4 read count read fd:fd buf:out len:size\n"
	"call 5 pwrite count write fd:fd buf:in len:size off:off\n"
	"call 6 writev count write fd:fd vec:iov\n"
	"call 7 pwritev count write fd:fd vec:iov off:off\n"
	"call 14 aio_write err submit id:id fd:fd len:size off:off\n"
	"call 15 aio_return count done id:id\n"
	"call 16 readlink count meta path:path target:target room:size\n"
	"call 17 pipe err pipe fds:fdpair\n"
	"call 18 sync void meta\n"
	"call 19 opendir ptr dir_open path:path\n"
	"call 20 readdir ptr dir dir:fd entry:dirent\n"
	"call 21 mmap ptr map addr:hint len:size fd:fd off:off\n"
	"call 22 uring_op err submit op:uring_op fd:fd len:size off:off id:id "
	"ring:otherfd vec:iov\n"
	"call 23 uring_done count done id:id ring:otherfd flags:cqe_flags\n"
	"layer sysio\n"
	"call 3 fxstat err sync ver:ver fd:fd st:stat\n"
	"call 8 ireadv ptr submit fd:fd vec:iov\n"
	"call 9 iwritev ptr submit fd:fd vec:iov\n"
	"call 10 ireadx ptr submit fd:fd vec:iov ext:xtv\n"
	"call 11 iwritex ptr submit fd:fd vec:iov ext:xtv\n"
	"call 12 iowait count done id:id\n"
	"call 13 iodone count done id:id\n";

/* An event between two microseconds. */
static struct weir_event event_of(uint16_t call, uint32_t handle,
				  uint64_t from, uint64_t to)
{
	return (struct weir_event){
		.call = call,
		.handle = handle,
		.flags = WEIR_EVENT_NOOFF,
		.start = from * 1000 + 999,
		.dur = (to - from) * 1000,
	};
}

static struct weir_event failed(struct weir_event event, int err)
{
	event.flags |= WEIR_EVENT_FAILED;
	event.ret = err;
	return event;
}

static struct weir_event placed(struct weir_event event, int64_t off,
				uint64_t size)
{
	event.flags &= (uint8_t)~WEIR_EVENT_NOOFF;
	event.off = off;
	event.size = size;
	event.ret = (int64_t)size;
	return event;
}

static struct weir_event giving(struct weir_event event, int64_t ret)
{
	event.ret = ret;
	return event;
}

static void put_path(struct rawmaker_detail *detail, const char *path)
{
	rawmaker_number(detail, 0);
	rawmaker_text(detail, path);
}

/* Pairs of numbers, ended by one of length 0; `given` may tell of more. */
static void put_pairs(struct rawmaker_detail *detail, uint64_t given,
		      const uint64_t (*pairs)[2])
{
	uint64_t shown = 0;

	while (pairs[shown][1])
		shown++;
	rawmaker_number(detail, given ? given : shown);
	rawmaker_number(detail, shown);
	for (uint64_t i = 0; i < shown; i++) {
		rawmaker_number(detail, pairs[i][0]);
		rawmaker_number(detail, pairs[i][1]);
	}
}

static void put_stat(struct rawmaker_detail *detail)
{
	static const uint64_t fields[] = { 0, 10702772, 33204, 1, 41777,
					   41776, 0, 0 };
	static const int64_t times[] = { INT64_C(1205528558000000001),
					 INT64_C(1205528630999999999), -1 };

	rawmaker_number(detail, 1);
	for (int i = 0; i < 8; i++)
		rawmaker_number(detail, fields[i]);
	for (int i = 0; i < 3; i++)
		rawmaker_number(detail, weir_varint_zigzag(times[i]));
	rawmaker_number(detail, 2097152);
	rawmaker_number(detail, 0);
}

static const uint64_t one_piece[][2] = { { 0x200efdc0, 524288 }, { 0 } };
static const uint64_t two_pieces[][2] = { { 0x537d50, 10 },
					  { 0x538590, 10 }, { 0 } };
static const uint64_t four_pieces[][2] = {
	{ 0x537d50, 10 }, { 0x538590, 10 }, { 0x537d70, 10 },
	{ 0x538bb0, 17 }, { 0 }
};
static const uint64_t four_extents[][2] = {
	{ 0, 15 }, { 20, 5 }, { 30, 10 }, { 50, 10 }, { 0 }
};

/* What the document of the old format shows, and what is like it. */
static void add_old(struct rawmaker *to)
{
	struct rawmaker_detail d = { .used = 0 };

	put_path(&d, "/path/to/file");
	rawmaker_number(&d, 578);
	rawmaker_number(&d, 436 + 1);
	add(to, giving(event_of(OPEN, 0, ALPHA + 529780, ALPHA + 529911), 3),
	    &d);
	rawmaker_number(&d, 1);
	put_stat(&d);
	add(to, event_of(FXSTAT, FD(3), ALPHA + 531185, ALPHA + 531368), &d);
	put_stat(&d);
	add(to, event_of(FSTAT, FD(3), ALPHA + 532185, ALPHA + 532368), &d);
	put_pairs(&d, 0, one_piece);
	add(to, giving(event_of(IWRITEV, FD(3), ALPHA + 586386,
				ALPHA + 590489), 0x200b1110), &d);
	rawmaker_number(&d, 0x200b1110);
	add(to, giving(event_of(IOWAIT, 0, ALPHA + 590490, ALPHA + 590530),
		       524288), &d);
	put_pairs(&d, 0, one_piece);
	add(to, giving(event_of(IREADV, FD(3), ALPHA + 600000,
				ALPHA + 600010), 0x200b1110), &d);
	rawmaker_number(&d, 0x200b1110);
	add(to, event_of(IODONE, 0, ALPHA + 600020, ALPHA + 600021), &d);
	put_pairs(&d, 0, four_pieces);
	put_pairs(&d, 0, four_extents);
	add(to, giving(event_of(IWRITEX, FD(1), BETA + 250413, BETA + 250487),
		       0x538df0), &d);
	rawmaker_number(&d, 0x538df0);
	add(to, giving(event_of(IOWAIT, 0, BETA + 250505, BETA + 250521), 40),
	    &d);
	put_pairs(&d, 0, two_pieces);
	put_pairs(&d, 0, four_extents);
	add(to, failed(event_of(IREADX, FD(1), BETA + 250530, BETA + 250531),
		       EINVAL), &d);
}

/* Today's calls in the old words. */
static void add_new(struct rawmaker *to)
{
	struct rawmaker_detail d = { .used = 0 };

	put_pairs(&d, 0, two_pieces);
	add(to, placed(event_of(WRITEV, FD(3), BETA + 250540, BETA + 250541),
		       0, 20), &d);
	put_pairs(&d, 5, two_pieces); /* three more were not recorded */
	add(to, placed(event_of(WRITEV, FD(3), BETA + 250545, BETA + 250546),
		       0, 50), &d);
	put_pairs(&d, 0, two_pieces);
	add(to, placed(event_of(PWRITEV, FD(1), BETA + 250550, BETA + 250560),
		       0, 20), &d);
	rawmaker_number(&d, 0x537d50);
	add(to, placed(event_of(PWRITE, FD(1), BETA + 250600, BETA + 250620),
		       4096, 10), &d);
	add(to, failed(placed(event_of(READ, FD(77), BETA + 250640,
				       BETA + 250650), 0, 10), EBADF), NULL);
	add(to, event_of(SYNC, 0, BETA + 250660, BETA + 250661), NULL);
	add(to, giving(event_of(NOT_THERE, 0, BETA + 250662, BETA + 250663),
		       -7), NULL);
	put_path(&d, "a(b)\n\\\xff \xc3\xa9");
	rawmaker_text(&d, ")\t(");
	add(to, placed(event_of(READLINK, 0, BETA + 250670, BETA + 250671), 0,
		       4096), &d);
	rawmaker_number(&d, 1);
	rawmaker_number(&d, weir_varint_zigzag(5));
	rawmaker_number(&d, weir_varint_zigzag(6));
	add(to, event_of(PIPE, 0, BETA + 250680, BETA + 250681), &d);
	put_path(&d, "/");
	add(to, giving(event_of(OPENDIR, 0, BETA + 250690, BETA + 250691),
		       0x7fff0010), &d);
	rawmaker_number(&d, 1);
	rawmaker_number(&d, weir_varint_zigzag(99));
	rawmaker_number(&d, weir_varint_zigzag(4));
	rawmaker_text(&d, "tmp (old)");
	add(to, giving(event_of(READDIR, FD(4), BETA + 250692, BETA + 250693),
		       0x7fff0040), &d);
	rawmaker_number(&d, 0xabc000);
	add(to, giving(placed(event_of(MMAP, FD(3), BETA + 250695,
				       BETA + 250696), 8192, 4096), 0xabc000),
	    &d);
}

/* Operations of today's asynchronous families and their completions. */
static void add_async(struct rawmaker *to)
{
	struct rawmaker_detail d = { .used = 0 };
	struct weir_event event;

	rawmaker_number(&d, 0xdeadbeef);
	add(to, giving(placed(event_of(AIO_WRITE, FD(3), BETA + 250700,
				       BETA + 250705), 100, 10), 0), &d);
	rawmaker_number(&d, 0xdeadbeef);
	add(to, giving(event_of(AIO_RETURN, 0, BETA + 250710, BETA + 250711),
		       10), &d);
	rawmaker_number(&d, 0xdeadbeef);
	add(to, failed(placed(event_of(AIO_WRITE, FD(3), BETA + 250720,
				       BETA + 250721), 100, 10), EAGAIN), &d);
	rawmaker_number(&d, 23);
	rawmaker_number(&d, 0x10);
	rawmaker_number(&d, weir_varint_zigzag(8));
	rawmaker_number(&d, 0);
	event = placed(event_of(URING_OP, FD(3), BETA + 250730,
				BETA + 250730), 100, 10);
	event.depth = 1;
	add(to, giving(event, 0), &d);
	rawmaker_number(&d, 0x10);
	rawmaker_number(&d, weir_varint_zigzag(8));
	rawmaker_number(&d, 0);
	rawmaker_number(&d, 2);
	event = event_of(URING_DONE, 0, BETA + 250740, BETA + 250740);
	event.depth = 1;
	add(to, giving(event, 10), &d);
	/* Both are of this call, which ends with the completion. */
	add(to, event_of(SYNC, 0, BETA + 250730, BETA + 250740), NULL);
	add(to, event_of(SYNC, 0, BETA + 250741, BETA + 250750), NULL);
}

static void add_loss(struct rawmaker *to)
{
	struct weir_event event = event_of(WEIR_NOTE_LOSS, 0, BETA + 255000,
					   BETA + 255000);
	struct rawmaker_detail d = { .used = 0 };

	rawmaker_number(&d, 1234);
	rawmaker_number(&d, (BETA + 251000) * 1000);
	rawmaker_number(&d, (BETA + 260000) * 1000);
	add(to, event, &d);
	event = event_of(READ, FD(3), BETA + 270000, BETA + 270000);
	event.flags |= WEIR_EVENT_ENTERED;
	add(to, event, NULL);
}

/* A second thread, whose calls cross those of the first. */
static void add_beside(struct rawmaker *to)
{
	add(to, placed(event_of(READ, FD(5), BETA + 250495, BETA + 250510), 0,
		       8), NULL);
	add(to, placed(event_of(READ, FD(5), BETA + 250510, BETA + 250535), 0,
		       9), NULL);
	add(to, placed(event_of(READ, FD(5), BETA + 252000, BETA + 280000), 0,
		       7), NULL);
}

/* Process 3 has no events and 4 no description. */
static void write_trace(struct weir_store *store)
{
	static struct rawmaker one, beside, other, unknown;

	rawmaker_block(store, WEIR_BLOCK_HEAD, 0, head);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	rawmaker_proc(store, 1, 17, "exited");
	rawmaker_proc(store, 2, 4018, "exited");
	rawmaker_proc(store, 3, 19, "exited");
	rawmaker_start(&one, store, 1, 1, ALPHA * 1000);
	rawmaker_start(&beside, store, 1, 2, ALPHA * 1000);
	rawmaker_start(&other, store, 2, 1, ALPHA * 1000);
	rawmaker_start(&unknown, store, 4, 1, ALPHA * 1000);
	add_old(&one);
	rawmaker_flush(&one);
	add(&other, event_of(SYNC, 0, ALPHA, ALPHA + 1), NULL);
	add(&other, event_of(SYNC, 0, BETA + 250500, BETA + 900000), NULL);
	rawmaker_flush(&other);
	add(&unknown, event_of(SYNC, 0, ALPHA + 2, ALPHA + 3), NULL);
	rawmaker_flush(&unknown);
	add_new(&one);
	add_async(&one);
	add_loss(&one);
	rawmaker_flush(&one);
	add_beside(&beside);
	rawmaker_flush(&beside);
}

int main(int argc, char **argv)
{
	return rawmaker_main(argc, argv, write_trace);
}
