/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends the diverting of calls in a process. */
#include "forward/divert/divert.h"

#include "base/sys.h"
#include "forward/files/adopt.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/ownfds.h"
#include "forward/files/servedfiles.h"
#include "forward/link/link.h"
#include "forward/link/self.h"
#include "gate/asked.h"

#include <pthread.h>

static void forked(void)
{
	weir_self_forked();
	weir_ownfds_forked();
}

/* Of a file that goes through the service, or -1. */
static int open_of(int fd)
{
	int open = weir_link_is_on ? weir_fdtable_peek(fd) : -1;

	if (open < 0 || weir_lazyopen_is(open) ||
	    weir_openfiles_is_kernels((uint32_t)open, fd))
		return -1;
	return open;
}

/* Also by a descriptor that is our own: the file may be known all the same. */
static void store_for_us(int fd)
{
	struct weir_servedfile served;
	struct stat about;
	int open = open_of(fd);

	if (open >= 0)
		weir_openfiles_commit((uint32_t)open, WEIR_OPENFILES_STORE);
	else if (weir_link_is_on && !weir_sys2(SYS_fstat, fd, &about) &&
		 weir_servedfiles_find(&about, fd, NULL, &served))
		weir_servedfiles_commit(&served);
}

static int64_t position_for_us(int fd)
{
	int open = open_of(fd);

	return open < 0 ? -1
			: (int64_t)atomic_load(
				  &weir_openfiles_at((uint32_t)open)->offset);
}

void weir_divert_begin(const char *where)
{
	weir_link_begin(where);
	if (!weir_link_is_on)
		return;
	weir_servedfiles_begin(where);
	weir_deferral_begin();
	weir_asked_store = store_for_us;
	weir_asked_position = position_for_us;
	weir_ownfds_forked();
	weir_adopt_inherited();
	pthread_atfork(weir_ownfds_fork, weir_ownfds_fork_made, forked);
}

void weir_divert_flush(void)
{
	if (weir_link_is_on && weir_ownfds_are_ours())
		weir_cookiestream_flush_all();
}

void weir_divert_end(void)
{
	if (weir_link_is_on && weir_ownfds_are_ours())
		weir_ownfds_end();
}

void weir_divert_vfork(int change)
{
	if (weir_link_is_deferring && change > 0)
		weir_deferral_materialise_own(); /* it has numbers of its own */
	if (weir_link_is_on)
		weir_ownfds_vfork(change);
}

void weir_divert_confine(void)
{
	if (!weir_link_is_on || !weir_ownfds_are_ours())
		return;
	weir_divert_outside_before(NULL);
	weir_link_is_on = false;
	weir_link_is_deferring = false;
}
