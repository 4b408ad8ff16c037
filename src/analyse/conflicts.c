/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that processes share without making sure that they see each other. */
#include "analyse/conflicts.h"

#include "analyse/ranges.h"
#include "spec/findings.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* So many pieces of all files are kept; beyond, a file is left alone. */
#define PIECES (1u << 20)

/* What a process did to make others see its bytes, and to see theirs. */
struct party {
	uint64_t *closes; /* when each close had ended */
	size_t count, room;
	uint64_t committed; /* when the last sync, unlock or close had ended */
	uint64_t opened;    /* when the last open or lock had ended */
};

struct file {
	struct weir_ranges written;
	bool given_up;
};

struct search {
	struct weir_runfacts *facts;
	struct weir_reader *reader;
	struct file *files;	/* of the suspects, by their order */
	struct weir_map wanted; /* number of the file to index + 1 */
	struct party *parties;
	size_t party_count, party_room;
	struct weir_map party_index; /* file and process to index + 1 */
	size_t pieces;
	uint64_t error; /* of clocks */
};

/* A call on bytes that others may have written. */
struct access {
	struct search *search;
	const struct weir_sight *sight;
	struct party *party;
	bool writes;
	int err;
};

static struct party *party_of(struct search *s, uint32_t file, uint32_t proc)
{
	uint64_t key = (uint64_t)file << 32 | proc;
	uint64_t at = weir_map_get(&s->party_index, key);
	struct party *parties;

	if (at)
		return &s->parties[at - 1];
	if (s->party_count == s->party_room) {
		size_t room = s->party_room ? s->party_room * 2 : 16;

		parties = realloc(s->parties, room * sizeof(*parties));
		if (!parties)
			return NULL;
		s->parties = parties;
		s->party_room = room;
	}
	s->parties[s->party_count] = (struct party){ 0 };
	if (weir_map_put(&s->party_index, key, s->party_count + 1))
		return NULL;
	return &s->parties[s->party_count++];
}

static int note_close(struct party *party, uint64_t when)
{
	uint64_t *closes = party->closes;

	if (party->count == party->room) {
		size_t room = party->room ? party->room * 2 : 4;

		closes = realloc(closes, room * sizeof(*closes));
		if (!closes)
			return -ENOMEM;
		party->closes = closes;
		party->room = room;
	}
	closes[party->count++] = when;
	party->committed = when;
	return 0;
}

/* A process that has ended has closed its files. */
static uint64_t end_of(const struct search *s, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(s->reader, proc);
	const struct weir_row *row =
		weir_ledger_row(&s->facts->totals.processes, proc);

	if (!process || !row || process->state[0] != 'e')
		return UINT64_MAX;
	return row->last;
}

