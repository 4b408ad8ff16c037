/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: the beginning and the end of diverting calls. */
#include "forward/divert.h"

#include "forward/adopt.h"
#include "forward/held.h"
#include "forward/known.h"
#include "forward/link.h"

#include <pthread.h>

static void forked(void)
{
	weir_link_forked();
	weir_held_forked();
}

void weir_divert_begin(const char *where)
{
	weir_link_begin(where);
	if (!weir_link_is_on)
		return;
	weir_known_begin(where);
	weir_held_forked();
	weir_adopt_inherited();
	pthread_atfork(weir_held_fork, weir_held_fork_made, forked);
}

void weir_divert_end(void)
{
	if (weir_link_is_on)
		weir_held_end();
}

void weir_divert_vfork(int change)
{
	if (weir_link_is_on)
		weir_held_vfork(change);
}

void weir_divert_confine(void)
{
	if (!weir_link_is_on || !weir_held_is_ours())
		return;
	weir_adopt_nothing_more();
	weir_link_is_on = false;
}
