/* SPDX-License-Identifier: BSD-3-Clause */
/* One file to which many processes append, some killed while they do. */
#include "launch/collect/single.h"

#include "check.h"
#include "launch/directory/tracedir.h"
#include "trace/file/ringblock.h"
#include "trace/file/store.h"
#include "trace/live/salvage.h"
#include "trace/read/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES 3   /* in the packed file */
#define RECORDS	  500 /* of each */
#define APPENDERS 4
#define TURNS	  10

static char dir[] = "/tmp/weir-test-XXXXXX";
static char packed[64];
static struct weir_tracedir place;

static void put(struct weir_store *store, uint32_t type, uint32_t proc,
		const char *text)
{
	struct weir_block block = {
		.type = type, .stored = (uint32_t)strlen(text), .proc = proc};

	assert_int_equal(weir_store_append(store, &block, text), 0);
}

/* Writes of 1 to 9 bytes, 10 us apart, to descriptor 3. */
static void put_ring(struct weir_store *store, uint32_t proc)
{
	struct weir_ringblock_head head = {
		.base = 1000, .mult = UINT64_C(1) << 32, .records = RECORDS};
	struct weir_block block = {.type = WEIR_BLOCK_RING, .proc = proc,
				   .count = RECORDS, .first = 11000,
				   .last = 1000 + RECORDS * 10000};
	struct weir_ringblock_name name = {.fd = 3, .handle = 1,
					   .text = (const uint8_t *)"/data",
					   .length = 5};
	struct weir_bytes payload = {0};
	uint64_t position = 0;

	assert_int_equal(weir_bytes_add(&payload, &head, sizeof(head)), 0);
	for (uint64_t i = 0; i < RECORDS; i++) {
		struct weir_ring_record record = {
			UINT64_C(3) << 32 | 10 << 4 | 1, 1 + i % 9};

		weir_bytes_add(&payload, &record, sizeof(record));
	}
	weir_ringblock_add_name(&payload, &position, &name);
	block.stored = (uint32_t)payload.used;
	assert_int_equal(weir_store_append(store, &block, payload.data), 0);
	weir_bytes_fini(&payload);
}

static void make_packed(void)
{
	struct weir_store *store;

	assert_int_equal(weir_store_create(packed, &store), 0);
	put(store, WEIR_BLOCK_HEAD, 0,
	    "format=1\nhost=one\ntick0=0\nmono0=0\nreal0=0\n"
	    "mult=4294967296\n");
	assert_int_equal(weir_salvage_put_dict(store), 0);
	for (uint32_t i = 1; i <= PROCESSES; i++) {
		char text[64];

		snprintf(text, sizeof(text), "pid=%u\nstate=exited\n", i);
		put_ring(store, i);
		put(store, WEIR_BLOCK_PROC, i, text);
	}
	put(store, WEIR_BLOCK_END, 0, "complete=yes\n");
	weir_store_close(store);
}

static void append(void)
{
	struct weir_single_result result;

	if (weir_single_append(&place, packed, &result) || result.apart)
		_exit(1);
}

struct seen {
	uint64_t events, bytes, named;
	uint32_t processes, whole; /* with all their events */
	struct weir_reader_losses losses;
};

static struct seen look(void)
{
	uint32_t *of_process;
	struct weir_reader *reader;
	struct weir_event event;
	struct seen seen = {0};
	size_t len;

	assert_int_equal(weir_reader_open(dir, &reader), 0);
	seen.processes = weir_reader_processes(reader);
	of_process = calloc(seen.processes + 1, sizeof(*of_process));
	assert_non_null(of_process);
	while (weir_reader_next(reader, &event) > 0) {
		const char *name = weir_reader_name(reader, event.file, &len);

		seen.events++;
		seen.bytes += (uint64_t)event.ret;
		seen.named += name && !strcmp(name, "/data");
		assert_string_equal(weir_reader_call(reader, &event)->name,
				    "write");
		of_process[event.proc]++;
	}
	for (uint32_t i = 1; i <= seen.processes; i++)
		seen.whole += of_process[i] == RECORDS &&
			      weir_reader_process(reader, i);
	weir_reader_losses(reader, &seen.losses);
	weir_reader_close(reader);
	free(of_process);
	return seen;
}

