/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what /proc says of descriptors. */
#include "forward/files/procnames.h"

#include "base/sys.h"
#include "base/append.h"

#include <fcntl.h>

size_t weir_procnames_path(int fd, char *room, size_t size)
{
	char link[sizeof("/proc/thread-self/fd/") + 24];
	long got;

	*room = 0;
	weir_append_number(weir_append_text(link, "/proc/thread-self/fd/"),
			  (uint64_t)fd);
	got = weir_sys4(SYS_readlinkat, AT_FDCWD, link, room, size - 1);
	if (got <= 0)
		return 0;
	room[got] = 0;
	return (size_t)got;
}

int weir_procnames_fd(const char *name)
{
	int number = 0;

	for (; *name >= '0' && *name <= '9' && number < 1 << 20; name++)
		number = number * 10 + *name - '0';
	return *name ? -1 : number;
}
