/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds bytes that processes share without a sync between them. */
#include "analyse/facts/conflicts.h"

#include "analyse/facts/ranges.h"
#include "base/grow.h"
#include "spec/findings.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* So many pieces are kept; beyond, a file is left alone. */
#define PIECES	    (UINT64_C(128) << 10)
#define FILE_PIECES (UINT64_C(16) << 10)

/* So many cases of a file, or of all, are proof enough. */
#define ENOUGH 256
#define CASES  (16u << 10)

/* Of so many who map one file it is followed how long they do. */
#define MAPPERS 4
#define DOUBTS	64

/* What a process did to make others see its bytes, and to see theirs. */
struct weir_conflicts_party {
	uint32_t proc;
	uint64_t *closes; /* when each close had ended */
	size_t count, room;
	uint64_t committed; /* when the last sync, unlock or close had ended */
	uint64_t opened;    /* when the last open or lock had ended */
	bool atomic;	    /* all that it does is seen at once, */
	bool maps, stores;  /* and what it does in memory by nobody */
};

struct weir_conflicts_file {
	struct weir_ranges written;
	uint32_t writer; /* party that alone has written; 0: none, or several */
	uint32_t cases, doubts;
	uint32_t mappers[MAPPERS], mapped; /* parties that have mapped it */
	bool several, given_up;
};

/* What one did in memory may have met what another did; who did it first. */
struct weir_conflicts_doubt {
	size_t file;
	uint32_t mapper; /* process */
	uint64_t opened; /* when the other could see all that was done before */
};

/* Bytes of another that a call met, before it was sure to see them. */
struct weir_conflicts_case {
	struct weir_clue clue;	  /* without its rule */
	uint32_t writer;	  /* process */
	bool writes;		  /* the call that met them */
	bool committed;		  /* they were, but the file not opened since */
	uint64_t written, closed; /* when; closed UINT64_MAX: not known */
	uint64_t now, opened;
};

void weir_conflicts_fini(struct weir_conflicts *conflicts)
{
	for (size_t i = 0; i < conflicts->file_count; i++)
		weir_ranges_fini(&conflicts->files[i].written);
	for (size_t i = 0; i < conflicts->party_count; i++)
		free(conflicts->parties[i].closes);
	free(conflicts->files);
	free(conflicts->parties);
	free(conflicts->cases);
	free(conflicts->doubts);
	weir_map_fini(&conflicts->file_index);
	weir_bypair_fini(&conflicts->party_index);
	*conflicts = (struct weir_conflicts){ 0 };
}

static struct weir_conflicts_file *file_of(struct weir_conflicts *c,
					   uint32_t number)
{
	uint64_t at = weir_map_get(&c->file_index, number);

	if (at)
		return &c->files[at - 1];
	if (WEIR_GROW(c->files, c->file_count, c->file_room) ||
	    weir_map_put(&c->file_index, number, c->file_count + 1))
		return NULL;
	c->files[c->file_count] = (struct weir_conflicts_file){ .cases = 0 };
	return &c->files[c->file_count++];
}

/* Its number, from 1; 0: no memory. */
static uint32_t party_of(struct weir_conflicts *c,
			 const struct weir_callview *view)
{
	uint32_t *at = weir_bypair_get(&c->party_index, view->pair);

	if (!at)
		return 0;
	if (*at)
		return *at;
	if (WEIR_GROW(c->parties, c->party_count, c->party_room))
		return 0;
	c->parties[c->party_count++] =
		(struct weir_conflicts_party){ .proc = view->event.proc };
	return *at = (uint32_t)c->party_count;
}

static int note_close(struct weir_conflicts_party *party, uint64_t when)
{
	int err = WEIR_GROW(party->closes, party->count, party->room);

	if (err)
		return err;
	party->closes[party->count++] = when;
	party->committed = when;
	return 0;
}

