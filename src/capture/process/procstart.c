/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins to record a process, after exec and after fork. */
#include "capture/process/procstart.h"

#include "base/sys.h"
#include "capture/memory/control.h"
#include "capture/memory/pool.h"
#include "capture/memory/ring.h"
#include "capture/process/procguard.h"
#include "capture/process/traits.h"
#include "capture/process/workdir.h"
#include "gate/confined.h"
#include "gate/fdmap.h"
#include "gate/maps.h"
#include "gate/ofd.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#define WAITS 1000
#define WAIT  50000 /* ns; who begins may have lost the processor */

/* What the control file wants beside the live file. */
static int open_ring(void)
{
	if (weir_control->manner != WEIR_MANNER_RING)
		return 0;
	return weir_ring_open(weir_pool_file_name(), weir_control->ring_bytes);
}

static int make_live_file(void)
{
	int err = weir_control_map(weir_pool_settings.directory);

	if (err)
		return err;
	weir_fdmap_reset();
	weir_ofd_reset();
	weir_maps_disown();
	atomic_store(&weir_workdir_handle, weir_fdmap_next_handle());
	err = weir_pool_open();
	if (err)
		return err;
	err = open_ring();
	if (err) {
		weir_pool_drop();
		return err;
	}
	weir_traits_copy(weir_pool_live());
	weir_pool_publish();
	return 0;
}

/* Not for ever: a signal handler may have left the one who began. */
static int wait_for_other(void)
{
	struct timespec wait = { .tv_nsec = WAIT };
	uint32_t state = WEIR_PROCGUARD_BEGINNING;

	for (int i = 0; i < WAITS; i++) {
		state = atomic_load(weir_procguard);
		if (state != WEIR_PROCGUARD_BEGINNING)
			return state == WEIR_PROCGUARD_BEGUN ? 0 : -ECANCELED;
		weir_sys2(SYS_nanosleep, &wait, 0);
	}
	/* Once is enough: nobody else is to wait in vain. */
	if (atomic_compare_exchange_strong(weir_procguard, &state,
					   WEIR_PROCGUARD_GIVEN_UP))
		weir_control_lose_process(weir_pool_settings.directory, -EBUSY);
	return -EBUSY;
}

/* A forked child that may not make the calls that it takes. */
static int give_up(void)
{
	uint32_t state = WEIR_PROCGUARD_NOT_BEGUN;

	if (atomic_compare_exchange_strong(weir_procguard, &state,
					   WEIR_PROCGUARD_GIVEN_UP))
		weir_control_lose_process(weir_pool_settings.directory,
					  -ENOTSUP);
	return -ENOTSUP;
}

int weir_procstart_begin(void)
{
	uint32_t state = WEIR_PROCGUARD_NOT_BEGUN;
	int err;

	if (!weir_procguard)
		return -ENOMEM; /* counted when the image began */
	if (weir_confined)
		return give_up();
	if (!atomic_compare_exchange_strong(weir_procguard, &state,
					    WEIR_PROCGUARD_BEGINNING))
		return wait_for_other();
	err = make_live_file();
	if (err)
		weir_control_lose_process(weir_pool_settings.directory, err);
	atomic_store(weir_procguard,
		     err ? WEIR_PROCGUARD_GIVEN_UP : WEIR_PROCGUARD_BEGUN);
	return err;
}

int weir_procstart_begin_image(bool may_try_again)
{
	int err = weir_procguard_make();

	if (!err)
		err = make_live_file();
	else
		weir_control_map(weir_pool_settings.directory);
	if (err == -ENOENT && may_try_again) {
		weir_control_unmap();
		return err;
	}
	if (err)
		weir_control_lose_process(weir_pool_settings.directory, err);
	if (weir_procguard)
		atomic_store(weir_procguard, err ? WEIR_PROCGUARD_GIVEN_UP
						 : WEIR_PROCGUARD_BEGUN);
	return err;
}

void weir_procstart_lose_call(void)
{
	if (weir_procguard_is_begun())
		atomic_fetch_add(&weir_pool_live()->lost_outside, 1);
	else
		weir_control_lose_call();
}
