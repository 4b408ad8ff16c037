/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps rows of counted calls by key: a file, a process or the like. */
#include "analyse/sums/ledger.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_ledger_fini(struct weir_ledger *ledger)
{
	for (size_t i = 0; i < ledger->count; i++)
		weir_row_fini(&ledger->rows[i]);
	free(ledger->rows);
	weir_map_fini(&ledger->index);
	*ledger = (struct weir_ledger){ 0 };
}

struct weir_row *weir_ledger_find(const struct weir_ledger *ledger,
				  uint64_t key)
{
	uint64_t at = weir_map_get(&ledger->index, key + 1);

	return at ? &ledger->rows[at - 1] : NULL;
}

struct weir_row *weir_ledger_row(struct weir_ledger *ledger, uint64_t key)
{
	uint32_t *recent = &ledger->recent[key % WEIR_LEDGER_RECENT];
	struct weir_row *row;

	/* The same few are asked for again and again. */
	if (*recent && ledger->rows[*recent - 1].key == key)
		return &ledger->rows[*recent - 1];
	row = weir_ledger_find(ledger, key);
	if (row) {
		*recent = (uint32_t)(row - ledger->rows) + 1;
		return row;
	}
	if (WEIR_GROW(ledger->rows, ledger->count, ledger->room) ||
	    weir_map_put(&ledger->index, key + 1, ledger->count + 1))
		return NULL;
	ledger->rows[ledger->count] = (struct weir_row){ .key = key };
	return &ledger->rows[ledger->count++];
}

int weir_ledger_keep(struct weir_ledger *ledger, const uint8_t *keep)
{
	size_t kept = 0;
	int err = 0;

	weir_map_fini(&ledger->index);
	ledger->index = (struct weir_map){ 0 };
	memset(ledger->recent, 0, sizeof(ledger->recent));
	for (size_t i = 0; i < ledger->count; i++) {
		if (!keep[i])
			continue;
		ledger->rows[kept++] = ledger->rows[i];
		err = err ?: weir_map_put(&ledger->index,
					  ledger->rows[i].key + 1, kept);
	}
	ledger->count = kept;
	return err;
}
