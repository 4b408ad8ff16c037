/* SPDX-License-Identifier: BSD-3-Clause */
/* The acts of a program that looks closely at itself and at its files. */
#include "actor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int actor_put(int fd, const char *text)
{
	size_t len = strlen(text);

	return write(fd, text, len) == (ssize_t)len ? 0 : -1;
}

int actor_file(const char *name, int number, const char *text)
{
	char path[256];
	int fd, err;

	snprintf(path, sizeof(path), "%s-%d", name, number);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		return -1;
	err = actor_put(fd, text);
	return close(fd) || err ? -1 : 0;
}

void actor_tell(const char *what, long long value)
{
	const char *why = value < 0 ? strerror(errno) : "";

	printf("%s: %lld %s\n", what, value, why);
}

void actor_reap(const char *what, int pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		printf("%s: no such child\n", what);
	else if (WIFSIGNALED(status))
		printf("%s: signal %d\n", what, WTERMSIG(status));
	else
		printf("%s: status %d\n", what, WEXITSTATUS(status));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const struct actor *const groups[] = {
		actor_state,	 actor_files,  actor_threads,
		actor_processes, actor_rights, actor_filters,
	};

	for (size_t i = 0; argc > 1 && i < sizeof(groups) / sizeof(*groups);
	     i++) {
		for (const struct actor *one = groups[i]; one->name; one++) {
			if (!strcmp(one->name, argv[1]))
				return one->act(argc - 1, argv + 1);
		}
	}
	fprintf(stderr, "usage: actor ACT [ARGUMENT]...\n");
	return 2;
}
