/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls as they come, where only sums are kept, and appends the sums. */
#include "launch/collect/profiling.h"

#include "analyse/sums/account.h"
#include "launch/collect/spool.h"
#include "spec/dictionary.h"
#include "trace/bytes/zip.h"
#include "trace/facts/props.h"
#include "trace/file/blocks.h"
#include "trace/file/store.h"

#include <errno.h>
#include <stdlib.h>

#define ZSTD_FLOOR 128

struct weir_profiling {
	struct weir_dictionary *dictionary;
	struct weir_zip zip;
	struct weir_bytes payload, squeezed;
	uint64_t calls;
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
		weir_account_take(*account, copy->data, copy->used, chunk->base,
				  &lost);
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
static int append_sums(struct weir_profiling *profiling,
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

int weir_profiling_append(struct weir_profiling *profiling,
			  struct weir_account *account, struct weir_block *head,
			  struct weir_store *store)
{
	return append_sums(profiling, account, head, NULL, store);
}

int weir_profiling_open(struct weir_profiling *profiling,
			struct weir_account **ret_account)
{
	return weir_account_new(profiling->dictionary, ret_account);
}

int weir_profiling_put(struct weir_profiling *profiling,
		       struct weir_account *account, uint32_t proc,
		       struct weir_spool *spool)
{
	struct weir_block head = {.proc = proc};
	int err = append_sums(profiling, account, &head, spool,
			      weir_spool_store(spool));

	if (!err && account)
		profiling->calls += weir_account_calls(account);
	return err;
}

int weir_profiling_end(struct weir_profiling *profiling, uint64_t processes,
		       uint64_t lost, struct weir_spool *spool)
{
	struct weir_block head = {.type = WEIR_BLOCK_END};
	struct weir_props props;
	int err;

	weir_props_init(&props);
	err = weir_props_add_number(&props, "events", 0);
	err = err ?: weir_props_add_number(&props, "calls", profiling->calls);
	err = err ?: weir_props_add_number(&props, "lost", lost);
	err = err ?: weir_props_add_number(&props, "procs", processes);
	err = err ?: weir_props_add_text(&props, "complete", "yes");
	head.stored = (uint32_t)props.used;
	err = err
		      ?: weir_store_append(weir_spool_store(spool), &head,
					   props.text);
	weir_props_fini(&props);
	return err;
}
