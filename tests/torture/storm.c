/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that do what wears a recorder down, and know what they did.
 *
 * usage: storm NAME COUNT TALLY [ARGUMENT]...
 *
 * Prints what must be the same in every run, recorded or not.
 */
#include "storm.h"

#include "../lib/raw.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

char storm_self[4096];
char storm_page[4096];

int storm_count_open(void)
{
	int count = 0;

	for (int fd = 0; fd < 4096; fd++)
		count += raw_call(SYS_fcntl, fd, F_GETFD) >= 0;
	return count;
}

void storm_touch(int fd, long number)
{
	long at = number % 512, back = -1;

	tally_check(tally_pwrite(fd, &at, sizeof(at), at * 8) == sizeof(at));
	tally_check(tally_pread(fd, &back, sizeof(back), at * 8) ==
			    sizeof(back) &&
		    back == at);
}

static void *make_noise(void *arg)
{
	struct storm_noise *noise = arg;
	char name[64];
	long n = 0;
	int fd;

	snprintf(name, sizeof(name), "noise-%d", (int)syscall(SYS_gettid));
	fd = tally_openfile(name, O_RDWR | O_CREAT | O_TRUNC);
	tally_check(fd >= 0);
	while (!noise->stop) {
		storm_touch(fd, n++);
		usleep(200);
	}
	tally_check(!tally_close(fd));
	tally_check(!unlink(name));
	return NULL;
}

void storm_start_noise(struct storm_noise *noise, int count)
{
	noise->stop = 0;
	noise->count = count;
	for (int i = 0; i < count; i++)
		tally_check(!pthread_create(&noise->threads[i], NULL,
					    make_noise, noise));
}

void storm_stop_noise(struct storm_noise *noise)
{
	noise->stop = 1;
	for (int i = 0; i < noise->count; i++)
		pthread_join(noise->threads[i], NULL);
}

static const struct storm *find(const char *name)
{
	static const struct storm *const groups[] = {
		storm_processes, storm_signals,	    storm_threads,
		storm_jumps,	 storm_descriptors, storm_plugins,
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		for (const struct storm *one = groups[i]; one->name; one++) {
			if (!strcmp(one->name, name))
				return one;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct storm *storm = argc > 3 ? find(argv[1]) : NULL;
	int before, after, status;

	if (!storm || tally_open(argv[3]) ||
	    readlink("/proc/self/exe", storm_self, sizeof(storm_self) - 1) < 0)
		return 2;
	snprintf(storm_page, sizeof(storm_page), "%s", argv[3]);
	before = storm_count_open();
	status = storm->run(atol(argv[2]), argv + 4);
	after = storm_count_open();
	printf("status %d, descriptors %d, wrong results %llu\n", status,
	       after - before, (unsigned long long)tally->wrong);
	return status;
}
