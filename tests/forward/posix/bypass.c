/* SPDX-License-Identifier: BSD-3-Clause */
/* What only the kernel can do: copies, requests, room, and at once. */
#include "script.h"

#include "raw.h"

#include <aio.h>
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* How long it is for the kernel, who knows nothing of us. */
static void say_stored(const char *what, int fd)
{
	struct stat about = { 0 };

	raw_call(SYS_fstat, fd, &about);
	printf("%s: the kernel has %ld\n", what, (long)about.st_size);
	fflush(stdout);
}

/* Beside the directory that is forwarded. */
static int open_outside(void)
{
	char name[] = "../outsideXXXXXX";
	int fd = mkstemp(name);

	if (fd < 0 || unlink(name))
		exit(1);
	return fd;
}

static void copied_out(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), out = open_outside();
	off_t from = 2, to = 3;

	SAY(write(fd, "0123456789abcdef", 16));
	SAY(copy_file_range(fd, &from, out, NULL, 5, 0));
	SAY(from);
	SAY(lseek(fd, 4, SEEK_SET));
	SAY(copy_file_range(fd, NULL, out, NULL, 5, 0));
	SAY(lseek(fd, 0, SEEK_CUR));
	say_file("outside", out);
	SAY(lseek(out, 1, SEEK_SET));
	SAY(copy_file_range(out, NULL, fd, &to, 6, 0));
	SAY(copy_file_range(out, NULL, fd, NULL, 2, 0));
	SAY(write(fd, "here", 4));
	SAY(lseek(out, 0, SEEK_SET));
	SAY(sendfile(fd, out, NULL, 100));
	SAY(sendfile(out, fd, NULL, 100));
	SAY(lseek(fd, 0, SEEK_CUR));
	say_file("f", fd);
	say_file("outside", out);
	SAY(copy_file_range(fd, NULL, -1, NULL, 5, 0));
	SAY(copy_file_range(fd, NULL, fd, NULL, 5, 1 << 9));
	close(fd);
	close(out);
}

static void sent_out(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), ends[2], pair[2];
	int more = open_or_die("g", O_RDWR | O_CREAT | O_APPEND);
	char bytes[32] = "";
	off_t from = 3;

	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit(1);
	SAY(write(fd, "0123456789", 10));
	SAY(sendfile(pair[0], fd, &from, 4));
	SAY(read(pair[1], bytes, sizeof(bytes)));
	say_text("socket", bytes, 4);
	SAY(lseek(fd, 1, SEEK_SET));
	SAY(sendfile(ends[1], fd, NULL, 5));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(read(ends[0], bytes, sizeof(bytes)));
	say_text("pipe", bytes, 5);
	SAY(write(more, "append", 6));
	SAY(sendfile(more, fd, NULL, 5));
	say_file("g", more);
	close(fd);
	close(more);
}

static void spliced(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), one[2], two[2];
	int out = open_or_die("g", O_RDWR | O_CREAT);
	char bytes[32] = "";
	off_t to = 2;

	if (pipe(one) || pipe(two))
		exit(1);
	SAY(write(fd, "0123456789", 10));
	SAY(write(out, "abcdefghijklmnop", 16));
	SAY(lseek(fd, 2, SEEK_SET));
	SAY(splice(fd, NULL, one[1], NULL, 6, 0));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(tee(one[0], two[1], 6, 0));
	SAY(splice(one[0], NULL, out, &to, 6, 0));
	SAY(read(two[0], bytes, sizeof(bytes)));
	say_text("tee", bytes, 6);
	SAY(write(one[1], "pipe", 4));
	SAY(splice(one[0], NULL, out, NULL, 4, 0));
	SAY(write(out, "!", 1));
	say_file("g", out);
	SAY(write(fd, "+", 1));
	say_file("f", fd);
	close(fd);
	close(out);
}

