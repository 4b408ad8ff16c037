/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace file of a node of which only sums are kept. */
#include "launch/profiling.h"

#include "analyse/sums/account.h"
#include "base/clock.h"
#include "launch/heading.h"
#include "launch/roster.h"
#include "launch/spool.h"
#include "spec/dictionary.h"
#include "trace/blocks.h"
#include "trace/props.h"
#include "trace/store.h"
#include "trace/zip.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ZSTD_FLOOR    128
#define FIRST_PAUSE   UINT64_C(1000000000) /* ns; doubled each time, */
#define LONGEST_PAUSE UINT64_C(30000000000) /* up to this */
#define LITTLE	      100 /* the part of our time that renewing may take */

struct weir_profiling {
	struct weir_dictionary *dictionary;
	struct weir_zip zip;
	struct weir_bytes payload, squeezed;
	uint64_t calls;
	uint64_t due, pause; /* ns */
};

int weir_profiling_new(struct weir_profiling **ret_profiling)
{
	struct weir_profiling *profiling = calloc(1, sizeof(*profiling));
	int err;

	if (!profiling)
		return -ENOMEM;
	err = weir_dictionary_parse(weir_dictionary_text, weir_dictionary_size,
				    &profiling->dictionary);
	if (err) {
		free(profiling);
		return err;
	}
	profiling->pause = FIRST_PAUSE;
	profiling->due = weir_clock_ns(CLOCK_MONOTONIC) + FIRST_PAUSE;
	*ret_profiling = profiling;
	return 0;
}

void weir_profiling_free(struct weir_profiling *profiling)
{
	if (!profiling)
		return;
	weir_dictionary_free(profiling->dictionary);
	weir_zip_fini(&profiling->zip);
	weir_bytes_fini(&profiling->payload);
	weir_bytes_fini(&profiling->squeezed);
	free(profiling);
}

uint64_t weir_profiling_calls(const struct weir_profiling *profiling)
{
	return profiling->calls;
}

/* The process could change its memory while we read it: from a copy. */
uint64_t weir_profiling_take(struct weir_profiling *profiling,
			     struct weir_account **account,
			     const struct weir_live_chunk *chunk)
{
	struct weir_bytes *copy = &profiling->payload;
	uint64_t lost = chunk->records;
	int err = 0;

	copy->used = 0;
	if (!*account)
		err = weir_account_new(profiling->dictionary, account);
	err = err ?: weir_bytes_add(copy, chunk->data, chunk->used);
	if (!err)
		weir_account_take(*account, copy->data, copy->used,
				  chunk->base, &lost);
	return lost;
}

/* Squeezed, unless readers would take it for a bomb. */
static int squeeze(struct weir_profiling *profiling, struct weir_block *head,
		   const struct weir_bytes **ret_bytes)
{
	const struct weir_bytes *bytes = &profiling->payload;
	int err = -E2BIG;

	profiling->squeezed.used = 0;
	if (bytes->used >= ZSTD_FLOOR)
		err = weir_zip_squeeze(&profiling->zip, bytes->data,
				       bytes->used, &profiling->squeezed);
	if (!err &&
	    bytes->used / WEIR_BLOCKS_MOST_RATIO > profiling->squeezed.used)
		err = -E2BIG;
	if (!err) {
		head->raw = (uint32_t)bytes->used;
		bytes = &profiling->squeezed;
	} else if (err != -E2BIG) {
		return err;
	}
	head->stored = (uint32_t)bytes->used;
	*ret_bytes = bytes;
	return 0;
}

/* A PROFILE block; spool NULL: nobody needs to be asked for room. */
static int append(struct weir_profiling *profiling,
		  struct weir_account *account, struct weir_block *head,
		  struct weir_spool *spool, struct weir_store *store)
{
	const struct weir_bytes *bytes = NULL;
	int err = 0;

	head->type = WEIR_BLOCK_PROFILE;
	profiling->payload.used = 0;
	if (account)
		err = weir_account_put(account, &profiling->payload,
				       &head->count);
	err = err ?: squeeze(profiling, head, &bytes);
	if (!err && spool)
		err = weir_spool_make_room(spool, head->stored);
	return err ?: weir_store_append(store, head, bytes->data);
}

int weir_profiling_put(struct weir_profiling *profiling,
		       struct weir_account *account, uint32_t proc,
		       struct weir_spool *spool)
{
	struct weir_block head = { .proc = proc };
	int err = append(profiling, account, &head, spool,
			 weir_spool_store(spool));

