/* SPDX-License-Identifier: BSD-3-Clause */
/* libweirtrace: read the traces that weir records. */
#ifndef WEIR_TRACE_H
#define WEIR_TRACE_H

/*
 *	struct weirtrace *trace;
 *	const struct weirtrace_event *event;
 *	int err = weirtrace_open("trace", &trace);
 *
 *	if (err)
 *		errx(1, "%s", weirtrace_strerror(err));
 *	while ((err = weirtrace_next(trace, &event)) > 0)
 *		puts(weirtrace_event_name(event));
 *	weirtrace_close(trace);
 *
 * Everything is reached by functions, and no type has a size that a program
 * could come to depend on: what later versions add is added to the end of
 * enums and as new functions. A number that a later version adds to an enum
 * may come from a later library, so expect values that this header does not
 * have.
 *
 * Errors are negative numbers of <errno.h>; weirtrace_strerror() has words for
 * them. Pointers that functions return are borrowed: they belong to the trace
 * and are valid until weirtrace_close(), those got from an event only until
 * the next weirtrace_next(). Nothing is ever written to a trace, and nothing
 * in it is trusted. A trace is for one thread at a time; several traces may be
 * used side by side. The library starts no thread, sets no signal handler and
 * prints nothing.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weirtrace;         /* an open trace */
struct weirtrace_event;   /* a recorded call, or a note that some are lost */
struct weirtrace_value;   /* what an argument is, of any type */
struct weirtrace_process; /* a recorded process image */

/* --- reading -------------------------------------------------------------- */

/* The version of the library: "0.1.0". */
const char *weirtrace_version(void);

/* What an error means; never NULL. */
const char *weirtrace_strerror(int err);

/*
 * Opens a trace: the directory that weir run made, or one .weir file of it. A
 * trace that is still being written or was left by a killed recorder is read
 * as it is now.
 *
 * 0; -ENOENT: there is none; -EBADMSG: it is no trace; -ENOTSUP: a later
 * version made it; -ENOMEM, and errors of the file system. *ret_trace is set
 * on success only, and wants weirtrace_close().
 */
int weirtrace_open(const char *path, struct weirtrace **ret_trace);

/* NULL is none, and fine. */
void weirtrace_close(struct weirtrace *trace);

/*
 * The next event in order of start, over all processes and hosts; a call comes
 * before those made from within it. 1 with *ret_event set; 0 after the last;
 * or an error, -ESTALE when the trace was replaced meanwhile. Damaged parts
 * are left out and counted (weirtrace_count).
 */
int weirtrace_next(struct weirtrace *trace,
		   const struct weirtrace_event **ret_event);

/*
 * Filters, to be set before the first weirtrace_next(); then they are
 * -EBUSY. An event must pass all of them.
 *
 * Only processes with this number (pid), or whose program's name contains it.
 */
int weirtrace_only_process(struct weirtrace *trace, const char *word);
/* Only files whose path matches; '*' also stands for slashes. */
int weirtrace_only_file(struct weirtrace *trace, const char *glob);
/* Only events that overlap this time, ns since the trace's first event. */
int weirtrace_only_between(struct weirtrace *trace, uint64_t from,
			   uint64_t to);

/* CLOCK_REALTIME of the first event in ns, before any filter; 0: no events. */
uint64_t weirtrace_begin(const struct weirtrace *trace);

/* --- what is not in the events -------------------------------------------- */

enum weirtrace_counter {
	WEIRTRACE_DROPPED = 1, /* calls not recorded for want of buffer */
	WEIRTRACE_LOST,        /* calls recorded that could not be stored */
	WEIRTRACE_UNRECORDED_PROCESSES, /* of which nothing is recorded */
	WEIRTRACE_UNRECORDED_CALLS,     /* that they are known to have made */
	WEIRTRACE_SYSTEM,   /* calls left out, on files of the system */
	WEIRTRACE_EXCLUDED, /* calls left out, on files the user excluded */
	WEIRTRACE_PAUSED,   /* calls made while recording was switched off */
	/* These can still grow while events are read. */
	WEIRTRACE_DAMAGED_BLOCKS, /* parts of the trace that are damaged */
	WEIRTRACE_DAMAGED_CALLS, /* in them, as far as it is known */
	WEIRTRACE_DAMAGED_BYTES, /* in no block */
	WEIRTRACE_CUT_FILES,     /* files without an end */
	WEIRTRACE_OTHER_FILES,   /* files of the directory that are no traces */
	/* These are known from the beginning. */
	WEIRTRACE_OVERWRITTEN, /* calls whose place later ones took (--ring) */
	WEIRTRACE_POLLS /* calls left out, of operations still under way */
};

