/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that closes every descriptor behind everybody's back, as daemons
 * and sandboxes do, and then writes files of its own: a recorder that kept a
 * descriptor would now write into them.
 */
#include "../lib/raw.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES 64
#define ROWS  200

static void close_one_by_one(void)
{
	for (int fd = 3; fd <= 1023; fd++)
		raw_call(SYS_close, fd);
}

static void close_as_range(void)
{
	raw_call(SYS_close_range, 3, 1023, 0);
}

/* The new files get the numbers that were closed. */
static int write_files(const char *prefix)
{
	char name[64], row[64];
	int fds[FILES];

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%s-%d", prefix, i);
		fds[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
		if (fds[i] < 0)
			return -1;
	}
	for (int n = 0; n < ROWS; n++)
		for (int i = 0; i < FILES; i++) {
			int len = snprintf(row, sizeof(row), "%s %d %d\n",
					   prefix, i, n);

			if (write(fds[i], row, (size_t)len) != len)
				return -1;
		}
	return 0;
}

int main(void)
{
	int failed = write_files("before");

	close_one_by_one();
	failed |= write_files("single");
	close_as_range();
	failed |= write_files("range");
	close_one_by_one();
	failed |= write_files("again");
	return failed ? 1 : 0;
}
