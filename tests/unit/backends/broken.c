/* SPDX-License-Identifier: BSD-3-Clause */
/* Plug-ins that cannot be used, each for one reason. */
#include <weir/backend.h>

#ifdef NOTHING
extern const int weir_backed;
const int weir_backed = 1;
#else

#ifndef VERSION
#define VERSION WEIR_BACKEND_VERSION
#endif

static int begin(const char *options, void **ret_self)
{
	*ret_self = 0;
	return 0;
}

static void end(void *self)
{
}

static int open_file(void *self, int fd, void **ret_file)
{
	return 0;
}

static void close_file(void *self, void *file)
{
}

static int64_t write_file(void *self, void *file, const struct iovec *parts,
			  int count, int64_t offset)
{
	return 0;
}

static int64_t read_file(void *self, void *file, void *bytes, uint64_t length,
			 int64_t offset)
{
	return 0;
}

static int truncate_file(void *self, void *file, int64_t length)
{
	return 0;
}

static int ask_extent(void *self, void *file,
		      struct weir_backend_extent *ret_extent)
{
	return 0;
}

const struct weir_backend weir_backend = {
	.version = VERSION,
	.name = "broken",
	.begin = begin,
	.end = end,
	.open = open_file,
	.close = close_file,
	.write = write_file,
	.read = read_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};
#endif