static void listed(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	int end = open_or_die("g", O_RDWR | O_CREAT | O_APPEND);
	char got[8] = "", put[] = "list";
	struct aiocb blocks[3] = {
		{ .aio_fildes = fd, .aio_buf = put, .aio_nbytes = 4,
		  .aio_offset = 6, .aio_lio_opcode = LIO_WRITE },
		{ .aio_fildes = end, .aio_buf = put, .aio_nbytes = 4,
		  .aio_lio_opcode = LIO_WRITE },
		{ .aio_fildes = fd, .aio_buf = got, .aio_nbytes = 6,
		  .aio_lio_opcode = LIO_READ },
	};
	struct aiocb *list[] = { &blocks[0], NULL, &blocks[1], &blocks[2] };
	const struct aiocb *wait[] = { &blocks[0] };

	SAY(write(fd, "before", 6));
	SAY(write(end, "appended ", 9));
	SAY(lio_listio(LIO_WAIT, list, 4, NULL));
	for (int i = 0; i < 3; i++)
		SAY(aio_return(&blocks[i]));
	say_text("read", got, 6);
	SAY(write(fd, "BEFORE", 6));
	SAY(aio_fsync(O_SYNC, &blocks[0]));
	while (aio_error(&blocks[0]) == EINPROGRESS)
		aio_suspend(wait, 1, NULL);
	SAY(aio_return(&blocks[0]));
	say_file("f", fd);
	say_file("g", end);
	SAY(lio_listio(LIO_WAIT, (struct aiocb **)list, -1, NULL));
	close(fd);
	close(end);
}

/* As libaio does it. */
static void queued(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char got[16] = "", put[] = "queued";
	struct iocb blocks[2] = {
		{ .aio_fildes = (uint32_t)fd, .aio_nbytes = 6,
		  .aio_buf = (uintptr_t)put, .aio_offset = 4,
		  .aio_lio_opcode = IOCB_CMD_PWRITE },
		{ .aio_fildes = (uint32_t)fd, .aio_nbytes = 10,
		  .aio_buf = (uintptr_t)got,
		  .aio_lio_opcode = IOCB_CMD_PREAD },
	};
	struct iocb *list[] = { &blocks[0], &blocks[1] };
	struct io_event events[2];
	aio_context_t context = 0;

	SAY(write(fd, "0123456789", 10));
	if (syscall(SYS_io_setup, 8, &context)) {
		puts("no queues here");
		return;
	}
	for (int i = 0; i < 2; i++) {
		SAY(syscall(SYS_io_submit, context, 1L, list + i));
		SAY(syscall(SYS_io_getevents, context, 1L, 1L, events, NULL));
		SAY(events[0].res);
	}
	say_text("read", got, 10);
	SAY(syscall(SYS_io_submit, context, 1L, (struct iocb **)8));
	SAY(write(fd, "end", 3));
	say_file("f", fd);
	SAY(syscall(SYS_io_destroy, context));
	close(fd);
}

struct ring {
	struct io_uring_params params;
	struct io_uring_sqe *entries;
	char *submitted, *completed;
	int fd;
};

static bool ring_make(struct ring *ring)
{
	struct io_uring_params *p = &ring->params;
	size_t in, out;

	*ring = (struct ring){ .fd = -1 };
	ring->fd = (int)syscall(SYS_io_uring_setup, 4, p);
	if (ring->fd < 0)
		return false;
	in = p->sq_off.array + p->sq_entries * sizeof(uint32_t);
	out = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
	ring->submitted = mmap(NULL, in, PROT_READ | PROT_WRITE, MAP_SHARED,
			       ring->fd, IORING_OFF_SQ_RING);
	ring->completed = mmap(NULL, out, PROT_READ | PROT_WRITE, MAP_SHARED,
			       ring->fd, IORING_OFF_CQ_RING);
	ring->entries = mmap(NULL, p->sq_entries * sizeof(*ring->entries),
			     PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
			     IORING_OFF_SQES);
	return true;
}

/* One request, and its result. */
static int ring_do(struct ring *ring, struct io_uring_sqe request)
{
	uint32_t *tail = (uint32_t *)(ring->submitted +
				      ring->params.sq_off.tail);
	uint32_t *array = (uint32_t *)(ring->submitted +
				       ring->params.sq_off.array);
	uint32_t *head = (uint32_t *)(ring->completed +
				      ring->params.cq_off.head);
	struct io_uring_cqe *done = (void *)(ring->completed +
					     ring->params.cq_off.cqes);
	uint32_t place = *tail % ring->params.sq_entries;
	int result;

	ring->entries[place] = request;
	array[place] = place;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1,
		    IORING_ENTER_GETEVENTS, NULL, 0L) != 1)
		return -1;
	result = done[*head % ring->params.cq_entries].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

