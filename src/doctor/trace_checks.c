/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what a trace itself says is missing. */
#include "doctor/check.h"
#include "doctor/history.h"
#include "doctor/patient.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

static const struct weir_history *read_history(const struct weir_patient *p)
{
	return p->history && !p->history->err ? p->history : NULL;
}

/* arg: an error, or 0 for all that have no row of their own. */
static enum weir_check_answer look_at_opening(const struct weir_patient *p,
					      int arg, char *where)
{
	const struct weir_history *h = p->history;

	if (!h)
		return WEIR_CHECK_UNASKED;
	if (!h->err || (arg ? h->err != -arg :
		       h->err == -EBADMSG || h->err == -ENOTSUP))
		return arg ? WEIR_CHECK_UNASKED : WEIR_CHECK_FINE;
	if (h->err == -ENOENT && h->is_there)
		return weir_check_found(where, "%s: contains no .weir file",
					h->path);
	return weir_check_found(where, "%s%s%s", h->path, arg ? "" : ": ",
				arg ? "" : strerror(-h->err));
}

static enum weir_check_answer look_at_collector(const struct weir_patient *p,
						int arg, char *where)
{
	const struct weir_history *h = p->history;

	if (!h || !h->is_there)
		return WEIR_CHECK_UNASKED;
	if (h->is_served)
		return arg ? WEIR_CHECK_UNASKED :
			     weir_check_found(where, "%s: a collector holds "
					      "its lock", h->path);
	if (arg && h->left[0])
		return weir_check_found(where, "%s/%s is left, and no "
					"collector is there", h->path, h->left);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_elsewhere(const struct weir_patient *p,
					     int arg, char *where)
{
	const struct weir_history *h = p->history;

	if (!h || !h->is_there)
		return WEIR_CHECK_UNASKED;
	if (h->other[0])
		return weir_check_found(where, "%s/%s", h->path, h->other);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_damage(const struct weir_patient *p,
					     int arg, char *where)
{
	const struct weir_history *h = read_history(p);

	if (!h)
		return WEIR_CHECK_UNASKED;
	if (!h->is_damaged)
		return WEIR_CHECK_FINE;
	return weir_check_found(where,
				"%s: %llu blocks and %llu bytes damaged, "
				"%llu calls in them; %u files cut short, %u "
				"that are no traces", h->path,
				(number)h->losses.damaged_blocks,
				(number)h->losses.damaged_bytes,
				(number)h->losses.damaged_events,
				h->losses.unended, h->losses.refused);
}

static enum weir_check_answer look_for_processes(const struct weir_patient *p,
						 int arg, char *where)
{
	const struct weir_history *h = read_history(p);

	if (!h || h->is_served)
		return WEIR_CHECK_UNASKED;
	if (h->processes ||
	    weir_unrecorded_sum(&h->losses.unrecorded).processes)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: no process in it", h->path);
}

/* arg: a reason. */
static enum weir_check_answer look_at_unrecorded(const struct weir_patient *p,
						 int arg, char *where)
{
	const struct weir_history *h = read_history(p);
	const struct weir_unrecorded_count *count;

	if (!h)
		return WEIR_CHECK_UNASKED;
	count = &h->losses.unrecorded.by[arg];
	if (!count->processes && !count->calls)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: %llu processes, of whose calls "
				"%llu were counted; %llu processes were "
				"recorded", h->path, (number)count->processes,
				(number)count->calls, (number)h->processes);
}

static uint64_t all_hidden(const struct weir_history *h)
{
	return h->losses.hidden[0] + h->losses.hidden[1] +
	       h->losses.hidden[2] + h->losses.hidden[3];
}

/* arg: why calls were hidden; when nothing else is there. */
static enum weir_check_answer look_at_empty(const struct weir_patient *p,
					    int arg, char *where)
{
	const struct weir_history *h = read_history(p);

	if (!h || !h->processes || h->losses.dropped || h->losses.lost)
		return WEIR_CHECK_UNASKED;
	if (h->events || !h->losses.hidden[arg])
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: %llu calls counted, none recorded",
				h->path, (number)h->losses.hidden[arg]);
}

