/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the processes a packer has met: handles, losses, last words. */
#include "trace/pack/packprocess.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/facts/procinfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_packprocess_fini(struct weir_packprocess_table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		weir_handles_fini(&table->processes[i]->handles);
		weir_bytes_fini(&table->processes[i]->text);
		weir_bytes_fini(&table->processes[i]->current);
		free(table->processes[i]);
	}
	free(table->processes);
	weir_map_fini(&table->by_number);
	weir_map_fini(&table->by_identity);
}

static uint64_t number_key(uint8_t input, uint32_t number)
{
	return (uint64_t)input << 32 | number;
}

static int add_process(struct weir_packprocess_table *table,
		       uint32_t *ret_index)
{
	struct weir_packprocess *process;

	if (WEIR_GROW(table->processes, table->count, table->room))
		return -ENOMEM;
	process = calloc(1, sizeof(*process));
	if (!process)
		return -ENOMEM;
	process->handles.names = table->names;
	*ret_index = table->count;
	table->processes[table->count++] = process;
	return 0;
}

int weir_packprocess_find(struct weir_packprocess_table *table, uint8_t input,
			  uint32_t number, uint32_t *ret_index)
{
	uint64_t key = number_key(input, number);
	uint64_t at = weir_map_get(&table->by_number, key);
	uint32_t index = 0;
	int err;

	if (at) {
		*ret_index = (uint32_t)at - 1;
		return 0;
	}
	err = add_process(table, &index);
	if (err)
		return err;
	*ret_index = index;
	return weir_map_put(&table->by_number, key, index + 1);
}

/* Finds it by its number, else by what it is, else makes it. */
static int recognise(struct weir_packprocess_table *table, uint64_t key,
		     const struct weir_procinfo *info, uint32_t *ret_index)
{
	uint64_t what[] = { info->pid, info->start, info->tick0 };
	uint64_t identity = weir_hash_bytes(what, sizeof(what));
	uint64_t at = weir_map_get(&table->by_number, key);
	uint32_t index = 0;
	int err = 0;

	if (!at)
		at = weir_map_get(&table->by_identity, identity);
	if (at)
		index = (uint32_t)at - 1;
	else
		err = add_process(table, &index);
	if (!err)
		err = weir_map_put(&table->by_number, key, index + 1);
	if (!err)
		err = weir_map_put(&table->by_identity, identity, index + 1);
	if (!err)
		*ret_index = index;
	return err;
}

int weir_packprocess_learn(struct weir_packprocess_table *table,
			   uint8_t input, uint32_t number,
			   const struct weir_bytes *text, uint32_t *ret_index)
{
	struct weir_packprocess *process;
	struct weir_procinfo info;
	uint32_t index = 0;
	int err = weir_procinfo_parse(text->data, text->used, &info);

	if (err)
		return err;
	err = recognise(table, number_key(input, number), &info, &index);
	if (!err) {
		process = table->processes[index];
		process->text.used = 0;
		process->dropped = info.dropped + info.outside;
		process->lost = info.lost;
		/* The first in a file only introduces it: chunks follow. */
		process->ended = process->met_in == input + 1 &&
				 strcmp(info.state, "live");
		process->met_in = (uint8_t)(input + 1);
		err = weir_bytes_add(&process->text, text->data, text->used);
		*ret_index = index;
	}
	weir_procinfo_fini(&info);
	return err;
}
