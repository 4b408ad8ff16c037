/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader: order, names, filters and refusals. */
#include "trace/read/reader.h"

#include "check.h"
#include "sample.h"
#include "trace/layout/trace_layout.h"
#include "trace/read/cursor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct weir_reader *open_reader(const char *path)
{
	struct weir_reader *reader;

	assert_int_equal(weir_reader_open(path, &reader), 0);
	return reader;
}

static void check_order(struct weir_reader *reader, uint64_t expected)
{
	struct weir_event event;
	uint64_t count = 0, last = 0;

	while (weir_reader_next(reader, &event) > 0) {
		uint64_t start = weir_reader_real(reader, &event);

		assert_true(start >= last);
		last = start;
		count++;
	}
	assert_int_equal(count, expected);
	assert_int_equal(weir_reader_next(reader, &event), 0);
}

static void events_come_in_order(void **state)
{
	int raw = sample_raw(SAMPLE_ROUNDS);
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_reader *reader = open_reader(sample_path(packed));

	check_order(reader, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	assert_false(weir_reader_is_damaged(reader));
	weir_reader_close(reader);
	reader = open_reader(sample_path(raw));
	check_order(reader, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	assert_false(weir_reader_is_damaged(reader));
	weir_reader_close(reader);
	close(raw);
	close(packed);
}

static void processes_follow_one_another_when_asked(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_reader *reader = open_reader(sample_path(packed));
	uint64_t count = 0, last = 0, begin = weir_reader_begin(reader);
	struct weir_event event;
	uint32_t proc = 0;

	weir_reader_by_process(reader);
	while (weir_reader_next(reader, &event) > 0) {
		uint64_t start = weir_reader_real(reader, &event);

		assert_true(event.proc >= proc);
		if (event.proc == proc)
			assert_true(start >= last);
		proc = event.proc;
		last = start;
		count++;
	}
	assert_int_equal(count, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	assert_int_equal(proc, 2);
	assert_true(weir_reader_begin(reader) == begin);
	weir_reader_close(reader);
	close(packed);
}

static void find(struct weir_reader *reader, uint16_t call,
		 struct weir_event *ret_event)
{
	while (weir_reader_next(reader, ret_event) > 0)
		if (ret_event->call == call)
			return;
	fail();
}

static void events_are_told_whole(void **state)
{
	int packed = sample_packed(10);
	struct weir_reader *reader = open_reader(sample_path(packed));
	const struct weir_procinfo *process;
	struct weir_event e;
	size_t len;

	find(reader, 1, &e);
	assert_int_equal(e.fd, 3);
	assert_string_equal(weir_reader_name(reader, e.file, &len),
			    "/home/user/out.bin");
	/* 50 ticks after tick0, at 0.4 ns a tick. */
	assert_int_equal(e.start, 5000000020);
	assert_int_equal(e.dur, 800);
	find(reader, 20, &e);
	assert_int_equal(e.ret, -1);
	assert_int_equal(e.err, EAGAIN);
	assert_string_equal(weir_reader_call(reader, &e)->name, "read");
	process = weir_reader_process(reader, e.proc);
	assert_int_equal(process->pid, 100);
	assert_string_equal(process->args[1], "two\nlines 100%");
	assert_null(process->args[2]);
	assert_string_equal(process->state, "exited");
	assert_int_equal(weir_procinfo_find(process, 2)->tid, 101);
	assert_string_equal(weir_reader_node(reader, 0)->host, "node01");
	find(reader, 22, &e);
	assert_string_equal(weir_reader_name(reader, e.file, &len),
			    "/home/user/in.bin");
	weir_reader_close(reader);
	close(packed);
}

static void parents_come_before_their_children(void **state)
{
	int packed = sample_packed(10);
	struct weir_reader *reader = open_reader(sample_path(packed));
	struct weir_event e, parent = { 0 };
	int children = 0;

	while (weir_reader_next(reader, &e) > 0) {
		if (e.call == 21 && e.size == 1024)
			parent = e;
		if (!e.depth)
			continue;
		children++;
		assert_true(parent.dur);
		assert_true(e.start >= parent.start);
		assert_true(e.start + e.dur <= parent.start + parent.dur);
	}
	assert_int_equal(children, 2);
	weir_reader_close(reader);
	close(packed);
}

static int wants_200(const struct weir_procinfo *process, void *context)
{
	(*(int *)context)++;
	return process->pid == 200;
}

static void filters_keep_what_is_wanted(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS), asked = 0;
	struct weir_reader *reader = open_reader(sample_path(packed));
	struct weir_event event;
	uint64_t count = 0;

	weir_reader_only(reader, wants_200, &asked);
	check_order(reader, 1);
	assert_int_equal(asked, 2);
	weir_reader_close(reader);
	reader = open_reader(sample_path(packed));
	weir_reader_between(reader, 100000, 200000);
	while (weir_reader_next(reader, &event) > 0) {
		uint64_t start = weir_reader_real(reader, &event) -
				 weir_reader_begin(reader);

		assert_true(start <= 200000 && start + event.dur >= 100000);
		count++;
	}
	assert_true(count > 10 && count < SAMPLE_EVENTS(SAMPLE_ROUNDS) / 2);
	weir_reader_close(reader);
	close(packed);
}

static void copy_to(const char *path, int fd)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	static char bytes[1 << 20];
	ssize_t n = pread(fd, bytes, sizeof(bytes), 0);

	assert_true(to >= 0 && n >= 0);
	assert_int_equal(write(to, bytes, (size_t)n), n);
	close(to);
}

static void all_nodes_are_read(void **state)
{
	char dir[] = "/tmp/weir-reader-XXXXXX", path[64];
	int raw = sample_raw(100), packed = sample_packed(100);
	struct weir_reader *reader;
	struct weir_reader_losses losses;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(weir_reader_open(dir, &reader), -ENOENT);
	snprintf(path, sizeof(path), "%s/a.weir", dir);
	copy_to(path, raw);
	snprintf(path, sizeof(path), "%s/b.weir", dir);
	copy_to(path, packed);
	reader = open_reader(dir);
	check_order(reader, 2 * SAMPLE_EVENTS(100));
	assert_int_equal(weir_reader_processes(reader), 4);
	assert_false(weir_reader_is_damaged(reader));
	weir_reader_losses(reader, &losses);
	assert_int_equal(losses.dropped, 4);
	weir_reader_close(reader);
	assert_int_equal(truncate(path, 0), 0);
	snprintf(path, sizeof(path), "%s/c.weir", dir);
	copy_to(path, open("/proc/self/exe", O_RDONLY));
	reader = open_reader(dir);
	check_order(reader, SAMPLE_EVENTS(100));
	assert_true(weir_reader_is_damaged(reader));
	weir_reader_close(reader);
	assert_int_equal(weir_reader_open(path, &reader), -EBADMSG);
	for (char c = 'a'; c <= 'c'; c++) {
		snprintf(path, sizeof(path), "%s/%c.weir", dir, c);
		unlink(path);
	}
	rmdir(dir);
	close(raw);
	close(packed);
}

static void what_is_no_trace_is_refused(void **state)
{
	struct weir_reader *reader;

	assert_int_equal(weir_reader_open("/nowhere", &reader), -ENOENT);
	assert_int_equal(weir_reader_open("/dev/null", &reader), -EBADMSG);
	assert_int_equal(weir_reader_open("/proc/self/exe", &reader),
			 -EBADMSG);
}

/* With memory for only a few events at a time the order is the same. */
static void slices_make_the_whole(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_readshelf shelf = { 0 };
	struct weir_readnode node = { .shelf = &shelf, .file.fd = packed };
	struct weir_cursor_bench whole = { .share = 1 << 30,
					   .memory = 1 << 30 };
	struct weir_cursor_bench few = { .share = 700, .memory = 1 << 30 };

	assert_int_equal(weir_readnode_open(&node, packed, 0), 0);
	assert_true(node.event_blocks >= 3);
	for (uint64_t i = 0; i < node.event_blocks; i++) {
		struct weir_cursor a = { .node = &node,
					 .block = &node.events[i] }, b = a;
		int more = weir_cursor_start(&a, &whole);

		assert_int_equal(weir_cursor_start(&b, &few), more);
		while (more > 0) {
			const struct weir_event *x = weir_cursor_event(&a);
			const struct weir_event *y = weir_cursor_event(&b);

			assert_true(x->index == y->index && a.key == b.key);
			assert_int_equal(x->detail_len, y->detail_len);
			if (x->detail_len)
				assert_memory_equal(x->detail, y->detail,
						    x->detail_len);
			more = weir_cursor_step(&a, &whole);
			assert_int_equal(weir_cursor_step(&b, &few), more);
		}
		weir_cursor_stop(&a, &whole);
		weir_cursor_stop(&b, &few);
	}
	weir_cursor_bench_fini(&whole);
	weir_cursor_bench_fini(&few);
	weir_readnode_close(&node);
	weir_readshelf_fini(&shelf);
	close(packed);
}

static void same_event(const struct weir_event *x, const struct weir_event *y)
{
	assert_true(x->start == y->start && x->proc == y->proc);
	assert_true(x->thread == y->thread && x->index == y->index);
	assert_true(x->call == y->call && x->file == y->file);
	assert_true(x->off == y->off && x->ret == y->ret);
	assert_int_equal(x->detail_len, y->detail_len);
	if (x->detail_len)
		assert_memory_equal(x->detail, y->detail, x->detail_len);
}

/* Not even a detail can be kept: all is read when it is asked for. */
static void little_memory_changes_nothing(void **state)
{
	static const uint64_t limits[] = { 0, 1000, 50000 };
	int packed = sample_packed(300);

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct weir_reader *much = open_reader(sample_path(packed));
		struct weir_reader *little = open_reader(sample_path(packed));
		struct weir_event x, y;
		int more;

		weir_reader_limit(little, limits[i]);
		while ((more = weir_reader_next(much, &x)) > 0) {
			assert_int_equal(weir_reader_next(little, &y), 1);
			same_event(&x, &y);
		}
		assert_int_equal(more, 0);
		assert_int_equal(weir_reader_next(little, &y), 0);
		weir_reader_close(much);
		weir_reader_close(little);
	}
	close(packed);
}

