/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers what was written during a run: files, and what is in them, with the
 * sums that processes have told.
 */
#ifndef WEIR_VERIFY_OUTPUT_H
#define WEIR_VERIFY_OUTPUT_H

#include "base/digest.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"
#include "verify/spans.h"

#include <stdbool.h>
#include <stdint.h>

/* What speaks against a verdict, beside the doubts that processes told. */
enum weir_output_why {
	WEIR_WHY_CUT = 1,      /* it was truncated while others wrote */
	WEIR_WHY_KILLED = 2,   /* a process that wrote did not tell */
	WEIR_WHY_LOST = 4,     /* events of such a process were lost */
	WEIR_WHY_ALSO = 8,     /* written by HDF5 and beside it */
};

enum weir_output_verdict {
	WEIR_UNJUDGED,
	WEIR_VERIFIED,
	WEIR_DIFFERS,
	WEIR_UNVERIFIABLE,
	WEIR_GONE,   /* removed by the program */
	WEIR_NOTHING, /* no bytes of its own: nothing to say */
};

/* By one process; of all its handles. */
struct weir_told {
	uint32_t proc;
	uint32_t doubts; /* enum weir_digest_doubt */
	bool was_empty;	 /* some handle found nothing there before */
	struct weir_digest sum, cover;
	uint64_t bytes, writes, end;
	struct weir_spans spans;
};

/* Elements that nobody wrote and that are not the fill value. */
struct weir_gaps {
	uint64_t wrong, first, last;
};

struct weir_output_object {
	uint32_t file;	/* index */
	uint32_t next;	/* of the same file, index + 1; 0: the last */
	char *inside;	/* path in an HDF5 file; NULL: the file's bytes */
	struct weir_told *told;
	size_t count, room;
	uint32_t whys;	/* enum weir_output_why */
	bool is_gone;
	enum weir_output_verdict verdict;
	const char *why; /* of one that is not verified */
	uint64_t size;	/* as it was found */
	struct weir_gaps gaps;
};

struct weir_output_file {
	uint32_t first;	/* object, index + 1 */
	uint32_t name;	/* after settling: one that it has; 0: none */
	uint32_t proc;	/* one that wrote to it */
	bool is_fresh;	/* made or emptied during the run */
	bool is_hdf5;	/* HDF5 has written to it */
	bool is_mpi;	/* opened by MPI-IO, too */
	bool is_opened; /* by libc or MPI, so there must be such a file */
	bool has_freed; /* what was in it is removed: its place is used again */
	bool is_carried; /* below a directory that was renamed, and not found */
};

/* Zero it to begin. */
struct weir_output {
	struct weir_names names;
	struct weir_map by_name; /* number of a name to index of file + 1 */
	struct weir_map folders; /* hashes of directories with names below */
	struct weir_map by_path; /* hash of file and inside, to object + 1 */
	struct weir_output_file *files;
	size_t file_count, file_room;
	struct weir_output_object *objects;
	size_t object_count, object_room;
	struct weir_output_move *moves;
	size_t move_count, move_room;
};

/* A directory that was renamed. */
struct weir_output_move {
	char *from, *to;
};

void weir_output_fini(struct weir_output *output);

/* The file of this name, perhaps a new one; its index, or -errno. */
int64_t weir_output_file(struct weir_output *output, const char *name,
			  size_t len);

/* An object of a file, perhaps a new one; inside NULL: its bytes. */
struct weir_output_object *
weir_output_object(struct weir_output *output, uint32_t file,
		    const char *inside, size_t len);

/* FILE or FILE:/inside: where the second begins, or NULL. */
const char *weir_output_inside(const char *name, size_t len);

/* What was told of a file before does not count any more. */
void weir_output_void(struct weir_output *output, uint32_t file);

/* Names change, also those below a directory. 0 or -errno. */
int weir_output_rename(struct weir_output *output, const char *from,
			const char *to);
int weir_output_exchange(struct weir_output *output, const char *one,
			  const char *other);
int weir_output_link(struct weir_output *output, const char *from,
		      const char *to);
int weir_output_unlink(struct weir_output *output, const char *name);

/* A file without a name, as O_TMPFILE makes them; its index, or -errno. */
int64_t weir_output_nameless(struct weir_output *output);

/* It gets one more name. 0 or -errno. */
int weir_output_name_file(struct weir_output *output, uint32_t file,
			  const char *name);

/*
 * `from` turns out to be `to`: its names and what was told of it are those of
 * the other now. -ENOENT: `to` has no name any more, so it is another file.
 */
int weir_output_unite(struct weir_output *output, uint32_t from, uint32_t to);

/* After settling; NULL: it has none any more. */
const char *weir_output_name(const struct weir_output *output, uint32_t file);

/* At the end: each file gets one of the names that it still has. */
void weir_output_settle(struct weir_output *output);

/* A path inside a file is removed, with all below. */
void weir_output_remove_inside(struct weir_output *output, uint32_t file,
				const char *path);

#endif
