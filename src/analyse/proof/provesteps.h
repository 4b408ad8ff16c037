/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what ranks do with shared HDF5 files, step by step, and where. */
#ifndef WEIR_PROOF_PROVESTEPS_H
#define WEIR_PROOF_PROVESTEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_reader;

/* Which datasets are meant. */
struct weir_provesteps_filter {
	bool (*wants)(const void *about, const char *file,
		      const char *dataset);
	const void *about;
};

/* What a process and others had told each other (capture/messages.h). */
struct weir_provemessages {
	uint64_t direct, balance, together;
	uint64_t doubts;
	uint64_t is_followed;
};

/* A call of a process. */
struct weir_provestep {
	uint64_t start;	     /* CLOCK_REALTIME, ns */
	struct weir_provemessages messages; /* of a transfer */
	uint32_t thread;
	bool has_messages;
	uint64_t what;	     /* equal: the same call on the same thing */
	uint64_t address;    /* that it returns to; 0: not told */
	uint32_t proc, name; /* of the file or dataset, number in the trace */
	uint32_t shared;     /* file, by its place in the list */
	uint32_t site;	     /* 1..: place in the list; 0: collective anyway */
};

/* A place in a program. */
struct weir_provesite {
	char object[256]; /* last component of its path */
	uint64_t offset;
	bool is_bad;
};

/* A file that several ranks have open together. */
struct weir_provefile {
	char *name;
	uint32_t *procs; /* who, in order */
	size_t count, room;
	bool is_wanted; /* there are independent transfers that are meant */
};

/* Zero it to begin. */
struct weir_provesteps {
	struct weir_provestep *list; /* by process, then in order of time */
	size_t count, room;
	struct weir_provesite *sites;
	size_t site_count, site_room;
	struct weir_provefile *files;
	size_t file_count, file_room;
	uint64_t nowhere; /* independent transfers that tell no place */
};

/* Reads all events. 0 or -errno. */
int weir_provesteps_gather(struct weir_provesteps *steps,
			   struct weir_reader *reader,
			   const struct weir_provesteps_filter *filter);
void weir_provesteps_fini(struct weir_provesteps *steps);

#endif