/* The first time that the writer closed the file after that moment. */
static uint64_t close_after(const struct search *s, const struct party *writer,
			    uint32_t proc, uint64_t moment)
{
	size_t low = 0, high = writer->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (writer->closes[middle] < moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low < writer->count ? writer->closes[low] : end_of(s, proc);
}

/* Rules for what lies between a write and another process's call. */
enum { UNSYNCED, UNOPENED, KINDS };

static const uint32_t rules[2][KINDS] = {
	{ WEIR_RULE_UNSYNCED_READS, WEIR_RULE_STALE_READS },
	{ WEIR_RULE_UNSYNCED_WRITES, WEIR_RULE_STALE_WRITES },
};

static int note(struct access *a, const struct weir_range *range, int kind)
{
	const struct weir_event *event = &a->sight->event;
	const struct weir_clue clue = {
		.rule = rules[a->writes][kind], .file = a->sight->file,
		.proc = event->proc, .count = 1, .of = 1,
		.bytes = range->to - range->from, .time = event->dur,
		.witness = weir_witness_of(event),
	};

	return weir_clues_add(&a->search->facts->clues, &clue);
}

static int see(void *context, const struct weir_range *range)
{
	struct access *a = context;
	const struct search *s = a->search;
	uint32_t proc = range->writer.proc;
	uint64_t now = a->sight->real + s->error;
	const struct party *writer;
	uint64_t closed;

	if (proc == a->sight->event.proc)
		return 0;
	writer = party_of(a->search, a->sight->file, proc);
	if (!writer)
		return a->err = -ENOMEM;
	closed = close_after(s, writer, proc, range->end);
	if ((writer->committed < range->end || writer->committed > now) &&
	    closed > now)
		return a->err = note(a, range, UNSYNCED);
	/* It was opened before that, and may still show what was before. */
	if (closed > a->party->opened + s->error)
		return a->err = note(a, range, UNOPENED);
	return 0;
}

static int keep(struct search *s, struct file *file,
		const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	const struct weir_range range = {
		.from = (uint64_t)event->off,
		.to = (uint64_t)event->off + sight->moved,
		.start = sight->real, .end = sight->real + event->dur,
		.writer = weir_witness_of(event),
	};
	size_t before = file->written.count;
	int err = weir_ranges_write(&file->written, &range);

	s->pieces += file->written.count - before;
	if (s->pieces < PIECES)
		return err;
	s->pieces -= file->written.count;
	weir_ranges_fini(&file->written);
	file->given_up = true;
	s->facts->unchecked++;
	return err;
}

static bool is_write(const struct weir_sight *sight)
{
	return sight->class == WEIR_CLASS_WRITE ||
	       sight->class == WEIR_CLASS_DRAIN;
}

static int take_transfer(struct search *s, struct file *file,
			 const struct weir_sight *sight, struct party *party)
{
	struct access a = {
		.search = s, .sight = sight, .party = party,
		.writes = is_write(sight),
	};
	const struct weir_event *event = &sight->event;
	struct weir_extent bytes = { (uint64_t)event->off,
				     (uint64_t)event->off + sight->moved };

	if (file->given_up || !sight->moved ||
	    event->flags & WEIR_EVENT_NOOFF)
		return 0;
	weir_ranges_each(&file->written, bytes, see, &a);
	if (a.err || !a.writes)
		return a.err;
	return keep(s, file, sight);
}

static int take(struct search *s, const struct weir_sight *sight)
{
	uint64_t at = weir_map_get(&s->wanted, sight->file);
	uint64_t end = sight->real + sight->event.dur;
	struct party *party;

	if (!at || sight->layer > WEIR_SIGHT_ASYNC ||
	    sight->event.flags & (WEIR_EVENT_ENTERED | WEIR_EVENT_FAILED))
		return 0;
	party = party_of(s, sight->file, sight->event.proc);
	if (!party)
		return -ENOMEM;
	if (sight->class == WEIR_CLASS_OPEN || sight->marks & WEIR_SIGHT_LOCKS)
		party->opened = end;
	if (sight->class == WEIR_CLASS_CLOSE || sight->marks & WEIR_SIGHT_LOCKS)
		return note_close(party, end);
	if (sight->class == WEIR_CLASS_SYNC)
		party->committed = end;
	if (is_write(sight) || sight->class == WEIR_CLASS_READ ||
	    sight->class == WEIR_CLASS_FILL)
		return take_transfer(s, &s->files[at - 1], sight, party);
	return 0;
}

static int read_all(struct search *s, const struct weir_sights_filter *filter)
{
	struct weir_sights *sights;
	struct weir_sight sight;
	int more = 0, err = weir_sights_new(s->reader, filter,
					    &s->facts->totals.names, &sights);

	if (err)
		return err;
	while (!err && (more = weir_sights_next(sights, &sight)) > 0)
		err = take(s, &sight);
	weir_sights_free(sights);
	return err ? err : more;
}

static int prepare(struct search *s)
{
	size_t count = s->facts->suspect_count;
	int err = 0;

	s->files = calloc(count, sizeof(*s->files));
	if (!s->files)
		return -ENOMEM;
	for (size_t i = 0; !err && i < count; i++)
		err = weir_map_put(&s->wanted, s->facts->suspects[i], i + 1);
	if (!weir_reader_clocks(s->reader, &s->error))
		s->error = 0;
	return err;
}

static void tidy(struct search *s)
{
	for (size_t i = 0; s->files && i < s->facts->suspect_count; i++)
		weir_ranges_fini(&s->files[i].written);
	for (size_t i = 0; i < s->party_count; i++)
		free(s->parties[i].closes);
	free(s->files);
	free(s->parties);
	weir_map_fini(&s->wanted);
	weir_map_fini(&s->party_index);
}

int weir_conflicts_find(const char *path,
			const struct weir_sights_filter *filter,
			struct weir_runfacts *facts)
{
	struct search s = { .facts = facts };
	int err;

	if (!facts->suspect_count)
		return 0;
	err = weir_reader_open(path, &s.reader);
	if (err)
		return err;
	err = prepare(&s);
	err = err ? err : read_all(&s, filter);
	tidy(&s);
	weir_reader_close(s.reader);
	return err;
}