static void many_append_at_once(void **state)
{
	const uint32_t expected = APPENDERS * TURNS * PROCESSES;
	struct seen seen;
	int status;

	(void)state;
	for (int i = 0; i < APPENDERS; i++) {
		if (fork())
			continue;
		for (int turn = 0; turn < TURNS; turn++)
			append();
		_exit(0);
	}
	for (int i = 0; i < APPENDERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	seen = look();
	assert_int_equal(seen.processes, expected);
	assert_int_equal(seen.whole, expected);
	assert_int_equal(seen.events, (uint64_t)expected * RECORDS);
	assert_int_equal(seen.named, seen.events);
	assert_int_equal(seen.losses.unended, 0);
	assert_int_equal(seen.losses.damaged_blocks, 0);
}

/* What was whole before stays; who comes next makes a row of blocks of it. */
static void killed_ones_leave_a_row_of_blocks(void **state)
{
	uint32_t before = 0, killed = 0;
	struct seen seen;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/" WEIR_SINGLE_NAME, dir);
	unlink(path);
	for (long i = 0; i < 24; i++) {
		struct timespec wait_for = {.tv_nsec = 300000 + i * 97000};
		pid_t pid = fork();

		if (!pid)
			for (;;)
				append();
		nanosleep(&wait_for, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		append();
		seen = look();
		assert_int_equal(seen.losses.damaged_bytes, 0);
		assert_int_equal(seen.losses.damaged_blocks, 0);
		assert_true(seen.whole >= before + PROCESSES);
		before = seen.whole;
		killed = seen.losses.unended;
	}
	print_message("# %u parts were cut short\n", killed);
}

/* The first part brings the dictionary: wherever it was cut, all is named. */
static void a_first_part_cut_short_is_begun_anew(void **state)
{
	char path[64];
	struct stat st;
	struct seen seen;

	(void)state;
	snprintf(path, sizeof(path), "%s/" WEIR_SINGLE_NAME, dir);
	unlink(path);
	append();
	assert_int_equal(stat(path, &st), 0);
	for (off_t left = 1; left < st.st_size;
	     left += SEVERAL * (24 + left / 50)) {
		unlink(path);
		append();
		assert_int_equal(truncate(path, left), 0);
		append();
		seen = look();
		assert_true(seen.whole >= PROCESSES);
		assert_int_equal(seen.losses.damaged_blocks, 0);
	}
}

/* A full disk, as far as the appender can see: too large a file. */
static void what_does_not_fit_leaves_nothing(void **state)
{
	struct weir_single_result result;
	char path[64];
	struct stat st, after;
	pid_t pid;
	int status;

	(void)state;
	snprintf(path, sizeof(path), "%s/" WEIR_SINGLE_NAME, dir);
	assert_int_equal(stat(path, &st), 0);
	pid = fork();
	if (!pid) {
		struct rlimit limit = {(rlim_t)st.st_size + 4000,
				       (rlim_t)st.st_size + 4000};

		signal(SIGXFSZ, SIG_IGN);
		_exit(setrlimit(RLIMIT_FSIZE, &limit) ||
		      weir_single_append(&place, packed, &result) != -EFBIG);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_size, st.st_size);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return 1;
	snprintf(packed, sizeof(packed), "%s.packed", dir);
	make_packed();
	return weir_tracedir_join(&place, dir);
}

static int tear_down(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/" WEIR_SINGLE_NAME, dir);
	unlink(path);
	unlink(packed);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_append_at_once),
		cmocka_unit_test(killed_ones_leave_a_row_of_blocks),
		cmocka_unit_test(a_first_part_cut_short_is_begun_anew),
		cmocka_unit_test(what_does_not_fit_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
