/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from a trace how it was made. */
#include "doctor/history.h"

#include "base/clock.h"
#include "launch/directory/tracedir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PATIENCE UINT64_C(10000000000) /* ns for the events of a long trace */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length &&
	       !strcmp(text + length - end_length, end);
}

/* A collector keeps its lock as long as it lives, and removes it then. */
static bool is_locked(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) &&
		      errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return locked;
}

/* HOST.lock and HOST.live are there while a trace is being made on HOST. */
static void look_at_entry(struct weir_history *history, int dir_fd,
			  const char *name, const char *host)
{
	size_t length = strlen(host);

	if (!ends_with(name, ".lock") && !ends_with(name, ".live"))
		return;
	if (strncmp(name, host, length) || name[length] != '.')
		snprintf(history->other, sizeof(history->other), "%s", name);
	else if (ends_with(name, ".lock") && is_locked(dir_fd, name))
		history->is_served = true;
	else
		snprintf(history->left, sizeof(history->left), "%s", name);
}

/* Only what lies beside the trace's files tells whether somebody is at work. */
static void look_at_directory(struct weir_history *history)
{
	DIR *dir = opendir(history->path);
	struct weir_tracedir here;
	struct dirent *entry;

	if (!dir)
		return;
	weir_tracedir_open(&here, history->path);
	while ((entry = readdir(dir)))
		look_at_entry(history, dirfd(dir), entry->d_name, here.host);
	closedir(dir);
}

static int by_value(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* The processes' numbers, sorted; to be freed. */
static uint32_t *look_at_processes(struct weir_history *history,
				   struct weir_reader *reader)
{
	uint32_t count = weir_reader_processes(reader);
	uint32_t *pids = calloc(count + 1, sizeof(*pids));

	if (!pids)
		return NULL;
	for (uint32_t i = 1; i <= count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (!process)
			continue;
		pids[history->processes++] = process->pid;
		history->stopped += strcmp(process->stop, "none") != 0;
	}
	qsort(pids, history->processes, sizeof(*pids), by_value);
	return pids;
}

/* What vfork made becomes another program at once: was that recorded? */
static void look_at_child(struct weir_history *history, const uint32_t *pids,
			  uint32_t child)
{
	if (bsearch(&child, pids, history->processes, sizeof(*pids), by_value))
		return;
	history->children++;
	history->child = child;
}

static void look_at_events(struct weir_history *history,
			   struct weir_reader *reader, const uint32_t *pids)
{
	uint64_t until = weir_clock_ns(CLOCK_MONOTONIC) + PATIENCE;
	const struct weir_call *call;
	struct weir_event event;
	int more;

	while ((more = weir_reader_next(reader, &event)) > 0) {
		history->events++;
		call = weir_reader_call(reader, &event);
		if (call && event.ret > 0 && !strcmp(call->name, "vfork"))
			look_at_child(history, pids, (uint32_t)event.ret);
		if (!(history->events % 4096) &&
		    weir_clock_ns(CLOCK_MONOTONIC) > until)
			return;
	}
	history->is_whole = !more;
}

static void look_at_names(struct weir_history *history,
			  struct weir_reader *reader, const char *wanted)
{
	for (uint32_t i = 1; wanted && i <= weir_reader_names(reader); i++) {
		size_t length, end = strlen(wanted);
		const char *name = weir_reader_name(reader, i, &length);

		if (name && length >= end &&
		    !memcmp(name + length - end, wanted, end))
			history->has_wanted = true;
	}
}

static int read_trace(struct weir_history *history, const char *wanted)
{
	struct weir_reader *reader;
	uint32_t *pids;

	history->err = weir_reader_open(history->path, &reader);
	if (history->err)
		return history->err == -ENOMEM ? -ENOMEM : 0;
	pids = look_at_processes(history, reader);
	if (pids) {
		look_at_events(history, reader, pids);
		look_at_names(history, reader, wanted);
		weir_reader_losses(reader, &history->losses);
		history->is_damaged = weir_reader_is_damaged(reader);
	}
	weir_reader_close(reader);
	free(pids);
	return pids ? 0 : -ENOMEM;
}

int weir_history_new(const char *path, const char *wanted,
		     struct weir_history **ret_history)
{
	struct weir_history *history = calloc(1, sizeof(*history));
	int err;

	if (!history)
		return -ENOMEM;
	history->path = path;
	history->is_there = !access(path, F_OK);
	look_at_directory(history);
	err = read_trace(history, wanted);
	if (err)
		weir_history_free(history);
	else
		*ret_history = history;
	return err;
}

void weir_history_free(struct weir_history *history)
{
	free(history);
}
