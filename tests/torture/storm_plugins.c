/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that come and go, with I/O whenever something of theirs runs. */
#include "storm.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NOISE 2
#define THREADS 4
#define DONE_LOADED 0

static char path[4200];

static void load_once(int at_end)
{
	void *plugin = dlopen(path, at_end ? RTLD_NOW : RTLD_LAZY);
	void (*work)(int at_end) = NULL;

	tally_check(!!plugin);
	if (plugin)
		*(void **)&work = dlsym(plugin, "plugin_work");
	tally_check(!!work);
	if (!work)
		return;
	work(at_end);
	tally_do(DONE_LOADED);
	tally_check(!dlclose(plugin));
}

static void *load_and_leave(void *arg)
{
	for (long n = (long)arg; n > 0; n--)
		load_once(0);
	return NULL;
}

static void *load_in_thread(void *arg)
{
	load_once(1);
	return NULL;
}

/* In many threads at once, and in threads that end with what they loaded. */
static int load_often(long count, char **argv)
{
	struct storm_noise noise;
	pthread_t threads[THREADS];

	snprintf(path, sizeof(path), "%s", argv[0]);
	storm_start_noise(&noise, NOISE);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, load_and_leave,
			       (void *)(count / 2 / THREADS));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (long n = 0; n < count / 2; n++) {
		pthread_create(&threads[0], NULL, load_in_thread, NULL);
		pthread_join(threads[0], NULL);
	}
	storm_stop_noise(&noise);
	return 0;
}

const struct storm storm_plugins[] = {
	{"plugins", load_often},
	{NULL, NULL},
};