#define CROWD 60

static void crowd_path(char *to, size_t room, const char *dir, int i)
{
	snprintf(to, room, "%s/node%02d.weir", dir, i);
}

/* Packed and raw files in turns. */
static void make_crowd(const char *dir)
{
	int raw = sample_raw(10), packed = sample_packed(10);
	char path[64];

	for (int i = 0; i < CROWD; i++) {
		crowd_path(path, sizeof(path), dir, i);
		copy_to(path, i & 1 ? raw : packed);
	}
	close(raw);
	close(packed);
}

static void remove_crowd(const char *dir)
{
	char path[64];

	for (int i = 0; i < CROWD; i++) {
		crowd_path(path, sizeof(path), dir, i);
		unlink(path);
	}
	rmdir(dir);
}

static void more_files_than_descriptors_are_read(void **state)
{
	char dir[] = "/tmp/weir-reader-XXXXXX", path[64], other[64];
	struct rlimit before, few = { 24, 24 };
	struct weir_reader *reader;
	struct weir_event event;
	int more;

	assert_non_null(mkdtemp(dir));
	make_crowd(dir);
	getrlimit(RLIMIT_NOFILE, &before);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	reader = open_reader(dir);
	check_order(reader, CROWD * SAMPLE_EVENTS(10));
	assert_false(weir_reader_is_damaged(reader));
	weir_reader_close(reader);
	/* Another file under a name that has to be opened again. */
	reader = open_reader(dir);
	crowd_path(path, sizeof(path), dir, CROWD - 2);
	crowd_path(other, sizeof(other), dir, 0);
	assert_int_equal(rename(other, path), 0);
	do {
		more = weir_reader_next(reader, &event);
	} while (more > 0);
	assert_int_equal(more, -ESTALE);
	weir_reader_close(reader);
	setrlimit(RLIMIT_NOFILE, &before);
	remove_crowd(dir);
}

