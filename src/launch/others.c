/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectors of the other hosts that write into the same directory. */
#include "launch/others.h"

#include "base/clock.h"

#include <dirent.h>
#include <string.h>
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

static unsigned count(const struct weir_tracedir *place)
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

	while ((left = count(place)) &&
	       weir_clock_ns(CLOCK_MONOTONIC) < until)
		nanosleep(&pause, NULL);
	return left;
}