	if (!err && account)
		profiling->calls += weir_account_calls(account);
	return err;
}

uint64_t weir_profiling_due(const struct weir_profiling *profiling)
{
	return profiling->due;
}

static bool is_running(const struct weir_roster *roster, uint32_t proc)
{
	for (size_t i = 0; i < roster->count; i++)
		if (roster->images[i]->proc.view &&
		    roster->images[i]->proc.number == proc)
			return true;
	return false;
}

static int copy_block(struct weir_profiling *profiling, int fd,
		      struct weir_blocks_found *found,
		      struct weir_store *store)
{
	struct weir_bytes *payload = &profiling->payload;
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
static int copy_ended(struct weir_profiling *profiling,
		      const struct weir_profiling_place *place,
		      struct weir_store *store)
{
	int fd = weir_store_fd(weir_spool_store(place->spool)), more, err = 0;
	struct weir_blocks_found found;
	struct weir_blocks blocks;

	weir_blocks_init(&blocks, fd);
	while (!err &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		uint32_t type = found.head.type;

		if (type == WEIR_BLOCK_NODE || type == WEIR_BLOCK_PLAN ||
		    ((type == WEIR_BLOCK_PROC || type == WEIR_BLOCK_PROFILE) &&
		     !is_running(place->roster, found.head.proc)))
			err = copy_block(profiling, fd, &found, store);
	}
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
	struct weir_block sums = { .proc = image->proc.number };
	struct weir_block current = {
		.proc = image->proc.number,
		.flags = WEIR_PROFILE_CURRENT,
	};
	struct weir_account *account = NULL;
	int err = weir_salvage_put_proc(store, &image->proc);

	if (!err && !image->account)
		err = weir_account_new(profiling->dictionary, &image->account);
	err = err ?: append(profiling, image->account, &sums, NULL, store);
	err = err ?: weir_account_lend(image->account, &account);
	err = err ?: take_current(profiling, image, &account);
	err = err ?: append(profiling, account, &current, NULL, store);
	weir_account_free(account);
	return err;
}

static int fill(struct weir_profiling *profiling,
		const struct weir_profiling_place *place,
		struct weir_store *store)
{
	int err = weir_heading_update(place->heading, store);

	err = err ?: weir_salvage_put_dict(store);
	err = err ?: copy_ended(profiling, place, store);
	for (size_t i = 0; !err && i < place->roster->count; i++)
		if (place->roster->images[i]->proc.view)
			err = put_running(profiling, place->roster->images[i],
					  store);
	return err;
}

int weir_profiling_renew(struct weir_profiling *profiling,
			 const struct weir_profiling_place *place)
{
	uint64_t began = weir_clock_ns(CLOCK_MONOTONIC), took;
	struct weir_store *store;
	int err;

	unlink(place->new_path);
	err = weir_store_create(place->new_path, &store);
	if (!err) {
		err = fill(profiling, place, store);
		if (!err && rename(place->new_path, place->path))
			err = -errno;
		if (err) {
			weir_store_close(store);
			unlink(place->new_path);
		} else {
			weir_spool_replace(place->spool, store);
		}
	}
	took = weir_clock_ns(CLOCK_MONOTONIC) - began;
	profiling->pause = profiling->pause * 2 < LONGEST_PAUSE
				   ? profiling->pause * 2
				   : LONGEST_PAUSE;
	profiling->due = began + profiling->pause + LITTLE * took;
	return err;
}

int weir_profiling_end(struct weir_profiling *profiling, uint64_t processes,
		       uint64_t lost, struct weir_spool *spool)
{
	struct weir_block head = { .type = WEIR_BLOCK_END };
	struct weir_props props;
	int err;

	weir_props_init(&props);
	err = weir_props_add_number(&props, "events", 0);
	err = err ?: weir_props_add_number(&props, "calls", profiling->calls);
	err = err ?: weir_props_add_number(&props, "lost", lost);
	err = err ?: weir_props_add_number(&props, "procs", processes);
	err = err ?: weir_props_add_text(&props, "complete", "yes");
	head.stored = (uint32_t)props.used;
	err = err ?: weir_store_append(weir_spool_store(spool), &head,
				       props.text);
	weir_props_fini(&props);
	return err;
}
