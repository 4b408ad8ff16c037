/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends the recording of this process. */
#include "capture/session.h"

#include "base/sys.h"
#include "capture/call/threadlife.h"
#include "capture/memory/pool.h"
#include "capture/memory/tick.h"
#include "capture/process/filter.h"
#include "capture/process/procguard.h"
#include "capture/process/procstart.h"
#include "gate/confined.h"
#include "gate/fdmap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>

#define DEFAULT_UNITS WEIR_LIVE_WINDOW_UNITS
#define FEWEST_UNITS  4

/* The counter is right only where the kernel itself keeps time with it. */
static bool kernel_trusts_counter(void)
{
	char text[16] = "";
	long fd = weir_sys4(SYS_openat, AT_FDCWD,
			    "/sys/devices/system/clocksource/clocksource0/"
			    "current_clocksource",
			    O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	weir_sys3(SYS_read, fd, text, sizeof(text) - 1);
	weir_sys1(SYS_close, fd);
	return !strncmp(text, "tsc", 3) || !strncmp(text, "arch_sys", 8);
}

static void keep_arguments(struct weir_pool_settings *set, int argc,
			   char *const *argv)
{
	uint32_t used = 0;

	for (int i = 0; i < argc; i++) {
		size_t len = strlen(argv[i]) + 1;

		if (used + len > sizeof(set->args))
			break;
		memcpy(set->args + used, argv[i], len);
		used += (uint32_t)len;
	}
	set->args_bytes = used;
}

static uint32_t units_for(uint64_t bytes)
{
	uint64_t units = bytes / WEIR_LIVE_UNIT_BYTES;

	if (!bytes)
		return DEFAULT_UNITS;
	if (units < FEWEST_UNITS)
		return FEWEST_UNITS;
	return units > WEIR_LIVE_UNITS ? WEIR_LIVE_UNITS : (uint32_t)units;
}

/* After fork() the child may move every position we had. */
static void parent_forked(void)
{
	weir_fdmap_share(false);
}

int weir_session_start(const struct weir_session_request *request)
{
	struct weir_pool_settings *set = &weir_pool_settings;
	int err;

	if (strlen(request->live_directory) >= sizeof(set->directory))
		return -ENAMETOOLONG; /* no directory of ours is */
	weir_tick_is_counter = kernel_trusts_counter();
	set->clock_is_tsc = weir_tick_is_counter;
	set->first = weir_pool_anchor(weir_tick_is_counter);
	set->units_wanted = units_for(request->buffer_bytes);
	memcpy(set->directory, request->live_directory,
	       strlen(request->live_directory) + 1);
	if (weir_sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", set->exe,
		      sizeof(set->exe) - 1) < 0)
		set->exe[0] = 0;
	keep_arguments(set, request->argc, request->argv);
	err = weir_procstart_begin_image(request->may_try_again);
	if (err == -ENOENT && request->may_try_again)
		return err;
	weir_filter_prepare(err ? NULL : weir_pool_live()->cwd);
	/* Also when it failed: calls are counted, and children may succeed. */
	weir_threadlife_prepare();
	pthread_atfork(NULL, parent_forked, NULL);
	weir_thread_recording = true;
	return err;
}

/*
 * The child of vfork runs in our memory, and ends alone. Below a filter of
 * system calls nobody may ask who we are: then the end is not told.
 */
void weir_session_hint_exit(void)
{
	if (!weir_confined && weir_procguard_is_begun() &&
	    weir_sys0(SYS_getpid) == (long)weir_pool_live()->pid)
		atomic_store(&weir_pool_live()->exiting, 1);
}
