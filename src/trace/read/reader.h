/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace: all its events in order of their start. */
#ifndef WEIR_READ_READER_H
#define WEIR_READ_READER_H

#include "trace/bytes/bytes.h"
#include "trace/control/outcome.h"
#include "trace/control/unrecorded.h"
#include "trace/event/dictionary.h"
#include "trace/event/names.h"
#include "trace/facts/mounts.h"
#include "trace/facts/nodeinfo.h"
#include "trace/facts/procinfo.h"
#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>

struct weir_reader;

/*
 * Opens a trace directory or one .weir file of it. A trace that is still
 * being written, or was left by a killed recorder, is read as it is now.
 * Nothing in it is trusted and nothing is written to it.
 *
 * -ENOENT: there is no trace; -EBADMSG: it is none; -ENOTSUP: it is of a
 * later format; -ENOMEM and errors of the file system.
 */
int weir_reader_open(const char *path, struct weir_reader **ret_reader);

/* Likewise, when names of files may take no more than so many bytes. */
int weir_reader_open_within(const char *path, uint64_t names,
			    struct weir_reader **ret_reader);
void weir_reader_close(struct weir_reader *reader);

/*
 * The next event by start on a common clock, parents before children. 1; 0
 * after the last; -errno, -ESTALE when a file was replaced meanwhile. The
 * event's detail is valid until the next call.
 * Blocks that are damaged are counted and left out.
 */
int weir_reader_next(struct weir_reader *reader,
		     struct weir_event *ret_event);

/*
 * Bytes that the events at hand may take; 256 MiB unless told. Besides them
 * there are the names, what is told of processes, and one block taken apart.
 * With little memory blocks are taken apart again and again. To be set, like
 * the filters, before the first event is read.
 */
void weir_reader_limit(struct weir_reader *reader, uint64_t bytes);

/*
 * How many events have been read, and how many there are to be read. May be
 * asked by another thread than the one that reads; before the first event is
 * read there is none.
 */
void weir_reader_progress(const struct weir_reader *reader, uint64_t *ret_done,
			  uint64_t *ret_all);

/* Filters. */

/* Only processes that want() says 1 for. */
void weir_reader_only(struct weir_reader *reader,
		      int (*want)(const struct weir_procinfo *process,
				  void *context),
		      void *context);

/* Only events that overlap from..to, ns since weir_reader_begin(). */
void weir_reader_between(struct weir_reader *reader, uint64_t from,
			 uint64_t to);

/* Hands out all events of one process before those of the next. */
void weir_reader_by_process(struct weir_reader *reader);

/* Takes all filters back, and begins again. What it is of stays as it was. */
void weir_reader_rewind(struct weir_reader *reader);

/*
 * Where an event is, by the index of blocks: ns since weir_reader_begin(), as
 * weir_reader_between() takes them. Its process, thread and index are looked
 * at. 0 or -ENOENT.
 */
int weir_reader_find(const struct weir_reader *reader,
		     const struct weir_event *event, uint64_t *ret_from,
		     uint64_t *ret_to);

/*
 * When the last block of the event's thread begins that begins before `from`,
 * likewise; `from` if there is none.
 */
uint64_t weir_reader_before(const struct weir_reader *reader,
			    const struct weir_event *event, uint64_t from);

/* CLOCK_REALTIME of the first event, ns, before any filter; 0: no events. */
uint64_t weir_reader_begin(const struct weir_reader *reader);

/* CLOCK_REALTIME of the last end of an event, as the blocks tell; likewise. */
uint64_t weir_reader_end(const struct weir_reader *reader);

/* CLOCK_REALTIME of an event's start, ns. */
uint64_t weir_reader_real(const struct weir_reader *reader,
			  const struct weir_event *event);

/* What the numbers in events stand for; all borrowed, NULL when unknown. */
const char *weir_reader_name(const struct weir_reader *reader, uint32_t file,
			     size_t *ret_len);
const struct weir_procinfo *
weir_reader_process(const struct weir_reader *reader, uint32_t proc);
const struct weir_call *weir_reader_call(const struct weir_reader *reader,
					 const struct weir_event *event);

/* Numbers of processes go from 1 to this; of names likewise. */
uint32_t weir_reader_processes(const struct weir_reader *reader);
uint32_t weir_reader_names(const struct weir_reader *reader);

/* All of them, by number. */
const struct weir_names *
weir_reader_all_names(const struct weir_reader *reader);

/* Calls in the trace, as the ends of its files tell. */
uint64_t weir_reader_calls(const struct weir_reader *reader);

/* Hosts of the trace, one for each file; NULL when there is no such node. */
const struct weir_nodeinfo *weir_reader_node(const struct weir_reader *reader,
					     uint32_t node);

/*
 * The plan of all hosts, and what became of it: to be freed. NULL: there was
 * none. 0 or -ENOMEM.
 */
int weir_reader_outcome(const struct weir_reader *reader,
			struct weir_outcome **ret_outcome);

/* What was mounted there; NULL when there is no such node. */
const struct weir_mounts *weir_reader_mounts(const struct weir_reader *reader,
					     uint32_t node);

/*
 * Whether the clocks of all hosts were compared with each other;
 * then *ret_error is how far times of two hosts may be wrong, in ns.
 */
int weir_reader_clocks(const struct weir_reader *reader, uint64_t *ret_error);

/* What a node's trace says about its calls; NULL when that was lost. */
const struct weir_dictionary *
weir_reader_dictionary(const struct weir_reader *reader, uint32_t node);

/* The host of a process; NULL when there is no such process. */
const struct weir_nodeinfo *
weir_reader_node_of(const struct weir_reader *reader, uint32_t proc);

/*
 * The sums of a process, for which only sums were kept: its PROFILE block, or
 * the `current` one to be added to it, into `payload`, which may be used
 * again. 1; 0: it has none, or a filter leaves it out, or it is damaged;
 * -errno.
 */
int weir_reader_profile(struct weir_reader *reader, uint32_t proc, int current,
			struct weir_bytes *payload);

/* Such a payload turned out to be no good. */
void weir_reader_note_damage(struct weir_reader *reader);

/* Whether any process has such sums. */
int weir_reader_has_profiles(const struct weir_reader *reader);

/*
 * What is not in the events. The first two come from the processes; the
 * others can still grow while events are read.
 */
struct weir_reader_losses {
	uint64_t dropped; /* by the processes, for want of memory */
	uint64_t lost;    /* by the recorder, for want of a place to store */
	struct weir_unrecorded unrecorded; /* processes not recorded at all */
	uint64_t hidden[4]; /* not to be recorded, as in weir_procinfo */
	uint64_t overwritten; /* short records, by later ones: no loss */
	uint64_t damaged_events; /* in damaged blocks, as far as known */
	uint64_t damaged_blocks;
	uint64_t damaged_bytes;
	uint32_t unended; /* nodes whose packed file was cut short */
	uint32_t refused; /* files of the directory that are no traces */
};

void weir_reader_losses(const struct weir_reader *reader,
			struct weir_reader_losses *ret_losses);

/* Whether anything of the trace is damaged, as far as it has been read. */
int weir_reader_is_damaged(const struct weir_reader *reader);

#endif
