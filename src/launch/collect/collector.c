/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks after the recorded processes of a node and writes their trace. */
#include "launch/collect/collector.h"
#include "launch/collect/collector_report.h"

#include "base/clock.h"
#include "launch/collect/census.h"
#include "launch/collect/ends.h"
#include "launch/collect/heading.h"
#include "launch/collect/mountinfo.h"
#include "launch/collect/packing.h"
#include "launch/collect/profilefile.h"
#include "launch/collect/profiling.h"
#include "launch/collect/reserve.h"
#include "launch/collect/roster.h"
#include "launch/collect/single.h"
#include "launch/collect/spool.h"
#include "launch/collect/watch.h"
#include "launch/directory/tracedir.h"
#include "launch/plans/planwatch.h"
#include "trace/control/controlfile.h"
#include "trace/file/store.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MS	    UINT64_C(1000000)
#define SHORTEST_MS 2  /* between rounds while there is something to do */
#define LONGEST_MS  10 /* while there is not */
#define GRACE	    (300 * MS)	/* the command ended, its children may too */
#define LINGER	    (200 * MS)	/* no image: exec may bring another */
#define EXEC_WAIT   (2000 * MS) /* the last one lives: so does an exec */
#define FIRST_WAIT  (2000 * MS) /* the process that started us comes first */
#define PACK_AFTER  (50 * MS)	/* sooner it is done at the end as fast */
#define STUCK	    (2000 * MS) /* something strange lies in our directory */

struct collector {
	const struct weir_collector_job *job;
	struct weir_roster roster;
	struct weir_census census;
	struct weir_reserve reserve;
	struct weir_ends ends;
	struct weir_planwatch plan;
	struct weir_heading heading;
	struct weir_watch watch;
	struct weir_profilefile profile;
	struct weir_image_pass pass;
	struct weir_packing *packing;
	int pack_error;
	bool ended;	/* the command has */
	bool told_wait; /* the launcher knows that we go on */
	bool gave_up;	/* live files are left that we cannot read */
	bool left;	/* the live directory is, that we cannot remove */
	bool limited;	/* the trace has reached its largest size */
	bool single;	/* what is packed is appended to a common file */
	int apart;	/* why it is not, but in a file for each process */
	int single_error;
	uint64_t started, ended_at, last_image, stuck_since;
	int sleep_ms;
	char raw_path[PATH_MAX], packed_path[PATH_MAX];
};

static uint64_t mono_ns(void)
{
	return weir_clock_ns(CLOCK_MONOTONIC);
}

/* HOST.weir, or HOST.1.weir and so on beside an earlier trace. */
static int open_spool(struct collector *c)
{
	char suffix[24] = ".weir";
	int err = -EEXIST;

	for (int i = 1; err == -EEXIST && i < 10000; i++) {
		if (!weir_tracedir_path(c->job->place, suffix, c->raw_path))
			return -ENAMETOOLONG;
		err = weir_spool_open(c->raw_path, &c->pass.spool);
		snprintf(suffix, sizeof(suffix), ".%d.weir", i);
	}
	if (!err && snprintf(c->packed_path, PATH_MAX, "%s.tmp", c->raw_path) >=
			    PATH_MAX)
		err = -ENAMETOOLONG;
	return err;
}

static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* The control file tells it, since not only launchers start collectors. */
static bool is_single(int dir_fd)
{
	bool single;
	int fd;

	if (weir_controlfile_open(dir_fd, false, &fd))
		return false;
	single = weir_controlfile_flags(fd) & WEIR_CONTROL_SINGLE;
	close(fd);
	return single;
}

/* What the processes were told to keep decides what we make of it. */
static int open_profiling(struct collector *c)
{
	uint32_t manner;
	int fd = -1;

	if (weir_controlfile_open(c->roster.dir_fd, false, &fd))
		return 0;
	manner = weir_controlfile_manner(fd);
	close(fd);
	return manner & WEIR_MANNER_PROFILE ?
		       weir_profiling_new(&c->pass.profiling) : 0;
}

