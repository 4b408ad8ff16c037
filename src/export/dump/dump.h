/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of a trace in one of several formats. */
#ifndef WEIR_DUMP_DUMP_H
#define WEIR_DUMP_DUMP_H

#include "analyse/calls/relations.h"
#include "base/text.h"
#include "export/sites/sites.h"
#include "trace/event/pending.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* A dump under way, as a format sees it. */
struct weir_dump {
	struct weir_reader *reader;
	struct weir_text out;
	struct weir_sites *sites; /* NULL: call sites are not asked for */
	void *own; /* the format's, from its begin to its end */
};

/* An event and what a format wants to know about it. All borrowed. */
struct weir_dump_event {
	const struct weir_event *event;
	const struct weir_call *call;         /* may be NULL */
	const struct weir_procinfo *process;  /* may be NULL */
	const struct weir_nodeinfo *node;     /* may be NULL */
	const char *file;                     /* may be NULL */
	size_t file_len;
	uint64_t start; /* ns since the trace's first event */
	uint32_t tid;   /* 0: not known */
	const struct weir_relation *relation; /* NULL: it was not asked for */
};

/* A format: a row of the table in dump.c. begin and end may be NULL. */
struct weir_dump_format {
	const char *name;
	int shows_sites;
	int by_process; /* it wants the events of one process after another */
	void (*begin)(struct weir_dump *dump);
	void (*event)(struct weir_dump *dump,
		      const struct weir_dump_event *event);
	void (*end)(struct weir_dump *dump);
};

extern const struct weir_dump_format weir_as_text, weir_as_jsonl, weir_as_csv,
	weir_as_catamount;

struct weir_dump_filter {
	const char *process; /* number, or part of the program's name */
	const char *file;    /* glob; '*' also stands for slashes */
	uint64_t from, to;   /* ns since the trace's first event */
	struct weir_sites *sites; /* may be NULL: show where calls are made */
	struct weir_pending *pending; /* may be NULL: is given what passes */
	struct weir_relations *relations; /* NULL: nobody asks for relation */
};

/* NULL when there is no such format. */
const struct weir_dump_format *weir_dump_format(const char *name);

/* Writes what passes the filter to fd. 0 or -errno. */
int weir_dump_write(struct weir_reader *reader,
		    const struct weir_dump_format *format,
		    const struct weir_dump_filter *filter, int fd);

/*
 * Gives each event that passes the filter to each(), which returns 0 or -errno,
 * in the reader's order. 0 or -errno.
 */
int weir_dump_walk(struct weir_reader *reader,
		   const struct weir_dump_filter *filter,
		   int (*each)(void *context,
			       const struct weir_dump_event *event),
		   void *context);

/* What is to be known of an event, but for its relation. */
void weir_dump_describe(const struct weir_reader *reader,
			const struct weir_event *event,
			struct weir_dump_event *described);

/* PROCESS.THREAD.INDEX, which weir_tree_id_parse() reads. */
void weir_dump_put_id(struct weir_text *out, struct weir_tree_id id);

/* "rank 3 simulate", without a rank where there is none. */
void weir_dump_put_process(struct weir_text *out,
			   const struct weir_procinfo *process);

/*
 * The name of an event's call; "call#7" for what no dictionary has, written
 * into `room`.
 */
#define WEIR_DUMP_NAME 16
const char *weir_dump_name(const struct weir_dump_event *event,
			   char room[WEIR_DUMP_NAME]);
void weir_dump_put_call(struct weir_text *out,
			const struct weir_dump_event *event);

/* Names of the flags that are set, with `between` them. */
void weir_dump_put_flags(struct weir_text *out, uint8_t flags,
			 const char *between);

#endif
