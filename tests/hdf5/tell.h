/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a program did with HDF5, for run-hdf5.py to compare. */
#ifndef WEIR_TESTS_HDF5_TELL_H
#define WEIR_TESTS_HDF5_TELL_H

/* Begin the list, of this thread; it is written to `path`. */
void tell_start(const char *path);
void tell_end(void);

/*
 * A call on `file` (as FILE or FILE:/path; NULL: none) of so many bytes; the
 * rest is JSON members of its arguments, or NULL.
 */
void tell(const char *call, const char *file, long bytes, const char *args);
void tell_failed(const char *call, const char *file);

#endif
