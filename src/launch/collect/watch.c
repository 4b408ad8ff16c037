/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a collector's clock with that of the whole trace. */
#include "launch/collect/watch.h"

#include "base/clock.h"
#include "launch/collect/heading.h"
#include "launch/collect/others.h"

#include <errno.h>
#include <string.h>

#define PATIENCE UINT64_C(900000000) /* ns */

/* Nothing to ask: the same clock, or one that we ourselves tell. */
static bool is_our_clock(const struct weir_timecard *card)
{
	char machine[sizeof(card->machine)];

	weir_timecard_name_machine(machine);
	return machine[0] != '?' && !strcmp(card->machine, machine);
}

static int find_point(struct weir_watch *watch, struct weir_timepoint *ret)
{
	uint64_t mono;

	if (!is_our_clock(&watch->card))
		return weir_timeclient_ask(&watch->card, PATIENCE, &watch->stop,
					   ret);
	mono = weir_clock_ns(CLOCK_MONOTONIC);
	*ret = (struct weir_timepoint){ .mono = mono,
					.day = mono + watch->card.ahead };
	return 0;
}

/* Meanwhile the collector does its rounds: programs cannot wait. */
static void *ask_first_time(void *arg)
{
	struct weir_watch *watch = arg;

	watch->err = find_point(watch, &watch->first);
	watch->done = 1;
	return NULL;
}

static int find_card(struct weir_watch *watch)
{
	char path[PATH_MAX];
	int err = weir_timecard_path(watch->place, path);

	return err ?: weir_timecard_read(path, &watch->card);
}

static void serve(struct weir_watch *watch)
{
	if (weir_timeserver_open(&watch->server, watch->place)) {
		find_card(watch); /* somebody was quicker */
		return;
	}
	if (weir_timeserver_start(&watch->server))
		weir_timeserver_close(&watch->server);
	else
		watch->card = watch->server.card;
}

void weir_watch_open(struct weir_watch *watch,
		     const struct weir_tracedir *place,
		     const struct weir_timecard *card, bool may_serve)
{
	watch->place = place;
	if (card)
		watch->card = *card;
	else if (find_card(watch) == -ENOENT && may_serve &&
		 weir_timeserver_is_wanted(NULL))
		serve(watch);
	if (watch->card.of)
		watch->is_asking = !pthread_create(&watch->thread, NULL,
						   ask_first_time, watch);
}

bool weir_watch_look(struct weir_watch *watch, struct weir_heading *heading)
{
	if (!watch->is_asking || watch->told || !watch->done || watch->err)
		return false;
	watch->told = true;
	weir_heading_compare(heading, watch->card.of, &watch->first);
	return true;
}

/* Who could not be reached at first is not asked again. */
void weir_watch_end(struct weir_watch *watch, struct weir_heading *heading)
{
	struct weir_timepoint last;
	bool in_vain = watch->done && watch->err;

	if (watch->is_asking) {
		watch->stop = 1;
		pthread_join(watch->thread, NULL);
		weir_watch_look(watch, heading);
		watch->is_asking = false;
		watch->stop = 0;
	}
	if (in_vain || (!watch->card.of && find_card(watch)))
		return;
	if (!find_point(watch, &last))
		weir_heading_compare(heading, watch->card.of, &last);
}

void weir_watch_close(struct weir_watch *watch)
{
	if (watch->is_asking) {
		watch->stop = 1;
		pthread_join(watch->thread, NULL);
	}
	if (watch->server.is_open)
		weir_others_wait(watch->place);
	weir_timeserver_close(&watch->server);
}
