/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of all files together how they are shared and used again. */
#include "analyse/findings/filesum.h"

#include "analyse/facts/shard.h"
#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

void weir_filesum_fini(struct weir_filesum_list *list)
{
	free(list->files);
	*list = (struct weir_filesum_list){ 0 };
}

static void add_user(struct weir_filesum_file *file, const struct weir_use *use,
		     const struct weir_reader *reader)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, use->proc);
	uint32_t node = process ? process->node : 0;

	file->file = use->file;
	if (!file->users++)
		file->node = node;
	file->is_across |= file->node != node;
	if (use->read && !file->readers++)
		file->reader = use->proc;
	if (use->written && !file->writers++)
		file->writer = use->proc;
}

int weir_filesum_add(struct weir_filesum_list *list,
		     const struct weir_uses *uses,
		     const struct weir_reader *reader)
{
	size_t base = list->count;

	for (size_t i = 0; i < uses->file_count; i++) {
		if (WEIR_GROW(list->files, list->count, list->room))
			return -ENOMEM;
		list->files[list->count++] = (struct weir_filesum_file){ 0 };
	}
	for (size_t i = 0; i < uses->count; i++)
		add_user(&list->files[base + uses->list[i].at],
			 &uses->list[i], reader);
	return 0;
}

static int by_file(const void *left, const void *right)
{
	const struct weir_filesum_file *a = left, *b = right;

	return (a->file > b->file) - (a->file < b->file);
}

void weir_filesum_sort(struct weir_filesum_list *list)
{
	if (list->count)
		qsort(list->files, list->count, sizeof(*list->files), by_file);
}

const struct weir_filesum_file *
weir_filesum_find(const struct weir_filesum_list *list, uint32_t file)
{
	struct weir_filesum_file key = { .file = file };

	return list->count ? bsearch(&key, list->files, list->count,
				     sizeof(key), by_file) : NULL;
}

/* Whether a process writes it and another one reads it. */
static int is_passed_on(const struct weir_filesum_file *file)
{
	if (!file->readers || !file->writers)
		return 0;
	return file->readers > 1 || file->writers > 1 ||
	       file->reader != file->writer;
}

uint64_t weir_filesum_size(const struct weir_row *row)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < row->count; i++)
		if (row->entries[i].cell.top > size)
			size = row->entries[i].cell.top;
	return size;
}

uint64_t weir_filesum_again(const struct weir_digest *digest)
{
	uint64_t size = weir_filesum_size(digest->row);

	return size && digest->read > size ? digest->read - size : 0;
}

struct weir_filesum weir_filesum_of(const struct weir_totals *totals,
				    const struct weir_filesum_list *list)
{
	struct weir_filesum sum = { .files = totals->folded };

	for (size_t i = 0; i < totals->files.count; i++) {
		const struct weir_row *row = weir_stock_at(&totals->files, i);
		struct weir_digest digest;

		if (!row->key || row->is_channel ||
		    weir_totals_is_object(totals, row))
			continue;
		digest = weir_totals_digest(totals, row);
		sum.files++;
		sum.size += weir_filesum_size(row);
		sum.shared += row->processes > 1;
		sum.again += weir_filesum_again(&digest);
	}
	for (size_t i = 0; i < list->count; i++) {
		sum.across += list->files[i].is_across;
		sum.passed_on +=
			(uint64_t)is_passed_on(&list->files[i]);
	}
	return sum;
}
