/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each definition of an OTF2 archive when it is first needed. */
#ifndef WEIR_OTF2_OTF2DEFS_H
#define WEIR_OTF2_OTF2DEFS_H

#include "export/dump/dump.h"
#include "trace/bytes/map.h"

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

/* I/O paradigms, by their numbers in the archive. */
enum weir_otf2defs_paradigm {
	WEIR_OTF2_POSIX,
	WEIR_OTF2_ISOC,
	WEIR_OTF2_MPIIO,
	WEIR_OTF2_HDF5,
	WEIR_OTF2_PNETCDF,
	WEIR_OTF2_PARADIGMS,
};

/* Attributes, likewise. */
enum weir_otf2defs_attribute {
	WEIR_OTF2_INDEX,
	WEIR_OTF2_FILE,
	WEIR_OTF2_OFFSET,
	WEIR_OTF2_RESULT,
	WEIR_OTF2_ERROR,
	WEIR_OTF2_LINK,
	WEIR_OTF2_BATCHED,
	WEIR_OTF2_ABOVE,
	WEIR_OTF2_NODE,
	WEIR_OTF2_UNJOINED,
	WEIR_OTF2_CAUSE,
	WEIR_OTF2_ONE_OF,
	WEIR_OTF2_MARK,
	WEIR_OTF2_STEP,
	WEIR_OTF2_ATTRIBUTES,
};

struct weir_otf2defs {
	OTF2_GlobalDefWriter *writer; /* borrowed */
	const struct weir_reader *reader;
	struct weir_map texts; /* hashes, to strings + 1 */
	struct weir_map hosts; /* likewise, to nodes of the tree */
	uint32_t *files;       /* by number of the name: file + 1 */
	struct weir_text line; /* goes nowhere: to take its bytes from */
	uint32_t strings, nodes, handles, file_count; /* so far */
};

/* What OTF2 returned, as 0 or -errno. */
int weir_otf2defs_error(OTF2_ErrorCode code);

enum weir_otf2defs_paradigm weir_otf2defs_paradigm(const char *layer);

/*
 * Defines clock, hosts, processes, paradigms and attributes. 0 or -errno;
 * wants fini either way.
 */
int weir_otf2defs_init(struct weir_otf2defs *defs,
		       const struct weir_reader *reader,
		       OTF2_GlobalDefWriter *writer);
void weir_otf2defs_fini(struct weir_otf2defs *defs);

/* A name in its safe form. 0 or -errno, as all below. */
int weir_otf2defs_text(struct weir_otf2defs *defs, const void *bytes,
		       size_t len, uint32_t *ret_string);

/* Of the name with this number. */
int weir_otf2defs_file(struct weir_otf2defs *defs, uint32_t number,
		       uint32_t *ret_file);

int weir_otf2defs_region(struct weir_otf2defs *defs, uint32_t region,
			 const struct weir_dump_event *event);

/* parent and file may be undefined. */
struct weir_otf2defs_open {
	enum weir_otf2defs_paradigm paradigm;
	uint32_t file, parent;
	bool was_there; /* nobody saw it made */
};

int weir_otf2defs_handle(struct weir_otf2defs *defs,
			 const struct weir_otf2defs_open *open,
			 uint32_t *ret_handle);

int weir_otf2defs_location(struct weir_otf2defs *defs, uint64_t location,
			   uint32_t proc, uint32_t thread, uint64_t events);

#endif
