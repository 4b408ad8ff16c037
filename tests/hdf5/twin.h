/* SPDX-License-Identifier: BSD-3-Clause */
/* Between a program with one HDF5 and its plugin with another. */
#ifndef WEIR_TESTS_HDF5_TWIN_H
#define WEIR_TESTS_HDF5_TWIN_H

enum twin_what { TWIN_OPEN, TWIN_CREATE, TWIN_WRITE, TWIN_CLOSE };

typedef void twin_tell(const char *call, const char *file, long bytes,
		       const char *args);

/* Do it, and say so by the program's function; returns 0 if it went well. */
typedef int twin_function(enum twin_what what, twin_tell *say);

#endif
