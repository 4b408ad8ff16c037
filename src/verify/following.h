/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares what the files know that follow what happens to files. */
#ifndef WEIR_VERIFY_FOLLOWING_H
#define WEIR_VERIFY_FOLLOWING_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/map.h"
#include "trace/event/detail.h"
#include "trace/read/reader.h"
#include "verify/output.h"

/* What one handle of one process stands for. */
struct weir_bound {
	uint32_t proc;
	uint32_t file;	/* index */
	uint32_t name;	/* of the reader */
	bool has_written;
	bool is_untold;	 /* it began to write, and has not told what */
	bool was_voided; /* the file was emptied by others after that */
	uint64_t cut;	 /* the least that others left of it after that */
	int64_t fd;	 /* that it was opened as */
};

struct weir_following {
	struct weir_reader *reader;
	struct weir_output *written;
	struct weir_map by_handle; /* process and handle, to bound + 1 */
	struct weir_map by_key;	   /* what a file is, to its index + 1 */
	struct weir_map by_copy;   /* process and number, to what it copies */
	struct weir_bound *bound;
	size_t count, room;
	struct weir_map cwd; /* process to its directory, a reader's name */
	struct weir_bytes path, other;
	const struct weir_event *event;
	const struct weir_call *call;
	uint8_t actions[65536]; /* of calls; 0: not looked for yet */
};

/* The argument of this name; false: it is not given. */
bool weir_following_argument(const struct weir_following *f, const char *name,
			     struct weir_value *ret_value);

/* The same by its number from 1; 0: the call has none. */
bool weir_following_given(const struct weir_following *f, uint8_t argument,
			  struct weir_value *ret_value);

/* The file of what the event is on; -ENOENT: it has no name. */
int64_t weir_following_file(struct weir_following *f);

/* What is removed or renamed in files of HDF5. 0 or -errno. */
int weir_following_hdf5_remove(struct weir_following *f);

#endif
