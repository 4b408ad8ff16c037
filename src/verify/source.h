/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads bytes as they are in files now, from the beginning to the end. */
#ifndef WEIR_VERIFY_SOURCE_H
#define WEIR_VERIFY_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Some elements of an HDF5 object. */
struct weir_elements {
	const uint8_t *bytes, *fill; /* of all, of one */
	uint64_t count, size;	     /* their number, and how large one is */
};

/*
 * Gets all bytes, in order; sign -1: these are to be taken away, being what is
 * there where nothing was written. Or, if it has `see`, elements beside what
 * that is (NULL: zeros).
 */
struct weir_sink {
	void (*take)(void *context, int sign, uint64_t position,
		     const void *bytes, size_t size);
	void *context;
	void (*see)(void *context, uint64_t first,
		    const struct weir_elements *elements);
};

/*
 * A plain file. -ENOENT and other errors; -EINVAL: it is none. ret_size is
 * that of the file.
 */
int weir_source_file(const char *path, const struct weir_sink *sink,
		     uint64_t *ret_size);

/* Files of HDF5, by a library that is looked for when it is needed first. */
struct weir_source_hdf5;

/* NULL: there is none, or no memory. */
struct weir_source_hdf5 *weir_source_hdf5_new(void);

/*
 * A dataset (/path) or an attribute (/path@name). -EBADMSG: it cannot be read
 * back; -ENOTSUP: not by us. weir_source_hdf5_fault() says why.
 */
int weir_source_hdf5_scan(struct weir_source_hdf5 *hdf5, const char *path,
			  const char *inside, const struct weir_sink *sink,
			  uint64_t *ret_size);

/* What HDF5 says of elements that nobody wrote, of the last scan. */
enum weir_fill {
	WEIR_FILL_SET,	  /* they are filled */
	WEIR_FILL_USUAL,  /* they are not: they are what the file has there */
	WEIR_FILL_NOTHING, /* they may be anything */
};

enum weir_fill weir_source_hdf5_fill(const struct weir_source_hdf5 *hdf5);

/* Why the last scan failed. */
const char *weir_source_hdf5_fault(const struct weir_source_hdf5 *hdf5);

#endif
