/* SPDX-License-Identifier: BSD-3-Clause */
/* Many plain files in one directory, as kernels without a library use them. */
#include "files.h"

#include "comm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void find(const struct kernel_run *run, const char *name,
		 char path[static PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s", run->path, name) >= PATH_MAX)
		kernel_fail(run, "the path of %s is too long", name);
}

void kernel_files_begin(const struct kernel_run *run)
{
	if (!run->rank && mkdir(run->path, 0777) && errno != EEXIST)
		kernel_fail(run, "cannot make %s: %s", run->path,
			    strerror(errno));
	kernel_comm_meet();
}

int kernel_files_open(struct kernel_run *run, const char *name, bool to_write)
{
	char path[PATH_MAX];
	int fd;

	find(run, name, path);
	kernel_start(run);
	fd = open(path, O_CLOEXEC | (to_write ? O_WRONLY | O_CREAT | O_TRUNC
					      : O_RDONLY),
		  0666);
	if (fd < 0)
		kernel_fail(run, "cannot open %s: %s", path, strerror(errno));
	kernel_stop(run, KERNEL_OPEN);
	return fd;
}

void kernel_files_close(struct kernel_run *run, int fd)
{
	kernel_start(run);
	if (close(fd))
		kernel_fail(run, "cannot close a file: %s", strerror(errno));
	kernel_stop(run, KERNEL_CLOSE);
}

static void whole(struct kernel_run *run, ssize_t done, size_t bytes)
{
	if (done < 0)
		kernel_fail(run, "cannot move data: %s", strerror(errno));
	if ((size_t)done != bytes)
		kernel_fail(run, "a file is shorter than it should be");
	run->bytes += bytes;
}

/* Both directions: a request at a time. */
static void move(struct kernel_run *run, int fd,
		 const struct kernel_files_part *part, bool to_write)
{
	uint64_t width = kernel_array_bytes(part->array, 1);
	uint64_t bytes = part->count * width, step;
	char *data = kernel_memory(run, bytes);

	if (to_write)
		kernel_array_fill(part->array, part->first, part->count, data);
	kernel_start(run);
	for (uint64_t at = 0; at < bytes; at += step) {
		step = bytes - at < part->request ? bytes - at : part->request;
		whole(run,
		      to_write ? write(fd, data + at, step)
			       : read(fd, data + at, step),
		      step);
	}
	kernel_stop(run, to_write ? KERNEL_WRITE : KERNEL_READ);
	free(data);
}

void kernel_files_write(struct kernel_run *run, int fd,
			const struct kernel_files_part *part)
{
	move(run, fd, part, true);
}

void kernel_files_read(struct kernel_run *run, int fd,
		       const struct kernel_files_part *part)
{
	move(run, fd, part, false);
}

void kernel_files_check(struct kernel_run *run, const char *name,
			const struct kernel_array *array)
{
	struct kernel_run alone = *run;
	char path[PATH_MAX];

	find(run, name, path);
	alone.rank = 0; /* whoever asks compares all of it */
	alone.ranks = 1;
	kernel_array_check(&alone, array, path, 0);
	run->compared = alone.compared;
	run->wrong = alone.wrong;
}
