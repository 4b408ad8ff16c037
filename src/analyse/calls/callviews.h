/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the calls of a trace in order, as call views. */
#ifndef WEIR_CALLS_CALLVIEWS_H
#define WEIR_CALLS_CALLVIEWS_H

#include "analyse/calls/callview.h"
#include "analyse/calls/iotime.h"
#include "trace/event/names.h"
#include "trace/read/reader.h"

#include <stdint.h>

const char *weir_callviews_layer_name(unsigned layer);

/* Whether its calls are made elsewhere, by who works for the application. */
int weir_callviews_is_far(unsigned layer);

/* What a call is by itself; NULL: not known. */
uint8_t weir_callviews_layer_of(const struct weir_call *call);
int weir_callviews_is_setup(const struct weir_call *call);

struct weir_callviews_filter {
	const char *process; /* NULL: all */
	const char *file;    /* glob; NULL: all */
	/*
	 * Those on other files too, with UINT32_MAX for the file, and notes of
	 * losses: for who wants to know who called whom.
	 */
	int everything;
};

/*
 * So many pairs of a file and a process are looked at closely; numbered by
 * who reads, so that it does not matter how the work is divided.
 */
#define WEIR_CALLVIEWS_PAIRS (UINT32_C(128) << 10)

struct weir_callviews;

/* Where there are more files, names and rows need some of that memory. */
#define WEIR_CALLVIEWS_FILES (UINT32_C(2) * WEIR_CALLVIEWS_PAIRS)

/* Numbers fewer pairs: before the first call. */
void weir_callviews_limit(struct weir_callviews *views, uint32_t pairs);

/*
 * All are borrowed; names, which need no values before, go on from those of the
 * reader, with their numbers.
 */
int weir_callviews_new(struct weir_reader *reader,
		       const struct weir_callviews_filter *filter,
		       struct weir_names *names,
		       struct weir_callviews **ret_views);
void weir_callviews_free(struct weir_callviews *views);

/*
 * 1 and the next call or note of sums that the filter lets pass, 0 after the
 * last, -errno. Its detail is valid until the next one is asked for. A copy
 * from file to file comes twice, the second time as an ECHO, unless everything
 * is asked for.
 */
int weir_callviews_next(struct weir_callviews *views,
			struct weir_callview *ret_view);

/*
 * Our number of a name that is not an event's; UINT32_MAX: the filter leaves
 * it out. NULL: the calls on no file. 0 or -ENOMEM.
 */
int weir_callviews_number(struct weir_callviews *views, const char *name,
			  size_t len, uint32_t *ret_number);

/* Numbers the two: 1 and a new number, 0 and that from before, -ENOMEM. */
int weir_callviews_pair(struct weir_callviews *views, uint32_t file,
			uint32_t proc, uint32_t *ret_pair);

/* What is known of a call; NULL: nothing. */
const struct weir_call *weir_callviews_call(const struct weir_callviews *views,
					    uint16_t call);
enum weir_callclass weir_callviews_class(const struct weir_callviews *views,
					 uint16_t call);
/* Whether there were more pairs than have numbers. */
int weir_callviews_overflowed(const struct weir_callviews *views);

/* WEIR_CALLVIEW_ of a call, on what stores nothing or on a file. */
uint32_t weir_callviews_marks_on(const struct weir_callviews *views,
				 uint16_t call, bool is_channel);
int weir_callviews_is_channel(const struct weir_callviews *views,
			      const char *name, size_t len);

/* Files of the system, which are never the same. */
int weir_callviews_is_live(const char *name, size_t len);

/* What the time of all calls so far went to; for who reads sums, to add. */
struct weir_iotime *weir_callviews_times(struct weir_callviews *views);

/* Asynchronous operations so far, and those whose end was seen. */
void weir_callviews_operations(const struct weir_callviews *views,
			       uint64_t *ret_submitted,
			       uint64_t *ret_completed);

/* Whether any call had a site. */
int weir_callviews_has_sites(const struct weir_callviews *views);

void weir_callviews_meet(struct weir_callviews *views, uint32_t proc,
			 uint16_t call);

#endif
