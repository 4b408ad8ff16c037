/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what a kind of call is marked with, whatever it is used on. */
#include "analyse/calls/callmarks.h"

#include "analyse/calls/callview.h"

#include <string.h>

/* What the meaning of calls says; of traits, one of these is needed. */
static const struct {
	enum weir_means class;
	uint32_t traits, mark;
} meant[] = {
	{ WEIR_MEANS_UNLINK, 0, WEIR_CALLVIEW_REMOVES },
	{ WEIR_MEANS_RENAME, 0, WEIR_CALLVIEW_RENAMES },
	{ WEIR_MEANS_OPEN, WEIR_TRAIT_CREATES, WEIR_CALLVIEW_CREATES },
	{ WEIR_MEANS_ADOPT, 0, WEIR_CALLVIEW_ADOPTS },
	{ WEIR_MEANS_LOOK, 0, WEIR_CALLVIEW_LOOKS },
	{ WEIR_MEANS_STAT, WEIR_TRAIT_LOOKS, WEIR_CALLVIEW_LOOKS },
	{ WEIR_MEANS_LIBRARY, 0, WEIR_CALLVIEW_SETUP },
	{ WEIR_MEANS_PROCESS, 0, WEIR_CALLVIEW_SPAWNS },
	{ WEIR_MEANS_CONTROL, 0, WEIR_CALLVIEW_CONTROLS },
	{ WEIR_MEANS_MAP, 0, WEIR_CALLVIEW_MAPS },
	{ WEIR_MEANS_COPY, WEIR_TRAIT_WRITES, WEIR_CALLVIEW_FILLS },
	{ WEIR_MEANS_LOCK, 0, WEIR_CALLVIEW_LOCKS },
	{ WEIR_MEANS_PLAN_EFFECT, 0, WEIR_CALLVIEW_PLANS },
	{ WEIR_MEANS_READ, WEIR_TRAIT_TOGETHER, WEIR_CALLVIEW_COLLECTIVE },
	{ WEIR_MEANS_WRITE, WEIR_TRAIT_TOGETHER, WEIR_CALLVIEW_COLLECTIVE },
	{ WEIR_MEANS_SUBMIT, WEIR_TRAIT_TOGETHER, WEIR_CALLVIEW_COLLECTIVE },
	{ WEIR_MEANS_COMPLETE, WEIR_TRAIT_TOGETHER, WEIR_CALLVIEW_COLLECTIVE },
	{ WEIR_MEANS_WAIT, WEIR_TRAIT_TOGETHER, WEIR_CALLVIEW_COLLECTIVE },
};

static int asks(const struct weir_call *call)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (!strcmp(call->arguments[i].kind->name,
			    WEIR_CALLVIEWS_ASKED))
			return 1;
	return 0;
}

/* Names of files, not of what libraries keep in them. */
#define OF_FILES (WEIR_CALLVIEW_REMOVES | WEIR_CALLVIEW_RENAMES)

uint32_t weir_callmarks_of(const struct weir_call *call)
{
	uint32_t marks = 0;

	if (!call)
		return 0;
	for (size_t i = 0; i < sizeof(meant) / sizeof(*meant); i++)
		if (weir_call_is(call, meant[i].class) &&
		    (!meant[i].traits || weir_call_has(call, meant[i].traits)))
			marks |= meant[i].mark;
	if (!call->has_path)
		marks &= ~(uint32_t)OF_FILES;
	if (call->layer && !strcmp(call->layer, "recent"))
		marks |= WEIR_CALLVIEW_UNTIMED;
	if (weir_call_has(call, WEIR_TRAIT_BEHIND))
		marks |= WEIR_CALLVIEW_BEHIND;
	/* Told where to go, it leaves alone where the next would go on. */
	if (call->means.off)
		marks |= WEIR_CALLVIEW_TOLD_WHERE;
	return asks(call) ? marks | WEIR_CALLVIEW_ASKS : marks;
}
