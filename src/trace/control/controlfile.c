/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the control file of a live directory from outside. */
#include "trace/control/controlfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_page(int fd, const struct weir_control *page)
{
	ssize_t done;

	if (fallocate(fd, 0, 0, sizeof(*page)))
		return -errno;
	done = pwrite(fd, page, sizeof(*page), 0);
	if (done < 0)
		return -errno;
	return done == (ssize_t)sizeof(*page) ? 0 : -ENOSPC;
}

static int make_file(const char *live_dir, const struct weir_control *page)
{
	char path[WEIR_CONTROL_BYTES];
	int fd, err;

	if (snprintf(path, sizeof(path), "%s/" WEIR_CONTROL_NAME, live_dir) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return -errno;
	err = write_page(fd, page);
	close(fd);
	if (err)
		unlink(path);
	return err;
}

int weir_controlfile_make(const char *live_dir,
			  const struct weir_controlfile_setup *setup)
{
	struct weir_control *page;
	int err;

	if (setup && setup->rules_bytes > sizeof(page->rules))
		return -E2BIG;
	page = calloc(1, sizeof(*page));
	if (!page)
		return -ENOMEM;
	memcpy(page->magic, WEIR_CONTROL_MAGIC, sizeof(page->magic));
	page->version = WEIR_CONTROL_VERSION;
	page->bytes = sizeof(*page);
	if (setup) {
		page->flags = setup->flags;
		page->max_bytes = setup->max_bytes;
		page->manner =
			setup->manner |
			(setup->flags & WEIR_CONTROL_DIGEST ? WEIR_MANNER_DIGEST
							    : 0);
		page->aside = (uint32_t)page->manner;
		page->ring_bytes = setup->ring_bytes;
		page->rules_bytes = (uint32_t)setup->rules_bytes;
		if (setup->rules)
			memcpy(page->rules, setup->rules, setup->rules_bytes);
	}
	err = make_file(live_dir, page);
	free(page);
	return err;
}

int weir_controlfile_open(int dir_fd, bool to_write, int *ret_fd)
{
	int fd = openat(dir_fd, WEIR_CONTROL_NAME,
			(to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC |
				O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

uint32_t weir_controlfile_flags(int fd)
{
	uint32_t flags;

	if (pread(fd, &flags, sizeof(flags),
		  offsetof(struct weir_control, flags)) != sizeof(flags))
		return 0;
	return flags;
}

uint32_t weir_controlfile_manner(int fd)
{
	uint64_t manner;

	if (pread(fd, &manner, sizeof(manner),
		  offsetof(struct weir_control, manner)) != sizeof(manner))
		return WEIR_MANNER_TRACE;
	return (uint32_t)manner;
}

int weir_controlfile_pause(int fd, bool paused)
{
	uint32_t word = weir_controlfile_manner(fd) |
			(paused ? WEIR_CONTROL_PAUSED : 0);
	ssize_t done = pwrite(fd, &word, sizeof(word),
			      offsetof(struct weir_control, aside));

	if (done < 0)
		return -errno;
	return done == sizeof(word) ? 0 : -EIO;
}

/* From the end: processes take places at the same time, and others first. */
static int put_end(int fd, uint64_t word)
{
	size_t at = offsetof(struct weir_control, ends);
	uint64_t before;

	for (int i = WEIR_CONTROL_ENDS; i--;) {
		off_t place = (off_t)(at + (size_t)i * sizeof(word));

		if (pread(fd, &before, sizeof(before), place) !=
		    sizeof(before))
			return -EIO;
		if (!before)
			return pwrite(fd, &word, sizeof(word), place) ==
					       sizeof(word) ? 0 : -EIO;
	}
	return -ENOSPC;
}

int weir_controlfile_tell_end(const char *live_dir, uint32_t pid, int status)
{
	int dir_fd = open(live_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t word = (uint64_t)pid << 32 | WEIR_CONTROL_AN_END |
			(uint16_t)status;
	int fd = -1, err;

	if (dir_fd < 0)
		return -errno;
	err = weir_controlfile_open(dir_fd, true, &fd);
	close(dir_fd);
	if (err)
		return err;
	err = put_end(fd, word);
	close(fd);
	return err;
}

/* A write lease is granted only to the one who alone has the file. */
bool weir_controlfile_is_alone(int fd)
{
	if (fcntl(fd, F_SETLEASE, F_WRLCK))
		return errno != EAGAIN;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	return true;
}

/* The reason that a mark tells; -1: not a mark. */
static int reason_of_mark(const char *name)
{
	unsigned pid, reason, number;
	char more;

	if (sscanf(name, WEIR_CONTROL_MARK "%u-%u-%u%c", &pid, &reason, &number,
		   &more) != 3)
		return -1;
	return reason < WEIR_REASON_COUNT ? (int)reason : WEIR_REASON_OTHER;
}

static int is_mark(const struct dirent *entry)
{
	return reason_of_mark(entry->d_name) >= 0;
}

/* Adds the marks to the counts, and removes them if told. */
static int add_marks(int dir_fd, struct weir_unrecorded *all, bool remove)
{
	struct dirent **names;
	int count = scandirat(dir_fd, ".", &names, is_mark, NULL);

	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++) {
		int reason = reason_of_mark(names[i]->d_name);

		if (!remove ||
		    !unlinkat(dir_fd, names[i]->d_name, AT_REMOVEDIR))
			all->by[reason].processes++;
		free(names[i]);
	}
	free(names);
	return 0;
}

void weir_controlfile_count(int fd, struct weir_unrecorded *ret_all)
{
	struct weir_control_loss losses[WEIR_CONTROL_REASONS];
	struct weir_unrecorded all = {0};

	if (fd < 0 || pread(fd, losses, sizeof(losses),
			    offsetof(struct weir_control, losses)) !=
			      (ssize_t)sizeof(losses))
		memset(losses, 0, sizeof(losses));
	for (int i = 0; i < WEIR_CONTROL_REASONS; i++) {
		int to = i < WEIR_REASON_COUNT ? i : WEIR_REASON_OTHER;

		all.by[to].processes += losses[i].processes;
		all.by[to].calls += losses[i].calls;
	}
	*ret_all = all;
}

int weir_controlfile_count_marks(int dir_fd, struct weir_unrecorded *ret_all)
{
	struct weir_unrecorded all = {0};
	int err = add_marks(dir_fd, &all, false);

	if (!err)
		*ret_all = all;
	return err;
}

int weir_controlfile_take_marks(int dir_fd, struct weir_unrecorded *all)
{
	return add_marks(dir_fd, all, true);
}