static int open_collector(struct collector *c,
			  const struct weir_collector_job *job)
{
	int err;

	memset(c, 0, sizeof(*c));
	c->job = job;
	c->started = c->last_image = mono_ns();
	weir_profilefile_start(&c->profile);
	c->sleep_ms = SHORTEST_MS;
	allow_many_files();
	c->pass.chunks = malloc(WEIR_LIVE_UNITS * sizeof(*c->pass.chunks));
	if (!c->pass.chunks)
		return -ENOMEM;
	err = weir_roster_open(&c->roster, job->place->live);
	if (err)
		goto free_chunks;
	c->single = is_single(c->roster.dir_fd);
	weir_census_open(&c->census, c->roster.dir_fd, &c->roster.refused);
	weir_reserve_open(&c->reserve, c->roster.dir_fd, c->census.control_fd);
	c->pass.reserve = &c->reserve;
	weir_ends_open(&c->ends, c->census.control_fd);
	c->pass.ends = &c->ends;
	err = open_profiling(c);
	if (err)
		goto close_roster;
	err = open_spool(c);
	if (err)
		goto free_profiling;
	weir_planwatch_open(&c->plan, job->place->dir);
	weir_watch_open(&c->watch, job->place, job->card, job->control_fd < 0);
	weir_mountinfo_look(&c->heading.mounts); /* if not: none are told */
	return 0;

free_profiling:
	weir_profiling_free(c->pass.profiling);
close_roster:
	weir_ends_close(&c->ends);
	weir_reserve_close(&c->reserve);
	weir_census_close(&c->census);
	weir_roster_close(&c->roster);
free_chunks:
	free(c->pass.chunks);
	return err;
}

static void send_report(struct collector *c, uint32_t news,
			const struct weir_pack_totals *totals)
{
	struct weir_collector_report message = {
		.news = news,
		.running = (uint32_t)c->roster.count,
		.raw_error = c->roster.err,
		.pack_error = c->pack_error,
		.lost = c->roster.lost,
		.dropped = c->roster.dropped,
		.kept = c->roster.kept,
		.overwritten = c->roster.overwritten,
		.unrecorded = c->census.told,
	};

	memcpy(message.hidden, c->roster.hidden, sizeof(message.hidden));
	message.limited = c->limited;
	message.left = c->left;
	message.single = c->single;
	message.apart = c->apart;
	message.single_error = c->single_error;
	message.sums = !!c->pass.profiling;
	if (totals)
		message.totals = *totals;
	/* A launcher that is gone does not care. */
	if (c->job->report_fd >= 0 &&
	    write(c->job->report_fd, &message, sizeof(message)) < 0)
		return;
}

static void start_packing(struct collector *c)
{
	unlink(c->packed_path); /* of a collector that was killed */
	c->pack_error =
		weir_packing_start(c->raw_path, c->packed_path,
				   c->job->max_bytes, &c->packing);
}

/* A thread's handles may be told in what another one has not handed over. */
static void hint_packing(struct collector *c)
{
	uint32_t wanting = weir_packing_wanting(c->packing);

	for (size_t i = 0; wanting && i < c->roster.count; i++) {
		const struct weir_image *image = c->roster.images[i];

		if (image->proc.view && image->proc.number == wanting)
			weir_packing_hint(c->packing, wanting,
					  image->proc.view);
	}
}

/* The last HEAD is the one that counts: the tick may be known better then. */
static void pack_along(struct collector *c)
{
	struct weir_store *store = weir_spool_store(c->pass.spool);

	if (c->packing) {
		weir_packing_feed(c->packing, weir_store_bytes(store));
		hint_packing(c);
		return;
	}
	if (!c->heading.written || c->pack_error || c->pass.profiling ||
	    mono_ns() - c->started < PACK_AFTER)
		return;
	if (!weir_heading_update(&c->heading, store))
		start_packing(c);
}

/*
 * What is packed already counts as packed, the rest as it is. The packer
 * holds events back until they fill a block: what it has taken counts at
 * least a quarter, which is more than packing usually leaves of it.
 */
