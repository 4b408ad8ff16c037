/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a plan flat, as processes get it. */
#include "plan/plan.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The flat plan while it is written; the arrays lie in `bytes`, behind the
 * head.
 */
struct sheet {
	char *bytes;
	struct weir_plan_head *head;
	struct weir_plan_setting *settings;
	struct weir_plan_site *sites;
	char *strings;
	uint32_t used; /* of strings */
	uint32_t site; /* the next */
};

/* "" takes no room: it is the byte at offset 0. */
static size_t room_for(const char *text)
{
	return *text ? strlen(text) + 1 : 0;
}

/* Of a variable the value is told with its name, as environments have it. */
static const char *variable_of(const struct weir_plan_item *item)
{
	return item->param->target == WEIR_PLAN_ENVIRONMENT ? item->param->via
							    : "";
}

/* Measured first, so that one allocation has it all and offsets are known. */
static void measure(const struct weir_plan *plan, struct weir_plan_head *head)
{
	head->settings = (uint32_t)plan->count;
	head->strings = 1;
	for (size_t i = 0; i < plan->count; i++) {
		const struct weir_plan_item *item = &plan->items[i];

		head->sites += item->site_count;
		head->strings += (uint32_t)(room_for(item->param->name) +
					    room_for(variable_of(item)) +
					    room_for(item->value) +
					    room_for(item->file) +
					    room_for(item->dataset));
	}
	head->bytes = (uint32_t)(sizeof(*head) +
		head->settings * sizeof(struct weir_plan_setting) +
		head->sites * sizeof(struct weir_plan_site) + head->strings);
}

static uint32_t put_string(struct sheet *sheet, const char *text)
{
	uint32_t at = sheet->used;
	size_t room = room_for(text);

	if (!room)
		return 0;
	memcpy(sheet->strings + at, text, room);
	sheet->used += (uint32_t)room;
	return at;
}

static uint32_t put_value(struct sheet *sheet,
			  const struct weir_plan_item *item)
{
	uint32_t at = put_string(sheet, variable_of(item));

	if (!at)
		return put_string(sheet, item->value);
	sheet->strings[sheet->used - 1] = '=';
	put_string(sheet, item->value);
	return at;
}

static void put_setting(struct sheet *sheet, struct weir_plan_setting *to,
			const struct weir_plan_item *item)
{
	to->param = (uint16_t)item->param->param;
	to->target = (uint8_t)item->param->target;
	to->flags = (uint8_t)item->flags;
	to->count = (uint8_t)item->count;
	to->name = put_string(sheet, item->param->name);
	to->value = put_value(sheet, item);
	to->file = put_string(sheet, item->file);
	to->dataset = put_string(sheet, item->dataset);
	to->line = item->line;
	to->site = sheet->site;
	to->sites = item->site_count;
	to->ranks = item->ranks;
	memcpy(to->number, item->number, sizeof(to->number));
	to->real = item->real;
	if (item->site_count)
		memcpy(sheet->sites + sheet->site, item->sites,
		       item->site_count * sizeof(*item->sites));
	sheet->site += item->site_count;
}

static void fill_sheet(const struct weir_plan *plan, struct sheet *sheet)
{
	struct weir_plan_head *head = sheet->head;

	sheet->settings = (void *)(head + 1);
	sheet->sites = (void *)(sheet->settings + head->settings);
	sheet->strings = (void *)(sheet->sites + head->sites);
	sheet->used = 1;
	for (size_t i = 0; i < plan->count; i++)
		put_setting(sheet, &sheet->settings[i], &plan->items[i]);
	head->check = weir_hash_bytes(head + 1, head->bytes - sizeof(*head));
}

int weir_plan_flatten(const struct weir_plan *plan, void **ret_bytes,
		      size_t *ret_size)
{
	struct weir_plan_head head = { .magic = WEIR_PLAN_MAGIC,
				       .version = WEIR_PLAN_VERSION };
	struct sheet sheet = { .used = 0 };

	if (plan->count > WEIR_PLAN_SETTINGS)
		return -E2BIG;
	measure(plan, &head);
	if (head.sites > WEIR_PLAN_SITES || head.bytes > WEIR_PLAN_LARGEST)
		return -E2BIG;
	sheet.bytes = calloc(1, head.bytes);
	if (!sheet.bytes)
		return -ENOMEM;
	sheet.head = (void *)sheet.bytes;
	*sheet.head = head;
	fill_sheet(plan, &sheet);
	*ret_bytes = sheet.bytes;
	*ret_size = head.bytes;
	return 0;
}