/* The same beside calls that are recorded. */
static enum weir_check_answer look_at_hidden(const struct weir_patient *p,
					     int arg, char *where)
{
	const struct weir_history *h = read_history(p);

	if (!h || !h->events)
		return WEIR_CHECK_UNASKED;
	if (!h->losses.hidden[arg])
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: %llu calls counted beside %llu "
				"recorded", h->path,
				(number)h->losses.hidden[arg],
				(number)h->events);
}

static enum weir_check_answer look_for_calls(const struct weir_patient *p,
					     int arg, char *where)
{
	const struct weir_history *h = read_history(p);

	if (!h || !h->processes || h->is_served)
		return WEIR_CHECK_UNASKED;
	if (h->events || all_hidden(h) || h->losses.dropped || h->losses.lost)
		return WEIR_CHECK_FINE;
	return weir_check_found(where, "%s: %llu processes, no calls", h->path,
				(number)h->processes);
}

/* arg: which of the counts below. */
enum { DROPPED, LOST, STOPPED, CHILDREN };

static uint64_t count_of(const struct weir_history *h, int which)
{
	const uint64_t counts[] = {
		[DROPPED] = h->losses.dropped, [LOST] = h->losses.lost,
		[STOPPED] = h->stopped,	       [CHILDREN] = h->children,
	};

	return counts[which];
}

static enum weir_check_answer look_at_count(const struct weir_patient *p,
					    int arg, char *where)
{
	static const char *const things[] = {
		[DROPPED] = "calls",	  [LOST] = "calls",
		[STOPPED] = "processes",  [CHILDREN] = "programs",
	};
	const struct weir_history *h = read_history(p);
	uint64_t count = h ? count_of(h, arg) : 0;
	char one[32] = "";

	if (!h || (arg == CHILDREN && h->is_served))
		return WEIR_CHECK_UNASKED;
	if (!count)
		return WEIR_CHECK_FINE;
	if (arg == CHILDREN)
		snprintf(one, sizeof(one), ", the last is %u", h->child);
	return weir_check_found(where, "%s: %llu %s%s", h->path, (number)count,
				things[arg], one);
}

