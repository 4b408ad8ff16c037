/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for the collectors of other hosts, and adds up what they wrote. */
#include "launch/collect/others.h"

#include "base/clock.h"
#include "launch/collect/collector_report.h"
#include "trace/read/reader.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PATIENCE UINT64_C(10000000000) /* ns */
#define PAUSE    20000000              /* ns */

/* HOST.live is there while processes are, HOST.lock until all is packed. */
static bool is_at_work(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && (!strcmp(name + len - 5, ".live") ||
			   !strcmp(name + len - 5, ".lock"));
}

/* Those of our host are us. */
static bool is_of_other(const char *name, const char *host)
{
	size_t own = strlen(host);

	return strncmp(name, host, own) ||
	       (name[own] != '.' && name[own] != '-');
}

static unsigned count_others(const struct weir_tracedir *place)
{
	struct dirent *entry;
	unsigned found = 0;
	DIR *dir = opendir(place->dir);

	while (dir && (entry = readdir(dir)))
		found += is_at_work(entry->d_name) &&
			 is_of_other(entry->d_name, place->host);
	if (dir)
		closedir(dir);
	return found;
}

unsigned weir_others_wait(const struct weir_tracedir *place)
{
	uint64_t until = weir_clock_ns(CLOCK_MONOTONIC) + PATIENCE;
	const struct timespec pause = { .tv_nsec = PAUSE };
	unsigned left;

	while ((left = count_others(place)) &&
	       weir_clock_ns(CLOCK_MONOTONIC) < until)
		nanosleep(&pause, NULL);
	return left;
}

static void add_processes(const struct weir_reader *reader,
			  struct weir_collector_report *report)
{
	uint32_t count = weir_reader_processes(reader);

	for (uint32_t i = 1; i <= count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process)
			report->kept += process->kept;
	}
	report->totals.processes += count;
}

static void add_losses(const struct weir_reader *reader,
		       struct weir_collector_report *report)
{
	struct weir_reader_losses losses;

	weir_reader_losses(reader, &losses);
	report->dropped += losses.dropped;
	report->lost += losses.lost;
	report->overwritten += losses.overwritten;
	for (int i = 0; i < 4; i++)
		report->hidden[i] += losses.hidden[i];
	weir_unrecorded_add(&report->unrecorded, &losses.unrecorded);
}

static void add_file(const char *path, struct weir_collector_report *report)
{
	struct weir_reader *reader;
	struct stat st;

	if (weir_reader_open(path, &reader))
		return; /* who reads the trace will be told */
	add_processes(reader, report);
	add_losses(reader, report);
	report->totals.events += weir_reader_calls(reader);
	if (!stat(path, &st))
		report->totals.bytes += (uint64_t)st.st_size;
	weir_reader_close(reader);
}

void weir_others_add(const struct weir_tracedir *place,
		     struct weir_collector_report *report)
{
	DIR *dir = opendir(place->dir);
	struct dirent *entry;
	char path[PATH_MAX];

	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (len > 5 && !strcmp(entry->d_name + len - 5, ".weir") &&
		    is_of_other(entry->d_name, place->host) &&
		    snprintf(path, PATH_MAX, "%s/%s", place->dir,
			     entry->d_name) < PATH_MAX)
			add_file(path, report);
	}
	if (dir)
		closedir(dir);
}