static void ringed(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), late;
	char got[16] = "";
	struct ring ring;

	SAY(write(fd, "0123456789", 10));
	if (!ring_make(&ring)) {
		puts("no rings here");
		return;
	}
	SAY(ring_do(&ring, (struct io_uring_sqe){ .opcode = IORING_OP_WRITE,
						  .fd = fd,
						  .off = 4,
						  .addr = (uintptr_t) "ring",
						  .len = 4 }));
	SAY(pwrite(fd, "call", 4, 8));
	late = open_or_die("g", O_RDWR | O_CREAT);
	SAY(write(late, "late", 4));
	SAY(ring_do(&ring, (struct io_uring_sqe){ .opcode = IORING_OP_READ,
						  .fd = fd,
						  .addr = (uintptr_t)got,
						  .len = 12 }));
	say_text("read", got, 12);
	SAY(ring_do(&ring, (struct io_uring_sqe){ .opcode = IORING_OP_READ,
						  .fd = late,
						  .addr = (uintptr_t)got,
						  .len = 4 }));
	say_text("read", got, 4);
	say_file("f", fd);
	close(late);
	close(fd);
	close(ring.fd);
}

#define PAGE 4096

static void given_room(void)
{
	static const int modes[] = {
		FALLOC_FL_KEEP_SIZE,
		FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		FALLOC_FL_ZERO_RANGE,
		FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
		FALLOC_FL_COLLAPSE_RANGE,
		FALLOC_FL_INSERT_RANGE,
		FALLOC_FL_PUNCH_HOLE,
		1 << 20,
	};
	char bytes[4 * PAGE];

	fill(bytes, sizeof(bytes), 0);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		int fd = open_or_die("f", O_RDWR | O_CREAT | O_TRUNC);

		SAY(write(fd, bytes, sizeof(bytes)));
		printf("mode %x\n", (unsigned)modes[i]);
		SAY(fallocate(fd, modes[i], PAGE, PAGE));
		SAY(lseek(fd, 0, SEEK_END));
		SAY(pwrite(fd, "after", 5, 2 * PAGE - 2));
		say_file("f", fd);
		SAY(fallocate(fd, modes[i], 0, 0));
		close(fd);
	}
}

static void room_behind(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_APPEND), in;

	SAY(write(fd, "0123456789", 10));
	SAY(fallocate(fd, 0, 5, 20));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(write(fd, "end", 3));
	SAY(posix_fallocate(fd, 100, 50));
	SAY(write(fd, "end", 3));
	say_file("f", fd);
	in = open_or_die("f", O_RDONLY);
	SAY(fallocate(in, 0, 0, 500));
	SAY(posix_fallocate(in, 0, 500));
	SAY(lseek(in, 0, SEEK_END));
	close(in);
	close(fd);
}

