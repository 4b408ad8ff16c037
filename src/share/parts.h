/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the files of a trace, one for each node, in any state. */
#ifndef WEIR_SHARE_PARTS_H
#define WEIR_SHARE_PARTS_H

#include "trace/pack/pack.h"

#include <stdbool.h>
#include <stddef.h>

struct weir_dictionary;
struct weir_nodeinfo;

struct weir_part {
	char *path; /* DIR/HOST.weir, whether it is there or not */
	char *live; /* DIR/HOST.live likewise */
	char *stem; /* HOST, or HOST.1 and so on */
};

/* Names only: nothing is open. */
struct weir_parts {
	struct weir_part *list;
	size_t count, room;
	char **marks; /* names of lost-PID-REASON-N directories */
	size_t mark_count, mark_room;
};

/*
 * Finds the parts of a trace: a directory or one .weir file. -ENOENT when
 * there are none.
 */
int weir_parts_find(const char *trace, struct weir_parts *ret_parts);
void weir_parts_fini(struct weir_parts *parts);

enum weir_parts_state {
	WEIR_PARTS_PACKED, /* as it should be */
	WEIR_PARTS_RAW,	   /* as captured: its recorder was killed, or works */
	WEIR_PARTS_EMPTY,  /* nothing in it yet */
};

/* A part open to be read. fd -1: there is no file, only live memory. */
struct weir_parts_file {
	int fd;
	enum weir_parts_state state;
	bool has_live; /* HOST.live is there, wherever it leads */
};

/* -EBADMSG: it is no trace; -ENOENT: neither file nor memory is there. */
int weir_parts_open(const struct weir_part *part,
		    struct weir_parts_file *ret_file);
void weir_parts_close(struct weir_parts_file *file);

/*
 * The same as a packed file, packed aside when it was not. What was damaged
 * on the way is in the totals.
 */
int weir_parts_open_packed(const struct weir_part *part,
			   struct weir_parts_file *ret_file,
			   struct weir_pack_totals *ret_totals);

/* The first HEAD of a file that can be read; -ENOENT: there is none. */
int weir_parts_host(int fd, struct weir_nodeinfo *ret_info);

/*
 * The first dictionary of a file that can be read, as every reader takes it;
 * NULL when there is none.
 */
int weir_parts_dictionary(int fd, struct weir_dictionary **ret_dictionary);

#endif
