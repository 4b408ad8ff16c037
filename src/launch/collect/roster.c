/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the process images of a live directory from first to last. */
#include "launch/collect/roster.h"

#include "base/clock.h"
#include "base/grow.h"
#include "launch/collect/ends.h"
#include "launch/collect/heading.h"
#include "launch/collect/spool.h"
#include "trace/facts/procstat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECENT        UINT64_C(50000000) /* ns */
#define REAP_SOME     16   /* lease tests in a round */
#define KEEP_PER_PROC 4096 /* bytes of a last PROC block, rather more */

/* Every process that ever came, to number the programs it executes. */
struct weir_roster_seen {
	uint32_t pid, images;
	uint64_t start;
};

int weir_roster_open(struct weir_roster *roster, const char *live_dir)
{
	memset(roster, 0, sizeof(*roster));
	roster->rescan = true;
	roster->dir_fd = open(live_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (roster->dir_fd < 0)
		return -errno;
	return 0;
}

void weir_roster_close(struct weir_roster *roster)
{
	for (size_t i = 0; i < roster->count; i++)
		weir_image_free(roster->images[i]);
	free(roster->images);
	free(roster->seen);
	close(roster->dir_fd);
}

static bool has_image(const struct weir_roster *roster, const char *name)
{
	for (size_t i = 0; i < roster->count; i++) {
		if (!strcmp(roster->images[i]->name, name))
			return true;
	}
	return false;
}

static void add_name(struct weir_roster *roster, const char *name)
{
	size_t length = strlen(name);
	struct weir_image *image;

	if (length <= 5 || strcmp(name + length - 5, ".live") ||
	    has_image(roster, name))
		return;
	if (WEIR_GROW(roster->images, roster->count, roster->room) ||
	    weir_image_new(roster->dir_fd, name, &image)) {
		roster->rescan = roster->unread = true; /* later */
		return;
	}
	roster->images[roster->count++] = image;
}

static void read_directory(struct weir_roster *roster)
{
	struct dirent **names;
	int count = scandirat(roster->dir_fd, ".", &names, NULL, versionsort);

	roster->unread = roster->rescan = count < 0;
	if (count < 0)
		return;
	for (int i = 0; i < count; i++) {
		add_name(roster, names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

/*
 * A notice (inotify) would tell at once, but it makes the kernel look for
 * watchers at every access to any file of the same file system, and /dev/shm
 * is used by programs too. The time of the directory's last change is coarse:
 * what is recent may have been followed by more.
 */
static bool may_have_changed(struct weir_roster *roster)
{
	struct stat st;
	uint64_t changed;

	if (fstat(roster->dir_fd, &st))
		return true;
	changed = (uint64_t)st.st_mtim.tv_sec * UINT64_C(1000000000) +
		  (uint64_t)st.st_mtim.tv_nsec;
	if (changed == roster->changed &&
	    weir_clock_ns(CLOCK_REALTIME) - changed > RECENT)
		return false;
	roster->changed = changed;
	return true;
}

/* How many programs this process has run before. */
static uint32_t count_image(struct weir_roster *roster,
			    const struct weir_live *about)
{
	for (size_t i = roster->seen_count; i--;) {
		if (roster->seen[i].pid == about->pid &&
		    roster->seen[i].start == about->process_start)
			return roster->seen[i].images++;
	}
	if (!WEIR_GROW(roster->seen, roster->seen_count, roster->seen_room)) {
		roster->seen[roster->seen_count++] = (struct weir_roster_seen){
			about->pid, 1, about->process_start};
	}
	return 0;
}

static void note_error(struct weir_roster *roster, int err)
{
	if (err && !roster->err)
		roster->err = err;
}

static void remove_image(struct weir_roster *roster, size_t i,
			 struct weir_reserve *reserve)
{
	weir_image_remove(roster->images[i], reserve);
	weir_image_free(roster->images[i]);
	roster->images[i] = roster->images[--roster->count];
	roster->images[roster->count] = NULL;
}

static void introduce(struct weir_roster *roster, struct weir_image *image,
		      const struct weir_image_pass *pass,
		      struct weir_heading *heading)
{
	struct weir_store *store = weir_spool_store(pass->spool);
	const struct weir_live *about = weir_live_about(image->proc.view);

	image->proc.image = count_image(roster, about);
	image->proc.number = ++roster->numbers;
	note_error(roster, weir_ends_meet(pass->ends, about,
					  image->proc.image, store));
	weir_spool_keep(pass->spool, roster->count * KEEP_PER_PROC);
	note_error(roster, weir_heading_start(heading, store, about));
	/* Failing costs nothing yet: the last PROC block says more. */
	if (!weir_spool_make_room(pass->spool, KEEP_PER_PROC))
		weir_salvage_put_proc(store, &image->proc);
}

/* It is no live file: whoever made it is not recorded. */
static void refuse_image(struct weir_roster *roster, size_t i)
{
	roster->refused.by[WEIR_REASON_DAMAGED].processes++;
	remove_image(roster, i, NULL);
}

/* What we cannot map now we may map later; when it began to fail. */
static void note_failing(struct weir_image *image, int err)
{
	if (!err || err == -EAGAIN)
		image->failing = 0;
	else if (!image->failing)
		image->failing = weir_clock_ns(CLOCK_MONOTONIC);
}

void weir_roster_admit(struct weir_roster *roster,
		       const struct weir_image_pass *pass,
		       struct weir_heading *heading)
{
	if (may_have_changed(roster) || roster->rescan)
		read_directory(roster);
	for (size_t i = 0; i < roster->count;) {
		struct weir_image *image = roster->images[i];
		int err = 0;

		if (!image->proc.view) {
			err = weir_image_attach(image);
			note_failing(image, err);
			if (!err)
				introduce(roster, image, pass, heading);
		}
		if (err == -ESRCH)
			remove_image(roster, i, NULL);
		else if (err == -EBADMSG)
			refuse_image(roster, i);
		else
			i++;
	}
}

bool weir_roster_is_stuck(const struct weir_roster *roster, uint64_t since)
{
	for (size_t i = 0; i < roster->count; i++) {
		const struct weir_image *image = roster->images[i];

		if (!image->failing || image->failing > since)
			return false;
	}
	return roster->count || roster->unread;
}

uint32_t weir_roster_drain(struct weir_roster *roster,
			   const struct weir_image_pass *pass)
{
	uint32_t chunks = 0;

	for (size_t i = 0; i < roster->count; i++) {
		if (roster->images[i]->proc.view)
			chunks += weir_image_drain(roster->images[i], pass);
	}
	return chunks;
}

bool weir_roster_sees_exec(const struct weir_roster *roster)
{
	for (int i = 0; i < WEIR_ROSTER_ENDED; i++) {
		const struct weir_roster_ended *one = &roster->ended[i];

		if (one->start && weir_procstat_runs(one->pid, one->start))
			return true;
	}
	return false;
}

static void note_ended(struct weir_roster *roster,
		       const struct weir_live *about)
{
	roster->ended[roster->ended_next++ % WEIR_ROSTER_ENDED] =
		(struct weir_roster_ended){about->pid, about->process_start};
}

static void finish_image(struct weir_roster *roster, size_t i,
			 const struct weir_image_pass *pass)
{
	struct weir_image *image = roster->images[i];

	note_error(roster, weir_image_finish(image, pass));
	roster->lost += image->proc.lost;
	roster->kept += image->proc.kept;
	roster->overwritten += image->proc.overwritten;
	roster->dropped +=
		atomic_load(&weir_live_shared(image->proc.view)->lost_outside);
	for (int why = 0; why < 4; why++)
		roster->hidden[why] += atomic_load(
			&weir_live_shared(image->proc.view)->hidden[why]);
	for (size_t t = 0; t < image->proc.thread_count; t++)
		roster->dropped += image->proc.threads[t].drops;
	note_ended(roster, weir_live_about(image->proc.view));
	remove_image(roster, i, pass->reserve);
}

uint32_t weir_roster_reap(struct weir_roster *roster,
			  const struct weir_image_pass *pass, bool all)
{
	size_t from = roster->reap_next < roster->count ? roster->reap_next : 0;
	size_t to = from + REAP_SOME;
	uint32_t finished = 0;

	roster->reap_next = to;
	/* Downwards: a finished image's place is taken by the last one. */
	for (size_t i = roster->count; i--;) {
		struct weir_live_view *view = roster->images[i]->proc.view;

		if (!view || !(all || (i >= from && i < to) ||
			       atomic_load(&weir_live_shared(view)->exiting)))
			continue;
		if (weir_live_is_gone(view)) {
			finish_image(roster, i, pass);
			finished++;
		}
	}
	return finished;
}