/* Stored when the call returns, and not by chance. */
static void stored_at_once(void)
{
	static const int flags[] = { RWF_DSYNC, RWF_SYNC, RWF_APPEND,
				     RWF_APPEND | RWF_DSYNC };
	struct iovec part = { "12345", 5 };
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;

	for (int i = 0; i < 4; i++) {
		SAY(write(fd, "abc", 3));
		SAY(pwritev2(fd, &part, 1, -1, flags[i]));
		say_stored("flags", fd);
		SAY(pwritev2(fd, &part, 1, 20 * i, flags[i]));
		SAY(lseek(fd, 0, SEEK_CUR));
	}
	SAY(write(fd, "abc", 3));
	SAY(fsync(fd));
	say_stored("fsync", fd);
	SAY(lseek(fd, 0, SEEK_END));
	SAY(write(fd, "def", 3));
	SAY(fdatasync(fd));
	say_stored("fdatasync", fd);
	SAY(write(fd, "ghi", 3));
	SAY(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	say_stored("sync_file_range", fd);
	SAY(write(fd, "jkl", 3));
	SAY(syncfs(fd));
	say_stored("syncfs", fd);
	SAY(write(fd, "mno", 3));
	sync();
	say_stored("sync", fd);
	for (int i = 0; i < 2; i++) {
		other = open_or_die("f", O_WRONLY | O_APPEND |
						 (i ? O_SYNC : O_DSYNC));
		SAY(write(other, "synchronous", 11));
		say_stored("opened so", other);
		close(other);
	}
	say_file("f", fd);
	close(fd);
}

/* A file has its bytes before it has another name. */
static void stored_for_names(void)
{
	int fd = open_or_die("a", O_RDWR | O_CREAT);

	SAY(write(fd, "0123456789", 10));
	SAY(rename("a", "b"));
	say_stored("renamed", fd);
	SAY(write(fd, "more", 4));
	SAY(link("b", "c"));
	say_stored("linked", fd);
	SAY(write(fd, "most", 4));
	SAY(renameat(AT_FDCWD, "c", AT_FDCWD, "d"));
	say_stored("renamed", fd);
	close(fd);
}

static void direct(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char *bytes = aligned_alloc(PAGE, 2 * PAGE);

	fill(bytes, 2 * PAGE, 0);
	SAY(write(fd, bytes, PAGE));
	SAY(fcntl(fd, F_SETFL, O_DIRECT) == 0 || errno == EINVAL);
	SAY(write(fd, bytes, PAGE));
	say_stored("direct", fd);
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(read(fd, bytes, 2 * PAGE));
	SAY(pwrite(fd, bytes + 1, 100, 1) >= -1);
	SAY(fcntl(fd, F_SETFL, 0));
	SAY(pwrite(fd, "plain", 5, 100));
	say_file("f", fd);
	close(fd);
	fd = open_or_die("f", O_RDWR | O_DIRECT | O_APPEND);
	SAY(write(fd, bytes, PAGE));
	SAY(lseek(fd, 0, SEEK_CUR));
	say_stored("appended", fd);
	close(fd);
	free(bytes);
}

static void advised(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), ends[2];
	char bytes[10000];

	fill(bytes, sizeof(bytes), 0);
	SAY(write(fd, bytes, sizeof(bytes)));
	for (int advice = POSIX_FADV_NORMAL; advice <= POSIX_FADV_NOREUSE + 1;
	     advice++)
		SAY(posix_fadvise(fd, 100, 5000, advice));
	SAY(posix_fadvise(fd, 0, -1, POSIX_FADV_WILLNEED));
	SAY(posix_fadvise(-1, 0, 0, POSIX_FADV_WILLNEED));
	if (pipe(ends))
		exit(1);
	SAY(posix_fadvise(ends[0], 0, 0, POSIX_FADV_WILLNEED));
	SAY(readahead(fd, 0, 4096));
	SAY(readahead(-1, 0, 4096));
	SAY(pread(fd, bytes, 100, 9000));
	say_file("f", fd);
	close(fd);
}

/* A copy by the file system itself, where it can: from what is stored. */
static void cloned(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	int to = open_or_die("g", O_RDWR | O_CREAT);
	struct file_clone_range range = { .src_fd = fd };
	char bytes[PAGE];

	fill(bytes, sizeof(bytes), 0);
	SAY(write(fd, bytes, PAGE));
	SAY(ioctl(to, FICLONERANGE, &range) == 0 || errno == EOPNOTSUPP ||
	    errno == ENOTTY);
	say_stored("source", fd);
	SAY(ioctl(to, FICLONERANGE, (void *)8) < 0);
	SAY(pwrite(fd, bytes, 100, PAGE));
	SAY(ioctl(to, FICLONE, fd) == 0 || errno == EOPNOTSUPP ||
	    errno == ENOTTY);
	say_stored("source", fd);
	close(fd);
	close(to);
}

const struct script bypass_scripts[] = {
	{ "copied-out", copied_out },	{ "sent-out", sent_out },
	{ "spliced", spliced },		{ "listed", listed },
	{ "queued", queued },		{ "ringed", ringed },
	{ "given-room", given_room },	{ "room-behind", room_behind },
	{ "direct", direct },		{ "advised", advised },
	{ "cloned", cloned },		{ "stored-at-once", stored_at_once },
	{ "stored-for-names", stored_for_names },
	{ NULL, NULL },
};
