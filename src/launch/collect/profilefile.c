/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the file of sums anew from time to time, while processes run. */
#include "launch/collect/profilefile.h"

#include "analyse/sums/account.h"
#include "base/clock.h"
#include "launch/collect/heading.h"
#include "launch/collect/profiling.h"
#include "launch/collect/roster.h"
#include "launch/collect/spool.h"
#include "trace/file/blocks.h"
#include "trace/file/store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define FIRST_PAUSE   UINT64_C(1000000000)  /* ns; doubled each time, */
#define LONGEST_PAUSE UINT64_C(30000000000) /* up to this */
#define LITTLE	      100 /* the part of our time that renewing may take */

void weir_profilefile_start(struct weir_profilefile *file)
{
	file->pause = FIRST_PAUSE;
	file->due = weir_clock_ns(CLOCK_MONOTONIC) + FIRST_PAUSE;
}

static bool is_running(const struct weir_roster *roster, uint32_t proc)
{
	for (size_t i = 0; i < roster->count; i++)
		if (roster->images[i]->proc.view &&
		    roster->images[i]->proc.number == proc)
			return true;
	return false;
}

static int copy_block(int fd, struct weir_blocks_found *found,
		      struct weir_bytes *payload, struct weir_store *store)
{
	uint32_t stored = found->head.stored;
	int err;

	payload->used = 0;
	err = weir_bytes_reserve(payload, stored + 1);
	if (err)
		return err;
	if (pread(fd, payload->data, stored,
		  (off_t)(found->at + sizeof(found->head))) != (ssize_t)stored)
		return -EIO;
	return weir_store_append(store, &found->head, payload->data);
}

/* The last words of those that ended, and what was not recorded. */
static int copy_ended(const struct weir_profilefile_place *place,
		      struct weir_store *store)
{
	int fd = weir_store_fd(weir_spool_store(place->spool)), more, err = 0;
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	struct weir_bytes payload = {0};

	weir_blocks_init(&blocks, fd);
	while (!err &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		uint32_t type = found.head.type;

		if (type == WEIR_BLOCK_NODE || type == WEIR_BLOCK_PLAN ||
		    ((type == WEIR_BLOCK_PROC || type == WEIR_BLOCK_PROFILE) &&
		     !is_running(place->roster, found.head.proc)))
			err = copy_block(fd, &found, &payload, store);
	}
	weir_bytes_fini(&payload);
	weir_blocks_fini(&blocks);
	return err ?: more;
}

/* What the threads of a process have not handed over yet. */
static int take_current(struct weir_profiling *profiling,
			const struct weir_image *image,
			struct weir_account **account)
{
	struct weir_live_view *view = image->proc.view;
	uint32_t slots = weir_live_slots(view);
	struct weir_salvage_rest rest;

	for (uint32_t i = 0; i < slots; i++) {
		if (!weir_salvage_rest(view, i, &rest))
			continue;
		if (rest.open.used)
			weir_profiling_take(profiling, account, &rest.open);
		if (rest.sums.chunk.used)
			weir_profiling_take(profiling, account,
					    &rest.sums.chunk);
	}
	return 0;
}

static int put_running(struct weir_profiling *profiling,
		       struct weir_image *image, struct weir_store *store)
{
	struct weir_block sums = {.proc = image->proc.number};
	struct weir_block current = {
		.proc = image->proc.number,
		.flags = WEIR_PROFILE_CURRENT,
	};
	struct weir_account *account = NULL;
	int err = weir_salvage_put_proc(store, &image->proc);

	if (!err && !image->account)
		err = weir_profiling_open(profiling, &image->account);
	err = err
		      ?: weir_profiling_append(profiling, image->account, &sums,
					       store);
	err = err ?: weir_account_lend(image->account, &account);
	err = err ?: take_current(profiling, image, &account);
	err = err ?: weir_profiling_append(profiling, account, &current, store);
	weir_account_free(account);
	return err;
}

static int write_all_sums(struct weir_profiling *profiling,
			  const struct weir_profilefile_place *place,
			  struct weir_store *store)
{
	int err = weir_heading_update(place->heading, store);

	err = err ?: weir_salvage_put_dict(store);
	err = err ?: copy_ended(place, store);
	for (size_t i = 0; !err && i < place->roster->count; i++)
		if (place->roster->images[i]->proc.view)
			err = put_running(profiling, place->roster->images[i],
					  store);
	return err;
}

/* In a new file, which then takes the old one's name. */
static int replace_file(struct weir_profiling *profiling,
			const struct weir_profilefile_place *place)
{
	struct weir_store *store;
	int err;

	unlink(place->new_path);
	err = weir_store_create(place->new_path, &store);
	if (err)
		return err;
	err = write_all_sums(profiling, place, store);
	if (!err && rename(place->new_path, place->path))
		err = -errno;
	if (err) {
		weir_store_close(store);
		unlink(place->new_path);
		return err;
	}
	weir_spool_replace(place->spool, store);
	return 0;
}

/* The next time is further away the longer this one took. */
static void set_due(struct weir_profilefile *file, uint64_t began)
{
	uint64_t took = weir_clock_ns(CLOCK_MONOTONIC) - began;

	file->pause *= 2;
	if (file->pause > LONGEST_PAUSE)
		file->pause = LONGEST_PAUSE;
	file->due = began + file->pause + LITTLE * took;
}

int weir_profilefile_renew(struct weir_profilefile *file,
			   struct weir_profiling *profiling,
			   const struct weir_profilefile_place *place)
{
	uint64_t began = weir_clock_ns(CLOCK_MONOTONIC);
	int err;

	if (began <= file->due)
		return 0;
	err = replace_file(profiling, place);
	set_due(file, began);
	return err;
}
