/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process begins to be recorded, after exec and after fork. */
#include "capture/procstart.h"

#include "base/sys.h"
#include "capture/control.h"
#include "capture/note.h"
#include "capture/pool.h"
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

enum state {
	NOT_BEGUN, /* what the kernel's wiping leaves in a forked child */
	BEGINNING,
	BEGUN,
	GIVEN_UP,
};

/* Alone in a page that is wiped by fork. */
static _Atomic uint32_t *guard;

bool weir_procstart_is_done(void)
{
	return guard &&
	       atomic_load_explicit(guard, memory_order_acquire) == BEGUN;
}

static int make_guard(void)
{
	long page, err;

	if (guard)
		return 0;
	page = weir_sys6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weir_sys_failed(page))
		return (int)page;
	err = weir_sys3(SYS_madvise, page, 4096, MADV_WIPEONFORK);
	if (err) {
		weir_sys2(SYS_munmap, page, 4096);
		return (int)err;
	}
	guard = (_Atomic uint32_t *)page;
	return 0;
}

static int make_live_file(void)
{
	int err = weir_control_map(weir_pool_settings.directory);

	if (err)
		return err;
	weir_fdmap_reset();
	weir_ofd_reset();
	weir_maps_disown();
	atomic_store(&weir_note_cwd, weir_fdmap_next_handle());
	return weir_pool_open();
}

/* Not for ever: a signal handler may have left the one who began. */
static int wait_for_other(void)
{
	struct timespec wait = {.tv_nsec = WAIT};
	uint32_t state = BEGINNING;

	for (int i = 0; i < WAITS; i++) {
		state = atomic_load(guard);
		if (state != BEGINNING)
			return state == BEGUN ? 0 : -ECANCELED;
		weir_sys2(SYS_nanosleep, &wait, 0);
	}
	/* Once is enough: nobody else is to wait in vain. */
	if (atomic_compare_exchange_strong(guard, &state, GIVEN_UP))
		weir_control_lose_process(weir_pool_settings.directory, -EBUSY);
	return -EBUSY;
}

/* A forked child that may not make the calls that it takes. */
static int give_up(void)
{
	uint32_t state = NOT_BEGUN;

	if (atomic_compare_exchange_strong(guard, &state, GIVEN_UP))
		weir_control_lose_process(weir_pool_settings.directory,
					  -ENOTSUP);
	return -ENOTSUP;
}

int weir_procstart_begin(void)
{
	uint32_t state = NOT_BEGUN;
	int err;

	if (!guard)
		return -ENOMEM; /* counted when the image began */
	if (weir_confined)
		return give_up();
	if (!atomic_compare_exchange_strong(guard, &state, BEGINNING))
		return wait_for_other();
	err = make_live_file();
	if (err)
		weir_control_lose_process(weir_pool_settings.directory, err);
	atomic_store(guard, err ? GIVEN_UP : BEGUN);
	return err;
}

int weir_procstart_begin_image(bool may_try_again)
{
	int err = make_guard();

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
	if (guard)
		atomic_store(guard, err ? GIVEN_UP : BEGUN);
	return err;
}