static void set_limit(struct collector *c)
{
	uint64_t limit = c->job->max_bytes, done, small;
	struct stat packed;

	if (!limit)
		return;
	if (c->packing && !stat(c->packed_path, &packed)) {
		done = weir_packing_done(c->packing);
		small = (uint64_t)packed.st_size > done / 4 ?
				(uint64_t)packed.st_size : done / 4;
		limit = limit + done > small ? limit + done - small : 1;
	}
	weir_spool_set_limit(c->pass.spool, limit);
}

/* Failing costs nothing yet. */
static void renew_profile(struct collector *c)
{
	struct weir_profilefile_place place = {
		.path = c->raw_path,
		.new_path = c->packed_path,
		.heading = &c->heading,
		.roster = &c->roster,
		.spool = c->pass.spool,
	};

	if (c->pass.profiling && c->heading.written)
		weir_profilefile_renew(&c->profile, c->pass.profiling, &place);
}

/* Told at once: we may be killed before the end. */
static void compare_clocks(struct collector *c)
{
	if (c->heading.written && weir_watch_look(&c->watch, &c->heading))
		weir_heading_update(&c->heading,
				    weir_spool_store(c->pass.spool));
}

static void note_error(struct collector *c, int err)
{
	if (err && !c->roster.err)
		c->roster.err = err;
}

static void do_round(struct collector *c)
{
	uint32_t done;

	c->pass.round++;
	set_limit(c);
	weir_roster_admit(&c->roster, &c->pass, &c->heading);
	weir_census_look(&c->census, c->roster.changed,
			 weir_spool_store(c->pass.spool));
	done = weir_roster_drain(&c->roster, &c->pass);
	done += weir_roster_reap(&c->roster, &c->pass, c->ended);
	note_error(c, weir_ends_look(&c->ends,
				     weir_spool_store(c->pass.spool)));
	if (c->roster.count)
		c->last_image = mono_ns();
	if (done || (c->ended && !c->told_wait))
		c->sleep_ms = SHORTEST_MS;
	else if (c->sleep_ms < LONGEST_MS)
		c->sleep_ms++;
	c->limited |= weir_spool_is_limited(c->pass.spool);
	if (c->heading.written)
		weir_planwatch_begin(&c->plan,
				     weir_spool_store(c->pass.spool));
	renew_profile(c);
	compare_clocks(c);
	pack_along(c);
}

/* Nobody is there, and yet not all could be read: we shall give up soon. */
static bool is_stuck(const struct collector *c)
{
	return weir_roster_is_stuck(&c->roster, mono_ns()) &&
	       !weir_census_sees_life(&c->census);
}

static void wait_for_news(struct collector *c)
{
	struct pollfd news[] = {
		{.fd = c->ended ? -1 : c->job->control_fd, .events = POLLIN},
		{.fd = weir_ends_hurry_fd(&c->ends), .events = POLLIN},
	};

	if (poll(news, 2, c->sleep_ms) < 0)
		return;
	if (news[0].revents) {
		c->ended = true;
		c->ended_at = mono_ns();
	}
	if (c->ended && !c->told_wait && mono_ns() - c->ended_at > GRACE &&
	    !is_stuck(c)) {
		c->told_wait = true;
		send_report(c, WEIR_COLLECTOR_WAITS, NULL);
	}
}

/*
 * Over, when nobody is left and the directory could be removed: a process
 * that comes at the last moment finds it gone, or keeps it and us.
 */
static bool is_over(struct collector *c)
{
	uint64_t wait = c->roster.numbers ? LINGER : FIRST_WAIT;

	if (c->roster.count) {
		c->gave_up =
			is_stuck(c) &&
			weir_roster_is_stuck(&c->roster, mono_ns() - STUCK);
		return c->gave_up;
	}
	if (c->job->control_fd >= 0 ? !c->ended
				    : mono_ns() - c->last_image < wait)
		return false;
	if (mono_ns() - c->last_image < EXEC_WAIT &&
	    weir_roster_sees_exec(&c->roster))
		return false;
	if (weir_census_sees_life(&c->census))
		return false;
	weir_census_end(&c->census, weir_spool_store(c->pass.spool));
	weir_reserve_end(&c->reserve);
	if (!weir_tracedir_remove_live(c->job->place))
		return true;
	c->roster.rescan = true;
	if (!c->stuck_since)
		c->stuck_since = mono_ns();
	c->gave_up = c->roster.unread;
	c->left = mono_ns() - c->stuck_since > STUCK;
	return c->left;
}

