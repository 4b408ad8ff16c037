/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees from the bytes of a trace to text: each event once, at its place. */
#include "export/tree/as_tree.h"

#include "check.h"
#include "export/tree/treeline.h"
#include "rawmaker.h"
#include "sample.h"
#include "trace/pack/pack.h"
#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCS	3
#define THREADS 2
#define MOST	4000
#define ROUNDS	60
#define ID_AT	25 /* columns of the text */
#define TREE_AT 47

enum { PLAIN = 22, TOGETHER = 2000 };

static const char dictionary[] = "kind size - size bytes\n"
				 "kind key u detail hex\n"
				 "kind count - result bytes\n"
				 "layer posix\n"
				 "call 22 pread count read len:size\n"
				 "layer mpiio\n"
				 "call 2000 MPI_File_read_all count read "
				 "coll:key seq:key\n";

struct truth {
	uint64_t caller; /* as key_of(); 0: the application */
	int rows, references;
};

static struct truth truths[PROCS + 1][THREADS + 1][MOST];

struct growth {
	struct rawmaker *to;
	uint32_t *seed;
	uint64_t clock, index;
	uint32_t proc, thread;
};

static uint32_t chance(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static void tick(struct growth *g)
{
	if (chance(g->seed, 3))
		g->clock += 1 + chance(g->seed, 50);
}

/* Puts down a call after those it made; seq 0: it is no collective one. */
static uint64_t grow(struct growth *g, uint8_t depth, uint64_t seq)
{
	struct rawmaker_detail d = { .used = 0 };
	struct weir_event event = {
		.call = seq ? TOGETHER : PLAIN, .depth = depth,
		.start = g->clock, .flags = WEIR_EVENT_NOOFF,
	};
	uint32_t calls = depth < 5 ? chance(g->seed, 4) : 0;
	uint64_t made[4];

	tick(g);
	for (uint32_t i = 0; i < calls; i++) {
		made[i] = grow(g, (uint8_t)(depth + 1),
			       seq && !i && depth < 2 ? 1000 + seq : 0);
		tick(g);
	}
	event.dur = g->clock - event.start;
	if (seq) {
		rawmaker_number(&d, 7);
		rawmaker_number(&d, seq);
	}
	rawmaker_put(g->to, event, &d);
	for (uint32_t i = 0; i < calls; i++)
		truths[g->proc][g->thread][made[i]].caller = g->index + 1;
	assert_true(g->index < MOST);
	return g->index++;
}

static void put(struct weir_store *store, uint32_t type, uint32_t proc,
		const char *text)
{
	struct weir_block block = { .type = type, .proc = proc,
				    .stored = (uint32_t)strlen(text) };

	assert_int_equal(weir_store_append(store, &block, text), 0);
}

/* The first threads make collective calls, at times from within another. */
static uint64_t write_thread(struct weir_store *store, uint32_t *seed,
			     uint32_t proc, uint32_t thread)
{
	static struct rawmaker maker;
	struct growth g = { .to = &maker, .seed = seed, .proc = proc,
			    .thread = thread, .clock = 5000000 };

	rawmaker_start(&maker, store, proc, thread, g.clock);
	g.clock += chance(seed, 2000);
	for (uint64_t i = 1; i <= 8; i++) {
		grow(&g, 0, thread == 1 && i % 2 ? i : 0);
		g.clock += chance(seed, 400);
	}
	rawmaker_flush(&maker);
	return g.index;
}

static uint64_t write_trace(int fd, uint32_t seed)
{
	struct weir_store *store;
	char text[64];
	uint64_t count = 0;

	memset(truths, 0, sizeof(truths));
	assert_int_equal(weir_store_adopt(dup(fd), &store), 0);
	put(store, WEIR_BLOCK_HEAD, 0,
	    "format=1\nhost=one\nclock=ns\ntick0=0\nmono0=0\n"
	    "real0=1700000000000000000\nmult=4294967296\n");
	put(store, WEIR_BLOCK_DICT, 0, dictionary);
	for (uint32_t proc = 1; proc <= PROCS; proc++) {
		snprintf(text, sizeof(text), "pid=%u\nstate=exited\n"
			 "trait.rank=%u\n", proc, proc - 1);
		put(store, WEIR_BLOCK_PROC, proc, text);
		for (uint32_t thread = 1; thread <= THREADS; thread++)
			count += write_thread(store, &seed, proc, thread);
	}
	weir_store_close(store);
	return count;
}

static char *show(int fd, struct weir_as_tree_wish wish,
		  struct weir_as_tree_told *told)
{
	struct weir_dump_filter filter = { .to = UINT64_MAX };
	struct weir_relations relations;
	struct weir_reader *reader;
	int out = sample_file();
	off_t size;
	char *text;

	assert_int_equal(weir_reader_open(sample_path(fd), &wish.first), 0);
	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	assert_int_equal(
		weir_relations_init(&relations, reader,
				    weir_treeline_end_frame), 0);
	filter.relations = &relations;
	assert_int_equal(weir_as_tree_write(reader, &filter, &wish, out, told),
			 0);
	weir_relations_fini(&relations);
	weir_reader_close(reader);
	weir_reader_close(wish.first);
	size = lseek(out, 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	assert_int_equal(pread(out, text, (size_t)size, 0), size);
	close(out);
	return text;
}

static uint32_t level_of(const char *at)
{
	static const struct {
		const char *mark;
		int ends;
	} marks[] = {
		{ "\u2502  ", 0 }, { "   ", 0 },
		{ "\u251c\u2500 ", 1 }, { "\u2514\u2500 ", 1 },
	};
	uint32_t level = 0;

	for (size_t i = 0; i < 4; i++) {
		size_t len = strlen(marks[i].mark);

		if (strncmp(at, marks[i].mark, len))
			continue;
		level++;
		if (marks[i].ends)
			return level;
		at += len;
		i = (size_t)-1;
	}
	return level;
}

/* The ids of the rows above, by level; no process: a collective call. */
struct path {
	struct weir_tree_id ids[64];
};

static void judge_row(const char *line, struct path *path)
{
	uint32_t level = level_of(line + TREE_AT);
	struct weir_tree_id id = { 0 };
	const struct weir_tree_id *above = level ? &path->ids[level - 1] : NULL;
	unsigned long long index;
	struct truth *truth;

	path->ids[level] = id;
	if (sscanf(line + ID_AT, "%u.%u.%llu", &id.proc, &id.thread,
		   &index) != 3 || line[ID_AT] == ' ')
		return; /* a collective call as such */
	id.index = index;
	path->ids[level] = id;
	truth = &truths[id.proc][id.thread][id.index];
	if (strstr(line, "[goes on]"))
		return;
	if (strstr(line, "shown there]")) {
		truth->references++;
	} else {
		truth->rows++;
		if (above && !above->proc)
			return; /* its caller is told by the reference */
	}
	if (!above)
		assert_int_equal(truth->caller, 0);
	else if (above->proc != id.proc || above->thread != id.thread ||
		 above->index + 1 != truth->caller)
		fail_msg("wrong caller: %s", line);
}

static uint64_t judge(char *text)
{
	struct path path;
	uint64_t rows = 0;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (*line != '#' && strncmp(line, "     #", 6))
			judge_row(line, &path);
	for (int proc = 1; proc <= PROCS; proc++)
		for (int thread = 1; thread <= THREADS; thread++)
			for (int i = 0; i < MOST; i++) {
				struct truth *truth = &truths[proc][thread][i];

				assert_true(truth->rows <= 1);
				rows += (uint64_t)truth->rows;
				truth->rows = truth->references = 0;
			}
	return rows;
}

static void every_event_is_shown_once(void **state)
{
	for (uint32_t seed = 1; seed <= ROUNDS; seed++) {
		struct weir_as_tree_wish wish = { .depth = 0 };
		struct weir_as_tree_told told;
		int fd = sample_file();
		uint64_t count = write_trace(fd, seed);
		char *text = show(fd, wish, &told);

		assert_true(strstr(text, "one call of ranks 0-2"));
		assert_int_equal(judge(text), count);
		assert_int_equal(told.parted, 0);
		free(text);
		close(fd);
	}
}

/* Also when next to nothing may wait: then trees come in parts. */
static void little_memory_makes_parts(void **state)
{
	uint64_t parted = 0;

	for (uint32_t seed = 1; seed <= ROUNDS; seed++) {
		struct weir_as_tree_wish wish = { .memory = 1 + seed * 40 };
		struct weir_as_tree_told told;
		int fd = sample_file();
		uint64_t count = write_trace(fd, seed);
		char *text = show(fd, wish, &told);

		assert_int_equal(judge(text), count);
		parted += told.parted;
		free(text);
		close(fd);
	}
	assert_true(parted > ROUNDS);
}

static void one_event_is_found_or_missed(void **state)
{
	struct weir_as_tree_wish wish = { .of = { 2, 1, 0 } };
	struct weir_as_tree_told told;
	int fd = sample_file();
	char *text;

	write_trace(fd, 1);
	text = show(fd, wish, &told);
	assert_true(told.found);
	assert_true(strstr(text, "2.1.0 "));
	assert_true(strstr(text, "1.1.")); /* of the same collective call */
	assert_null(strstr(text, "2.2."));
	free(text);
	wish.of.proc = 9;
	text = show(fd, wish, &told);
	assert_false(told.found);
	assert_int_equal(judge(text), 0);
	free(text);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_is_shown_once),
		cmocka_unit_test(little_memory_makes_parts),
		cmocka_unit_test(one_event_is_found_or_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
