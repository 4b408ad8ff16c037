/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions, files, chunks and ops of a daemon, asked by clients that do all by
 * hand; what the kernel says of the files is what it is compared with. */
#include "../client.h"

#include "serve/files/backends.h"
#include "serve/files/files.h"
#include "serve/log/ingest.h"
#include "serve/session/chunkpool.h"
#include "serve/staging/stage.h"
#include "serve/state/keptfds.h"
#include "serve/state/setup.h"
#include "spec/forward.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define CACHE (UINT64_C(4) << 20)

static struct weir_setup setup = {
	.cache = CACHE,
	.policy = WEIR_POLICY_HALF,
	.stagers = 2,
	.idle_ms = 20,
	.age_ms = 5000,
};
static struct client one, other;

/* The kernel's files, by descriptor. */
static int open_file(void *self, int fd, void **ret_file)
{
	*ret_file = (void *)(intptr_t)(fd + 1);
	return 0;
}

static int fd_of(void *file)
{
	return (int)(intptr_t)file - 1;
}

static void close_file(void *self, void *file)
{
	close(fd_of(file));
}

static int64_t write_file(void *self, void *file, const struct iovec *parts,
			  int count, int64_t offset)
{
	ssize_t done = pwritev(fd_of(file), parts, count, offset);

	return done < 0 ? -errno : done;
}

static int64_t read_file(void *self, void *file, void *bytes, uint64_t length,
			 int64_t offset)
{
	ssize_t done = pread(fd_of(file), bytes, length, offset);

	return done < 0 ? -errno : done;
}

static int sync_file(void *self, void *file)
{
	return 0;
}

static int truncate_file(void *self, void *file, int64_t length)
{
	return ftruncate(fd_of(file), length) ? -errno : 0;
}

static int ask_extent(void *self, void *file,
		      struct weir_backend_extent *ret_extent)
{
	struct stat stat;

	if (fstat(fd_of(file), &stat))
		return -errno;
	*ret_extent = (struct weir_backend_extent){
		.size = stat.st_size,
		.links = stat.st_nlink,
		.room = UINT64_MAX,
	};
	return 0;
}

static const struct weir_backend backend = {
	.version = WEIR_BACKEND_VERSION,
	.open = open_file,
	.close = close_file,
	.write = write_file,
	.read = read_file,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};