/* What cannot be appended stays as a file of its own, as without it. */
static void append_single(struct collector *c, struct weir_pack_totals *totals)
{
	struct weir_single_result result = {0};

	c->single_error = weir_single_append(c->job->place, c->packed_path,
					     &result);
	if (c->single_error)
		return;
	c->apart = result.apart;
	totals->bytes = result.bytes;
	unlink(c->packed_path);
	unlink(c->raw_path);
}

static int pack_at_once(struct collector *c, struct weir_pack_totals *totals)
{
	unlink(c->packed_path);
	return weir_packing_all(c->raw_path, c->packed_path, totals);
}

/* The raw file is the truth until the packed one takes its name. */
static void pack_all(struct collector *c, struct weir_pack_totals *totals)
{
	weir_spool_close(c->pass.spool);
	if (c->packing)
		c->pack_error = weir_packing_finish(c->packing, totals);
	else if (!c->pack_error)
		c->pack_error = pack_at_once(c, totals);
	if (!c->pack_error && c->single)
		append_single(c, totals);
	if (!c->pack_error && (!c->single || c->single_error) &&
	    rename(c->packed_path, c->raw_path)) {
		c->pack_error = -errno;
		unlink(c->packed_path);
	}
}

/* Sums need no packing: one more block, and the file is complete. */
static void end_profile(struct collector *c, struct weir_pack_totals *totals)
{
	int err = weir_profiling_end(c->pass.profiling, c->roster.numbers,
				     c->roster.lost, c->pass.spool);

	note_error(c, err);
	totals->events = weir_profiling_calls(c->pass.profiling);
	totals->processes = c->roster.numbers;
	totals->bytes = weir_store_bytes(weir_spool_store(c->pass.spool));
	weir_spool_close(c->pass.spool);
}

static void complete(struct collector *c)
{
	struct weir_store *store = weir_spool_store(c->pass.spool);
	struct weir_pack_totals totals = {0};
	int err;

	weir_watch_end(&c->watch, &c->heading);
	weir_mountinfo_look(&c->heading.mounts);
	err = weir_heading_start(&c->heading, store, NULL);
	err = err ?: weir_heading_update(&c->heading, store);
	err = err ?: weir_census_look(&c->census, c->census.changed, store);
	err = err ?: weir_planwatch_end(&c->plan, c->census.control_fd, store);
	note_error(c, err ?: weir_ends_finish(&c->ends, store));
	if (c->pass.profiling)
		end_profile(c, &totals);
	else
		pack_all(c, &totals);
	weir_tracedir_unlock(c->job->place);
	send_report(c, WEIR_COLLECTOR_DONE, &totals);
}

static int collect_once(const struct weir_collector_job *job)
{
	struct collector c;
	int err = open_collector(&c, job);

	if (err)
		return err;
	for (do_round(&c); !is_over(&c); do_round(&c))
		wait_for_news(&c);
	if (c.gave_up) /* as if we were killed: readers find both parts */
		weir_spool_close(c.pass.spool);
	else
		complete(&c);
	weir_watch_close(&c.watch);
	err = c.gave_up ? -EIO : c.roster.err;
	weir_mounts_fini(&c.heading.mounts);
	weir_planwatch_close(&c.plan);
	weir_ends_close(&c.ends);
	weir_reserve_close(&c.reserve);
	weir_census_close(&c.census);
	weir_roster_close(&c.roster);
	weir_profiling_free(c.pass.profiling);
	free(c.pass.chunks);
	return err;
}

/*
 * A process may have made a new live directory while we completed the trace,
 * and its collector may have given way to us. It did so before we unlocked,
 * so looking now finds the directory.
 */
static bool another_came(struct weir_tracedir *place)
{
	return !weir_tracedir_find_live(place) && !weir_tracedir_lock(place);
}

int weir_collector_run(const struct weir_collector_job *job)
{
	int err = weir_tracedir_enter(job->place);

	if (err)
		return err;
	do
		err = collect_once(job);
	while (!err && job->control_fd < 0 && another_came(job->place));
	return err;
}