/* Each event is within the time that its number leads to. */
static void events_are_found_by_number(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_reader *all = open_reader(sample_path(packed));
	struct weir_event e, none = { .proc = 1, .thread = 1,
				      .index = UINT64_MAX };
	uint64_t from, to, start;

	while (weir_reader_next(all, &e) > 0) {
		start = weir_reader_real(all, &e) - weir_reader_begin(all);
		assert_int_equal(weir_reader_find(all, &e, &from, &to), 0);
		assert_true(from <= start && start <= to);
		assert_true(weir_reader_before(all, &e, start) <= start);
	}
	assert_int_equal(weir_reader_find(all, &none, &from, &to), -ENOENT);
	none.proc = 99;
	assert_int_equal(weir_reader_find(all, &none, &from, &to), -ENOENT);
	weir_reader_close(all);
	close(packed);
}

static int is_second(const struct weir_procinfo *process, void *context)
{
	return process->number == 2;
}

static void a_reader_begins_again(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_reader *reader = open_reader(sample_path(packed));
	struct weir_event e;

	weir_reader_only(reader, is_second, NULL);
	weir_reader_between(reader, 0, 1000000);
	assert_int_equal(weir_reader_next(reader, &e), 1);
	assert_int_equal(e.proc, 2);
	weir_reader_rewind(reader);
	weir_reader_by_process(reader);
	assert_int_equal(weir_reader_next(reader, &e), 1);
	weir_reader_rewind(reader);
	check_order(reader, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	weir_reader_rewind(reader);
	check_order(reader, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	weir_reader_close(reader);
	close(packed);
}

/* As many as have been handed out before the last, of those that will be. */
static void progress_is_counted_by_events(void **state)
{
	int packed = sample_packed(SAMPLE_ROUNDS);
	struct weir_reader *reader = open_reader(sample_path(packed));
	uint64_t done, all, taken = 0;
	struct weir_event e;

	weir_reader_progress(reader, &done, &all);
	assert_int_equal(all, 0);
	while (weir_reader_next(reader, &e) > 0) {
		weir_reader_progress(reader, &done, &all);
		assert_int_equal(done, taken++);
		assert_int_equal(all, SAMPLE_EVENTS(SAMPLE_ROUNDS));
	}
	weir_reader_progress(reader, &done, &all);
	assert_int_equal(done, all);
	weir_reader_rewind(reader);
	weir_reader_only(reader, is_second, NULL);
	assert_int_equal(weir_reader_next(reader, &e), 1);
	weir_reader_progress(reader, &done, &all);
	assert_true(all < taken && !done);
	weir_reader_close(reader);
	close(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_in_order),
		cmocka_unit_test(events_are_found_by_number),
		cmocka_unit_test(a_reader_begins_again),
		cmocka_unit_test(progress_is_counted_by_events),
		cmocka_unit_test(processes_follow_one_another_when_asked),
		cmocka_unit_test(events_are_told_whole),
		cmocka_unit_test(parents_come_before_their_children),
		cmocka_unit_test(filters_keep_what_is_wanted),
		cmocka_unit_test(all_nodes_are_read),
		cmocka_unit_test(what_is_no_trace_is_refused),
		cmocka_unit_test(slices_make_the_whole),
		cmocka_unit_test(little_memory_changes_nothing),
		cmocka_unit_test(more_files_than_descriptors_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