/* 0 for what this version does not count. */
uint64_t weirtrace_count(const struct weirtrace *trace,
			 enum weirtrace_counter what);

/* 1 if any part of the trace is damaged, as far as it has been read. */
int weirtrace_is_damaged(const struct weirtrace *trace);

/* --- processes and files -------------------------------------------------- */

/* Processes are numbered from 1 to this; so are the names of files. */
uint32_t weirtrace_processes(const struct weirtrace *trace);
uint32_t weirtrace_files(const struct weirtrace *trace);

/* NULL when there is no such process, or nothing is known of it. */
const struct weirtrace_process *
weirtrace_nth_process(const struct weirtrace *trace, uint32_t number);

/*
 * A path, or what the kernel calls a thing without one ("pipe:[4711]"); NULL
 * when there is no such name. It is any bytes, and ends with a NUL that
 * *ret_len, unless ret_len is NULL, does not count.
 */
const char *weirtrace_nth_file(const struct weirtrace *trace, uint32_t number,
			       size_t *ret_len);

/* Its number in the trace, its pid, its parent's pid, and its user. */
uint32_t weirtrace_process_number(const struct weirtrace_process *process);
uint32_t weirtrace_process_pid(const struct weirtrace_process *process);
uint32_t weirtrace_process_parent(const struct weirtrace_process *process);
uint32_t weirtrace_process_user(const struct weirtrace_process *process);
/* Where it ran, its program, and its directory at first; "": not known. */
const char *
weirtrace_process_host(const struct weirtrace_process *process);
const char *
weirtrace_process_program(const struct weirtrace_process *process);
const char *
weirtrace_process_directory(const struct weirtrace_process *process);
/* The n-th word of its command line, from 0; NULL after the last. */
const char *
weirtrace_process_argument(const struct weirtrace_process *process, size_t n);
/* "live", "exited" or "cut" (killed, or replaced by exec). */
const char *
weirtrace_process_state(const struct weirtrace_process *process);
/* Calls of it that are not in the trace, for want of memory or space. */
uint64_t weirtrace_process_missing(const struct weirtrace_process *process);

/* --- events --------------------------------------------------------------- */

/* Bits of weirtrace_event_flags(). */
#define WEIRTRACE_FAILED  0x01u /* the call failed; see _error() */
#define WEIRTRACE_NO_OFFSET 0x02u /* where in the file is not known */
#define WEIRTRACE_VFORK   0x04u /* made by a vfork child of the process */
#define WEIRTRACE_ENTERED 0x08u /* never returned: only the entry is known */
#define WEIRTRACE_CUT     0x10u /* not all arguments could be kept */
#define WEIRTRACE_NEW     0x20u /* the handle is one that this call made */
#define WEIRTRACE_LOSS    0x80000000u /* no call: _size() calls were lost
					 here, 0: it is not known how many */

uint32_t weirtrace_event_flags(const struct weirtrace_event *event);

/* The call; "weir:loss" of a loss, "call#ID" of what has no name. */
const char *weirtrace_event_name(const struct weirtrace_event *event);
/* The layer of the I/O stack: "posix", "stdio", ...; "" when not known. */
const char *weirtrace_event_layer(const struct weirtrace_event *event);
/*
 * What the call does, in one word: "open", "read", "write", "close", ...; ""
 * when not known. weir-calls(7) lists the calls.
 */
const char *weirtrace_event_role(const struct weirtrace_event *event);
/* The number of the call in this trace. */
uint32_t weirtrace_event_call(const struct weirtrace_event *event);

