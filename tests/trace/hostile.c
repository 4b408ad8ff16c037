/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uses every file whose name stands on stdin, each ended by a NUL byte:
 * by open, by fopen, by stat, as a directory entry and as a second name.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int use(const char *name)
{
	struct stat st;
	FILE *stream;
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
		return 1;
	stream = fopen(name, "a");
	if (!stream || fputs("more", stream) < 0 || fclose(stream))
		return 1;
	return stat(name, &st) || rename(name, name);
}

int main(void)
{
	static char names[1 << 20];
	ssize_t got = 0, more;
	DIR *here = opendir(".");

	while ((more = read(0, names + got, sizeof(names) - (size_t)got)) > 0)
		got += more;
	for (char *at = names; at < names + got; at += strlen(at) + 1) {
		if (use(at)) {
			perror(at);
			return 1;
		}
	}
	while (here && readdir(here))
		;
	return 0;
}
