/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that does I/O when it comes, works, and goes. */
#include "tally.h"

#include <fcntl.h>

/* What a thread_local object with a destructor becomes in other languages. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *object,
			     void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));

static void look(void)
{
	char byte = 1;
	int fd = tally_openfile("/dev/zero", O_RDONLY);

	tally_check(tally_read(fd, &byte, 1) == 1 && !byte);
	tally_check(!tally_close(fd));
}

static void thread_ends(void *arg)
{
	look();
}

__attribute__((constructor)) static void come(void)
{
	look();
}

__attribute__((destructor)) static void go(void)
{
	look();
}

__attribute__((visibility("default"))) void plugin_work(int at_end);

void plugin_work(int at_end)
{
	look();
	if (at_end)
		__cxa_thread_atexit_impl(thread_ends, NULL, &__dso_handle);
}