/* When it began, ns since the trace's first event; how long it took, ns. */
uint64_t weirtrace_event_start(const struct weirtrace_event *event);
uint64_t weirtrace_event_duration(const struct weirtrace_event *event);

/* Numbers of the process, and of the thread in it, from 1. */
uint32_t weirtrace_event_process(const struct weirtrace_event *event);
uint32_t weirtrace_event_thread(const struct weirtrace_event *event);
/* The thread as the kernel counts; 0: not known. */
uint32_t weirtrace_event_tid(const struct weirtrace_event *event);
/* Which event of its thread, from 0. */
uint64_t weirtrace_event_index(const struct weirtrace_event *event);
/* 0: called by the program; n + 1: from within a call of depth n. */
uint32_t weirtrace_event_depth(const struct weirtrace_event *event);

/* The descriptor; -1: none, or not known. */
int32_t weirtrace_event_fd(const struct weirtrace_event *event);
/* The number of the file's name, and the name; 0 and NULL: not known. */
uint32_t weirtrace_event_file(const struct weirtrace_event *event);
const char *weirtrace_event_path(const struct weirtrace_event *event,
				 size_t *ret_len);
/* Which opening of the file, a number in the process; 0: none. */
uint32_t weirtrace_event_handle(const struct weirtrace_event *event);
/* Where in the file; 0 with WEIRTRACE_NO_OFFSET. */
int64_t weirtrace_event_offset(const struct weirtrace_event *event);
/* How many bytes were asked for, or another size that the call has. */
uint64_t weirtrace_event_size(const struct weirtrace_event *event);
/* What the call returned; -1 when it failed, 0 when it never returned. */
int64_t weirtrace_event_result(const struct weirtrace_event *event);
/* errno of a call that failed, else 0. */
int32_t weirtrace_event_error(const struct weirtrace_event *event);

/* --- arguments ------------------------------------------------------------ */

enum weirtrace_type {
	WEIRTRACE_NONE,     /* not recorded, not given, or cut off */
	WEIRTRACE_UNSIGNED, /* a number: _unsigned() */
	WEIRTRACE_SIGNED,   /* a number: _signed() */
	WEIRTRACE_TEXT,     /* any bytes: _text() */
	WEIRTRACE_LIST,     /* values without names: _member() */
	WEIRTRACE_RECORD    /* values with names: _member() */
};

/*
 * How many arguments the event's call has, as far as its trace knows the call,
 * or an error (-ENOMEM). They stand in the order of the call.
 *
 * A vector of buffers is a list of records with "address" and "length"; the
 * status of a file is a record.
 */
int weirtrace_event_arguments(const struct weirtrace_event *event);

/* The n-th, from 0; NULL when there is none, or no memory. */
const struct weirtrace_value *
weirtrace_event_argument(const struct weirtrace_event *event, size_t n);

/* The one of this name; NULL when there is none, or no memory. */
const struct weirtrace_value *
weirtrace_event_find(const struct weirtrace_event *event, const char *name);

/* "flags", "path", "len", ...; "" for members of lists. */
const char *weirtrace_value_name(const struct weirtrace_value *value);
/* Which of the functions below tell it. */
enum weirtrace_type
weirtrace_value_type(const struct weirtrace_value *value);

/*
 * How people want to see it, a word of the trace's dictionary: "decimal",
 * "octal", "hex", "bytes", "fd", "quoted", "open_flags", "whence", ...
 */
const char *weirtrace_value_show(const struct weirtrace_value *value);

/* Numbers as they are, whichever of the two types; 0 for all else. */
uint64_t weirtrace_value_unsigned(const struct weirtrace_value *value);
int64_t weirtrace_value_signed(const struct weirtrace_value *value);

/* Ends with a NUL that *ret_len does not count; "" for all else. */
const char *weirtrace_value_text(const struct weirtrace_value *value,
				 size_t *ret_len);

/* Members of lists and records; 0 and NULL for all else. */
size_t weirtrace_value_members(const struct weirtrace_value *value);
const struct weirtrace_value *
weirtrace_value_member(const struct weirtrace_value *value, size_t n);

#ifdef __cplusplus
}
#endif

#endif
