/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle program: does I/O and tells exactly what it did. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char *oracle_self, *oracle_dir;
void *oracle_nowhere = (void *)8;

static const struct scenario *const groups[] = {
	oracle_opens,
	oracle_transfers,
	oracle_marks,
	oracle_copies,
	oracle_threads,
	oracle_processes,
	oracle_signals,
	oracle_names,
	oracle_attributes,
	oracle_found,
	oracle_dirs,
	oracle_maps,
	oracle_syscall,
	oracle_fresh,
	oracle_versions,
	oracle_bytes,
	oracle_wide,
	oracle_places,
	oracle_lives,
	oracle_aio,
	oracle_libaio,
	oracle_uring,
	oracle_race,
	oracle_async_sys,
};

void oracle_make_file(const char *path, size_t bytes)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path,
			  O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char *data = malloc(bytes + 1);

	if (fd < 0 || !data)
		tell_failure("a file cannot be made");
	for (size_t i = 0; i < bytes; i++)
		data[i] = (char)i;
	if (raw_call(SYS_write, fd, data, bytes) != (long)bytes)
		tell_failure("a file cannot be filled");
	raw_call(SYS_close, fd);
	free(data);
}

void oracle_make_dir(const char *path)
{
	if (raw_call(SYS_mkdirat, AT_FDCWD, path, 0755))
		tell_failure("a directory cannot be made");
}

void oracle_make_link(const char *target, const char *path)
{
	if (raw_call(SYS_symlinkat, target, AT_FDCWD, path))
		tell_failure("a link cannot be made");
}

static void allow_descriptors(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static const struct scenario *find_scenario(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(groups); i++)
		for (const struct scenario *s = groups[i]; s->name; s++)
			if (!strcmp(s->name, name))
				return s;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct scenario *scenario;
	char self[512] = "", dir[512] = "";

	if (argc < 3 || !(scenario = find_scenario(argv[2]))) {
		fprintf(stderr, "usage: oracle LOG SCENARIO [COUNT]\n");
		return 2;
	}
	if (raw_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", self,
		     sizeof(self) - 1) < 0 ||
	    raw_call(SYS_getcwd, dir, sizeof(dir)) < 0)
		tell_failure("who and where am I?");
	oracle_self = self;
	oracle_dir = dir;
	allow_descriptors();
	tell_open(argv[1]);
	book_chdir(dir);
	scenario->play(argc > 3 ? atol(argv[3]) : 1);
	return 0;
}
