/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads data.txt, in one of several ways: by libc; by system calls of its own
 * (RAW), as programs in Go do; without any libc (BARE).
 */
#if defined(RAW) || defined(BARE)
#include "base/sys.h"

#include <fcntl.h>

static void read_data(void)
{
	static char data[64];
	long fd = weir_sys4(SYS_openat, AT_FDCWD, "data.txt", O_RDONLY, 0);

	weir_sys3(SYS_read, fd, data, sizeof(data));
	weir_sys1(SYS_close, fd);
}
#else
#include <fcntl.h>
#include <unistd.h>

static void read_data(void)
{
	char data[64];
	int fd = open("data.txt", O_RDONLY);

	if (read(fd, data, sizeof(data)) < 0)
		_exit(1);
	close(fd);
}
#endif

#ifdef GO
/* The note by which programs in Go are known. */
__asm__(".pushsection .note.go.buildid,\"a\",@note\n"
	".balign 4\n.long 4, 4, 4\n.asciz \"Go\\0\"\n.ascii \"stag\"\n"
	".popsection\n");
#endif

#ifdef NEEDED
int NEEDED(void);
#else
#define NEEDED() 0
#endif

#ifdef BARE
void _start(void);
void _start(void)
{
	NEEDED();
	read_data();
	weir_sys1(SYS_exit_group, 0);
	__builtin_unreachable();
}
#else
int main(void)
{
	read_data();
	return NEEDED();
}
#endif