/* Nobody is above: what is to be kept is lost with us. */
static int begin(void **state)
{
	int pair[2];

	snprintf(setup.place, sizeof(setup.place), "/tmp/weir-serve-XXXXXX");
	if (!mkdtemp(setup.place) || chdir(setup.place) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return -1;
	close(pair[1]);
	weir_keptfds_begin(pair[0]);
	weir_setup_used = &setup;
	weir_backends_used = &backend;
	if (weir_state_make(WEIR_OP_INTERFACE, setup.place) ||
	    weir_files_begin(weir_ingest_gone) || weir_sessions_begin() ||
	    weir_stage_begin())
		return -1;
	client_attach(&one);
	client_attach(&other);
	return 0;
}

static int end(void **state)
{
	struct dirent *entry;
	DIR *dir;

	weir_stage_end();
	weir_sessions_end();
	weir_files_end();
	dir = opendir(".");
	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	return chdir("/") || rmdir(setup.place);
}

static struct weir_session_slot *slot(struct client *client)
{
	return &client->slots[0];
}

#define CALL(client, number, ...)                                            \
	client_call(client, &(struct client_call){                           \
				    .op = number, .in = &(__VA_ARGS__),      \
				    .in_size = sizeof(__VA_ARGS__) })

static int commit(const struct weir_op_open_out *file)
{
	struct weir_op_commit_in in = { .file = file->file,
					.turn = file->turn, .how = 2 };

	return CALL(&one, WEIR_OP_COMMIT, in);
}

static int close_open(struct client *client,
		      const struct weir_op_open_out *file)
{
	struct weir_op_close_in in = { .open = file->open };

	return CALL(client, WEIR_OP_CLOSE, in);
}

static void put(struct client *client, const struct weir_op_open_out *file,
		uint64_t offset, const char *text)
{
	struct client_record record = {
		.file = file->file,
		.turn = file->turn,
		.offset = offset,
		.bytes = text,
		.length = (uint32_t)strlen(text),
	};

	client_write(client, &record);
}

/* How many bytes are read, -1: the kernel has them. */
static int64_t get(struct client *client, const struct weir_op_open_out *file,
		   uint64_t offset, uint32_t length)
{
	struct weir_op_read_in in = { .open = file->open, .offset = offset,
				      .length = length };
	struct weir_op_read_out out;

	assert_int_equal(CALL(client, WEIR_OP_READ, in), 0);
	memcpy(&out, slot(client)->results, sizeof(out));
	return out.clean ? -1 : (int64_t)out.got;
}

static uint64_t size_of(const struct weir_op_open_out *file)
{
	struct weir_op_extent_in in = { .file = file->file,
					.turn = file->turn };
	struct weir_op_extent_out out;

	assert_int_equal(CALL(&one, WEIR_OP_EXTENT, in), 0);
	memcpy(&out, slot(&one)->results, sizeof(out));
	return out.size;
}

static size_t kernel_has(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t got = pread(fd, bytes, size, 0);

	assert_true(got >= 0);
	close(fd);
	return (size_t)got;
}

static uint32_t flags_of(const struct weir_op_open_out *file)
{
	return atomic_load(&weir_state_board->files[file->file].flags);
}

static void expect_lane(struct client *client, const void *bytes, size_t size)
{
	assert_memory_equal(client_lane(client, 0), bytes, size);
}

static void test_seen_by_all_then_stored(void **state)
{
	struct weir_op_open_out mine = client_open(&one, "seen", O_RDWR);
	struct weir_op_open_out theirs = client_open(&other, "seen", O_RDONLY);
	char bytes[100];

	assert_int_equal(mine.file, theirs.file);
	assert_int_equal(mine.turn, theirs.turn);
	put(&one, &mine, 3, "hello");
	put(&one, &mine, 5, "LL");
	assert_int_equal(get(&other, &theirs, 0, 100), 8);
	expect_lane(&other, "\0\0\0heLLo", 8);
	assert_int_equal(size_of(&mine), 8);
	assert_int_equal(kernel_has("seen", bytes, sizeof(bytes)), 0);
	assert_int_equal(close_open(&one, &mine), 0);
	assert_int_equal(kernel_has("seen", bytes, sizeof(bytes)), 8);
	assert_memory_equal(bytes, "\0\0\0heLLo", 8);
	assert_int_equal(flags_of(&theirs) & WEIR_FILE_WRITTEN, 0);
	assert_int_equal(get(&other, &theirs, 0, 100), -1);
	assert_int_equal(close_open(&other, &theirs), 0);
}

/* Parts from memory, from the file, and from neither. */
static void test_reads_are_composed(void **state)
{
	struct weir_op_open_out file;
	int fd = open("composed", O_WRONLY | O_CREAT, 0600);

	assert_int_equal(pwrite(fd, "0123456789", 10, 0), 10);
	close(fd);
	file = client_open(&one, "composed", O_RDWR);
	assert_int_equal(get(&one, &file, 0, 10), -1);
	put(&one, &file, 2, "ab");
	put(&one, &file, 14, "c");
	assert_int_equal(get(&one, &file, 0, 10), 10);
	expect_lane(&one, "01ab456789", 10);
	assert_int_equal(get(&one, &file, 1, 100), 14);
	expect_lane(&one, "1ab456789\0\0\0\0c", 14);
	/* of a length that the kernel does not know */
	assert_int_equal(get(&one, &file, 11, 2), 2);
	expect_lane(&one, "\0\0", 2);
	assert_int_equal(get(&one, &file, 5, 3), -1);
	assert_int_equal(get(&one, &file, 15, 10), -1);
	assert_int_equal(close_open(&one, &file), 0);
}

static void test_rights(void **state)
{
	struct weir_op_open_out file = client_open(&one, "rights", O_RDWR);
	struct weir_op_open_out seen = client_open(&other, "rights", O_RDONLY);
	uint64_t refused = atomic_load(&weir_state->refused);
	struct weir_op_truncate_in cut = { .open = seen.open };
	struct weir_op_read_in read = { .open = 4000, .length = 1 };

	put(&other, &seen, 0, "not allowed");
	put(&other, &(struct weir_op_open_out){ .file = 8191, .turn = 2 }, 0,
	    "no file");
	put(&other, &(struct weir_op_open_out){ .file = file.file,
						.turn = file.turn + 2 },
	    0, "not yet");
	assert_int_equal(CALL(&other, WEIR_OP_TRUNCATE, cut), -EBADF);
	assert_int_equal(CALL(&other, WEIR_OP_READ, read), -EBADF);
	assert_int_equal(size_of(&file), 0);
	assert_int_equal(atomic_load(&weir_state->refused), refused + 5);
	assert_int_equal(close_open(&one, &file), 0);
	assert_int_equal(close_open(&other, &seen), 0);
	assert_int_equal(close_open(&other, &seen), 0);
}

static uint64_t append(struct client *client,
		       const struct weir_op_open_out *file, const char *text)
{
	struct client_record record = {
		.file = file->file,
		.turn = file->turn,
		.bytes = text,
		.length = (uint32_t)strlen(text),
	};
	uint32_t place = client_fill(client, &record);
	struct weir_op_append_in in = {
		.open = file->open,
		.chunk = client->chunk,
		.place = place,
		.total = record.length,
	};
	struct weir_op_append_out first, again;

	assert_int_equal(CALL(client, WEIR_OP_APPEND, in), 0);
	memcpy(&first, slot(client)->results, sizeof(first));
	/* as a new daemon would, which does not know that it was done */
	assert_int_equal(CALL(client, WEIR_OP_APPEND, in), 0);
	memcpy(&again, slot(client)->results, sizeof(again));
	assert_int_equal(first.offset, again.offset);
	atomic_store(&client->heads[client->chunk].owner, 0);
	return first.offset;
}

static void test_appends_do_not_meet(void **state)
{
	struct weir_op_open_out mine = client_open(&one, "appended",
						   O_WRONLY | O_APPEND);
	struct weir_op_open_out theirs = client_open(&other, "appended",
						     O_RDWR | O_APPEND);
	struct weir_op_truncate_in cut = { .open = mine.open, .length = 4 };

	assert_int_equal(append(&one, &mine, "one"), 0);
	assert_int_equal(append(&other, &theirs, "two"), 3);
	put(&one, &mine, 10, "x");
	assert_int_equal(append(&other, &theirs, "three"), 11);
	assert_int_equal(get(&other, &theirs, 0, 100), 16);
	expect_lane(&other, "onetwo\0\0\0\0xthree", 16);
	assert_int_equal(CALL(&one, WEIR_OP_TRUNCATE, cut), 0);
	assert_int_equal(size_of(&mine), 4);
	assert_int_equal(append(&one, &mine, "end"), 4);
	assert_int_equal(close_open(&one, &mine), 0);
	assert_int_equal(get(&other, &theirs, 0, 100), -1);
	assert_int_equal(size_of(&theirs), 7);
	assert_int_equal(close_open(&other, &theirs), 0);
}

static void test_write_through_comes_last(void **state)
{
	struct weir_op_open_out file = client_open(&one, "through", O_RDWR);
	struct weir_op_write_in in = { .open = file.open, .offset = 2 };
	char bytes[10];

	put(&one, &file, 0, "aaaaaa");
	memcpy(client_lane(&one, 0), "bb", 2);
	assert_int_equal(client_call(&one,
				     &(struct client_call){
					     .op = WEIR_OP_WRITE, .in = &in,
					     .in_size = sizeof(in), .data = 2,
				     }),
			 0);
	assert_int_equal(commit(&file), 0);
	assert_int_equal(kernel_has("through", bytes, sizeof(bytes)), 6);
	assert_memory_equal(bytes, "aabbaa", 6);
	assert_int_equal(close_open(&one, &file), 0);
}

static void test_bypass(void **state)
{
	struct weir_op_open_out file = client_open(&one, "passed", O_RDWR);
	struct weir_op_bypass_in in = { .file = file.file,
					.turn = file.turn };
	char bytes[10];

	put(&one, &file, 0, "before");
	assert_int_equal(CALL(&one, WEIR_OP_BYPASS, in), 0);
	assert_true(flags_of(&file) & WEIR_FILE_BYPASS);
	assert_int_equal(kernel_has("passed", bytes, sizeof(bytes)), 6);
	assert_int_equal(close_open(&one, &file), 0);
	/* the place is nobody's any more, whoever asks for it */
	assert_int_equal(flags_of(&file), 0);
	assert_int_equal(CALL(&one, WEIR_OP_BYPASS, in), 0);
	assert_int_equal(flags_of(&file), 0);
}

static void test_unlinked_is_not_stored(void **state)
{
	struct weir_op_open_out file = client_open(&one, "unlinked", O_RDWR);
	struct weir_op_unlinked_in in = { .file = file.file,
					  .turn = file.turn };
	int kept = open("unlinked", O_RDONLY);
	struct stat stat;

	put(&one, &file, 0, "nobody reads it");
	unlink("unlinked");
	assert_int_equal(CALL(&one, WEIR_OP_UNLINKED, in), 0);
	assert_int_equal(get(&one, &file, 0, 6), 6);
	expect_lane(&one, "nobody", 6);
	assert_int_equal(close_open(&one, &file), 0);
	assert_int_equal(fstat(kept, &stat), 0);
	assert_int_equal(stat.st_size, 0);
	close(kept);
}

/* A client that goes mad fills chunks with nonsense; they come back. */
static void test_nonsense_does_not_stay(void **state)
{
	struct weir_op_open_out file = client_open(&one, "sense", O_RDWR);
	struct client_record record = { .file = file.file, .turn = file.turn,
					.bytes = "good", .length = 4 };
	uint64_t refused = atomic_load(&weir_state->refused);
	const int times = 2 * (int)(CACHE / WEIR_SESSION_CHUNK);

	for (int i = 0; i < times; i++) {
		struct weir_session_head *head;

		client_write(&one, &record);
		head = &one.heads[one.chunk];
		atomic_store(&head->used, i % 2 ? UINT32_MAX : 48);
		client_seal(&one);
	}
	put(&one, &file, 4, ", again");
	assert_int_equal(get(&one, &file, 0, 100), 11);
	expect_lane(&one, "good, again", 11);
	assert_true(atomic_load(&weir_state->refused) >=
		    refused + (uint64_t)times);
	assert_int_equal(close_open(&one, &file), 0);
}

/* Four times the cache, of two sessions: who waits is given some in turn. */
static void *write_much(void *arg)
{
	struct client *client = arg;
	struct weir_op_open_out file = client_open(client, "much", O_WRONLY);
	static unsigned char bytes[60000];
	struct client_record record = { .file = file.file, .turn = file.turn,
					.bytes = bytes,
					.length = sizeof(bytes) };
	uint64_t most = 0;

	for (uint64_t i = 0; i < 140; i++) {
		uint64_t granted;

		record.offset = (2 * i + (client == &one)) * sizeof(bytes);
		client_write(client, &record);
		granted = weir_chunkpool_lent();
		most = granted > most ? granted : most;
	}
	assert_true(most <= CACHE);
	assert_int_equal(close_open(client, &file), 0);
	return NULL;
}

static void test_memory_is_shared(void **state)
{
	pthread_t thread;
	struct stat stat;

	assert_int_equal(pthread_create(&thread, NULL, write_much, &other), 0);
	write_much(&one);
	pthread_join(thread, NULL);
	assert_int_equal(lstat("much", &stat), 0);
	assert_int_equal(stat.st_size, 280 * 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seen_by_all_then_stored),
		cmocka_unit_test(test_reads_are_composed),
		cmocka_unit_test(test_rights),
		cmocka_unit_test(test_appends_do_not_meet),
		cmocka_unit_test(test_write_through_comes_last),
		cmocka_unit_test(test_bypass),
		cmocka_unit_test(test_unlinked_is_not_stored),
		cmocka_unit_test(test_nonsense_does_not_stay),
		cmocka_unit_test(test_memory_is_shared),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