const struct weir_check weir_trace_checks[] = {
	{ "trace-missing", WEIR_CHECK_PREVENTS, look_at_opening, 0,
	  "there is no trace of this name",
	  "look at what weir run said; it names the trace in its last line",
	  "there is a trace" },
	{ "trace-no-trace", WEIR_CHECK_PREVENTS, look_at_opening, EBADMSG,
	  "this is not a trace, or nothing of it can be read",
	  "name the directory that weir run made", NULL },
	{ "trace-newer", WEIR_CHECK_PREVENTS, look_at_opening, ENOTSUP,
	  "the trace was made by a later version of weir",
	  "use that version to read it", NULL },
	{ "trace-no-process", WEIR_CHECK_SYMPTOM, look_for_processes, 0,
	  "no process was recorded: the library was loaded into none",
	  "ask about the command: weir doctor -- COMMAND (static, set-user-ID, "
	  "another root or environment …)",
	  "processes were recorded" },
	{ "trace-hidden-system", WEIR_CHECK_PREVENTS, look_at_empty, 1,
	  "all calls were on files of the system and of languages",
	  "weir run --all records them",
	  "not all calls were on files of the system" },
	{ "trace-hidden-rules", WEIR_CHECK_PREVENTS, look_at_empty, 2,
	  "all calls were on files that --include and --exclude leave out",
	  "change the rules; weir doctor --exclude … names the one",
	  "the rules did not leave out all calls" },
	{ "trace-hidden-paused", WEIR_CHECK_PREVENTS, look_at_empty, 3,
	  "all calls were made while recording was switched off",
	  "leave out --paused, or send the signal of --switch earlier",
	  "recording was not off all the time" },
	{ "trace-no-calls", WEIR_CHECK_SYMPTOM, look_for_calls, 0,
	  "the processes made no call that can be seen: they did nothing, or "
	  "became a program that cannot be recorded",
	  "ask about the command: weir doctor -- COMMAND",
	  "the processes made calls" },
	{ "trace-running", WEIR_CHECK_CUTS, look_at_collector, 0,
	  "recording is still going on: a process of the trace is running",
	  "wait for it; what is there so far can be read",
	  "recording has ended" },
	{ "trace-collector-killed", WEIR_CHECK_CUTS, look_at_collector, 1,
	  "the collector was killed before it completed the trace",
	  "finish it on the host that made it: weir collect DIR",
	  "the collector completed the trace" },
	{ "trace-elsewhere", WEIR_CHECK_CUTS, look_elsewhere, 0,
	  "the trace is incomplete on another host: recording goes on there, "
	  "or its collector was killed",
	  "ask there: weir doctor --trace DIR",
	  "no other host is still recording" },
	{ "trace-damaged", WEIR_CHECK_CUTS, look_at_damage, 0,
	  "the trace is damaged; its intact part can be read",
	  "look for what wrote to its files or copied them in part",
	  "the trace is whole" },
	{ "trace-file-limit", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_FILE_LIMIT,
	  "processes were not recorded: the file size limit was too low",
	  "raise it: ulimit -f unlimited",
	  "no file size limit was in the way" },
	{ "trace-no-descriptor", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_NO_DESCRIPTOR,
	  "processes were not recorded: they had no descriptor free",
	  "raise it: ulimit -n", "all processes had descriptors" },
	{ "trace-no-memory", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_NO_MEMORY,
	  "processes were not recorded: they had no memory for it",
	  "raise ulimit -v, or use a smaller --buffer",
	  "all processes had memory" },
	{ "trace-no-space", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_NO_SPACE,
	  "processes were not recorded: /dev/shm was full",
	  "use a smaller --buffer, or have /dev/shm made larger",
	  "there was room in /dev/shm" },
	{ "trace-no-permission", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_NO_PERMISSION,
	  "processes were not recorded: they had become another user, or were "
	  "confined",
	  "run weir inside, as that user",
	  "all processes had the right to be recorded" },
	{ "trace-control-damaged", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_DAMAGED,
	  "processes were not recorded: the control file was damaged",
	  "look for what wrote to /dev/shm", "the control file was whole" },
	{ "trace-confined", WEIR_CHECK_CUTS, look_at_unrecorded,
	  WEIR_REASON_CONFINED,
	  "processes were not recorded: they filter their system calls",
	  "switch the program's sandbox off", "no process was confined" },
	{ "trace-other", WEIR_CHECK_CUTS, look_at_unrecorded, WEIR_REASON_OTHER,
	  "processes were not recorded: no memory file could be made",
	  "try it again; weir doctor looks for what may be in the way",
	  "memory files could be made" },
	{ "trace-dropped", WEIR_CHECK_CUTS, look_at_count, DROPPED,
	  "calls were dropped: the buffer was full", "use a larger --buffer",
	  "no call was dropped" },
	{ "trace-lost", WEIR_CHECK_CUTS, look_at_count, LOST,
	  "calls were recorded but not stored: no room, or --max-size reached",
	  "make room, or raise --max-size", "every record was stored" },
	{ "trace-stopped", WEIR_CHECK_CUTS, look_at_count, STOPPED,
	  "recording stopped before the process ended: its memory ran out or "
	  "was written over",
	  "look for memory errors in the program",
	  "no recording stopped early" },
	{ "trace-children", WEIR_CHECK_CUTS, look_at_count, CHILDREN,
	  "programs were started (by vfork) and not recorded: static, "
	  "set-user-ID, of another architecture, or never begun",
	  "ask about them: weir doctor -- PROGRAM",
	  "every program started by vfork was recorded" },
	{ "trace-note-polls", WEIR_CHECK_NOTE, look_at_hidden, 0,
	  "polls of unfinished operations are not in the trace",
	  "weir run --all records them", "no polls left out" },
	{ "trace-note-system", WEIR_CHECK_NOTE, look_at_hidden, 1,
	  "calls on files of the system and of languages are not in the trace",
	  "weir run --all records them", "no calls on system files left out" },
	{ "trace-note-rules", WEIR_CHECK_NOTE, look_at_hidden, 2,
	  "calls on files that --include and --exclude leave out are not in "
	  "the trace",
	  NULL, "no calls left out by rules" },
	{ "trace-note-paused", WEIR_CHECK_NOTE, look_at_hidden, 3,
	  "calls made while recording was switched off are not in the trace",
	  NULL, "recording was never off" },
	{ 0 },
};