/* The first time that the writer closed the file after that moment. */
static uint64_t close_after(const struct weir_conflicts_party *writer,
			    uint64_t moment)
{
	size_t low = 0, high = writer->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (writer->closes[middle] < moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low < writer->count ? writer->closes[low] : UINT64_MAX;
}

/* A call on bytes that others may have written. */
struct access {
	struct weir_conflicts *conflicts;
	struct weir_conflicts_file *file;
	const struct weir_callview *view;
	uint32_t party;
	bool writes;
	int err;
};

static void give_up(struct weir_conflicts *c, struct weir_conflicts_file *file)
{
	c->pieces -= file->written.count;
	weir_ranges_fini(&file->written);
	file->given_up = true;
	c->unchecked++;
}

static int meet_range(void *context, const struct weir_range *range)
{
	struct access *a = context;
	struct weir_conflicts *c = a->conflicts;
	const struct weir_event *event = &a->view->event;
	const struct weir_conflicts_party *writer =
		&c->parties[range->party - 1];
	struct weir_conflicts_case found = {
		.clue = { .file = a->view->file,
			  .proc = event->proc,
			  .count = 1,
			  .of = 1,
			  .time = event->dur,
			  .bytes = range->to - range->from,
			  .witness = weir_witness_of(event) },
		.writer = writer->proc,
		.writes = a->writes,
		.committed = writer->committed >= range->end,
		.written = range->end,
		.now = a->view->real + c->error,
		.closed = close_after(writer, range->end),
		.opened = c->parties[a->party - 1].opened + c->error,
	};

	if (range->party == a->party || found.closed <= found.opened ||
	    (writer->atomic && c->parties[a->party - 1].atomic))
		return 0;
	a->err = WEIR_GROW(c->cases, c->case_count, c->case_room);
	if (a->err)
		return a->err;
	c->cases[c->case_count++] = found;
	return ++a->file->cases >= ENOUGH || c->case_count >= CASES;
}

static bool is_write(const struct weir_callview *view)
{
	return view->class == WEIR_CLASS_WRITE ||
	       view->class == WEIR_CLASS_DRAIN ||
	       view->begins == WEIR_PENDING_WRITES;
}

static bool is_transfer(const struct weir_callview *view)
{
	return is_write(view) || view->class == WEIR_CLASS_READ ||
	       view->class == WEIR_CLASS_FILL ||
	       view->begins == WEIR_PENDING_READS;
}

/* What is only begun moves at any time from now on. */
static uint64_t bytes_of(const struct weir_callview *view)
{
	return view->class == WEIR_CLASS_SUBMIT ? view->event.size
						: view->moved;
}

static int keep_access(struct access *a)
{
	struct weir_conflicts *c = a->conflicts;
	struct weir_conflicts_file *file = a->file;
	const struct weir_event *event = &a->view->event;
	const struct weir_range range = {
		.from = (uint64_t)event->off,
		.to = (uint64_t)event->off + bytes_of(a->view),
		.end = a->view->real + event->dur,
		.party = a->party,
		.committed = c->parties[a->party - 1].committed,
	};
	size_t before = file->written.count;
	int err = weir_ranges_write(&file->written, &range);

	c->pieces += file->written.count - before;
	if (file->writer && file->writer != a->party)
		file->several = true;
	file->writer = a->party;
	if (c->pieces >= PIECES || file->written.count >= FILE_PIECES)
		give_up(c, file);
	return err;
}

/* What nobody else has written is no concern. */
static int take_transfer(struct access *a)
{
	const struct weir_event *event = &a->view->event;
	struct weir_extent bytes = { (uint64_t)event->off,
				     (uint64_t)event->off + bytes_of(a->view) };

	if (a->file->given_up || bytes.from == bytes.to ||
	    event->flags & WEIR_EVENT_NOOFF)
		return 0;
	if (a->file->several ||
	    (a->file->writer && a->file->writer != a->party))
		weir_ranges_each(&a->file->written, bytes, meet_range, a);
	if (a->err)
		return a->err;
	if (a->file->cases >= ENOUGH || a->conflicts->case_count >= CASES)
		give_up(a->conflicts, a->file);
	else if (a->writes)
		return keep_access(a);
	return 0;
}

static int add_doubt(struct access *a, uint32_t mapper)
{
	struct weir_conflicts *c = a->conflicts;

	if (a->file->doubts >= DOUBTS)
		return 0;
	if (WEIR_GROW(c->doubts, c->doubt_count, c->doubt_room))
		return -ENOMEM;
	a->file->doubts++;
	c->doubts[c->doubt_count++] = (struct weir_conflicts_doubt){
		.file = (size_t)(a->file - c->files),
		.mapper = c->parties[mapper - 1].proc,
		.opened = c->parties[a->party - 1].opened + c->error,
	};
	return 0;
}

/* `writes': this call, or the stores that this mapping allows. */
static int meet_mappers(struct access *a, bool writes)
{
	for (uint32_t i = 0; i < a->file->mapped; i++) {
		uint32_t mapper = a->file->mappers[i];
		int err = 0;

		if (mapper != a->party &&
		    (writes || a->conflicts->parties[mapper - 1].stores))
			err = add_doubt(a, mapper);
		if (err)
			return err;
	}
	return 0;
}

static int take_mapping(struct access *a)
{
	struct weir_conflicts_party *party =
		&a->conflicts->parties[a->party - 1];
	int err;

	party->stores |= (a->view->marks & WEIR_CALLVIEW_FILLS) != 0;
	err = meet_mappers(a, party->stores);
	if (err || party->maps || a->file->mapped == MAPPERS)
		return err;
	party->maps = true;
	a->file->mappers[a->file->mapped++] = a->party;
	return 0;
}

int weir_conflicts_take(struct weir_conflicts *conflicts,
			const struct weir_callview *view)
{
	uint64_t end = view->real + view->event.dur;
	struct access a = { .conflicts = conflicts,
			    .view = view,
			    .writes = is_write(view) };
	struct weir_conflicts_party *party;
	int err = 0;

	if (view->event.flags & WEIR_EVENT_FAILED ||
	    (view->layer > WEIR_CALLVIEW_ASYNC &&
	     !(view->marks & WEIR_CALLVIEW_SAYS_ATOMIC)))
		return 0;
	a.party = party_of(conflicts, view);
	a.file = file_of(conflicts, view->file);
	if (!a.party || !a.file)
		return -ENOMEM;
	party = &conflicts->parties[a.party - 1];
	if (view->marks & WEIR_CALLVIEW_SAYS_ATOMIC) {
		party->atomic = (view->marks & WEIR_CALLVIEW_ATOMIC) != 0;
		return 0;
	}
	if (view->marks & WEIR_CALLVIEW_MAPS)
		return take_mapping(&a);
	if (view->class == WEIR_CLASS_OPEN || view->marks & WEIR_CALLVIEW_LOCKS)
		party->opened = end;
	if (view->class == WEIR_CLASS_CLOSE ||
	    view->marks & WEIR_CALLVIEW_LOCKS)
		err = note_close(party, end);
	if (view->class == WEIR_CLASS_SYNC)
		party->committed = end;
	if (!err && is_transfer(view) && bytes_of(view))
		err = meet_mappers(&a, a.writes);
	return err || !is_transfer(view) ? err : take_transfer(&a);
}

/*
 * A process that has ended has closed its files, at its last call or some time
 * after: in doubt there is no conflict.
 */
static uint64_t process_end(struct weir_ledger *processes,
			    const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_procinfo *process = weir_reader_process(reader, proc);
	const struct weir_row *row = weir_ledger_row(processes, proc);

	if (!process || !row || !strcmp(process->state, "live"))
		return UINT64_MAX;
	return row->last;
}

uint64_t weir_conflicts_unchecked(struct weir_conflicts *conflicts,
				  struct weir_ledger *processes,
				  const struct weir_reader *reader)
{
	uint64_t count = conflicts->unchecked;

	for (size_t i = 0; i < conflicts->doubt_count; i++) {
		const struct weir_conflicts_doubt *doubt =
			&conflicts->doubts[i];
		struct weir_conflicts_file *file =
			&conflicts->files[doubt->file];

		if (file->given_up ||
		    process_end(processes, reader, doubt->mapper) <=
			    doubt->opened)
			continue;
		file->given_up = true; /* and counted once */
		count++;
	}
	return count;
}

int weir_conflicts_judge(const struct weir_conflicts *conflicts,
			 struct weir_ledger *processes,
			 const struct weir_reader *reader,
			 struct weir_clues *clues)
{
	static const uint32_t rules[2][2] = {
		/* by writes, committed */
		{ WEIR_RULE_UNSYNCED_READS, WEIR_RULE_STALE_READS },
		{ WEIR_RULE_UNSYNCED_WRITES, WEIR_RULE_STALE_WRITES },
	};
	int err = 0;

	for (size_t i = 0; !err && i < conflicts->case_count; i++) {
		const struct weir_conflicts_case *found = &conflicts->cases[i];
		uint64_t ended = process_end(processes, reader, found->writer);
		uint64_t closed = found->closed < ended ? found->closed : ended;
		struct weir_clue clue = found->clue;

		if (closed <= found->opened)
			continue;
		clue.rule = rules[found->writes]
				 [found->committed || closed <= found->now];
		err = weir_clues_add(clues, &clue);
	}
	return err;
}
