/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a flat plan without allocating; inside and outside use it. */
#include "plan/flatplan.h"

#include "base/glob.h"
#include "base/hash.h"

#include <errno.h>
#include <string.h>

/*
 * The file lies in a directory that others may write to, and a process that
 * reads beyond it would end the program: every length is checked once, here.
 */
static bool is_sound(const struct weir_plan_head *head, size_t size)
{
	uint64_t bytes = sizeof(*head);

	if (memcmp(head->magic, WEIR_PLAN_MAGIC, sizeof(head->magic)) ||
	    head->version != WEIR_PLAN_VERSION || head->bytes != size ||
	    head->settings > WEIR_PLAN_SETTINGS ||
	    head->sites > WEIR_PLAN_SITES || !head->strings)
		return false;
	bytes += (uint64_t)head->settings * sizeof(struct weir_plan_setting);
	bytes += (uint64_t)head->sites * sizeof(struct weir_plan_site);
	return bytes + head->strings == size;
}

static bool points_inside(const struct weir_plan_head *head,
			  const struct weir_plan_setting *setting)
{
	return setting->name < head->strings &&
	       setting->value < head->strings &&
	       setting->file < head->strings &&
	       setting->dataset < head->strings &&
	       setting->count <= WEIR_PLAN_NUMBERS &&
	       setting->site <= head->sites &&
	       setting->sites <= head->sites - setting->site;
}

int weir_flatplan_open(const void *bytes, size_t size,
		       struct weir_flatplan *ret_flat)
{
	const struct weir_plan_head *head = bytes;
	struct weir_flatplan flat;

	if (size < sizeof(*head) || size > WEIR_PLAN_LARGEST ||
	    !is_sound(head, size) ||
	    head->check != weir_hash_bytes(head + 1, size - sizeof(*head)))
		return -EBADMSG;
	flat.settings = (const void *)(head + 1);
	flat.sites = (const void *)(flat.settings + head->settings);
	flat.strings = (const void *)(flat.sites + head->sites);
	flat.count = head->settings;
	flat.check = head->check;
	if (flat.strings[0] || flat.strings[head->strings - 1])
		return -EBADMSG;
	for (uint32_t i = 0; i < flat.count; i++)
		if (!points_inside(head, &flat.settings[i]))
			return -EBADMSG;
	*ret_flat = flat;
	return 0;
}

/* Whether a setting is meant for this file and dataset; NULL: none. */
static bool is_for(const struct weir_flatplan *flat,
		   const struct weir_plan_setting *setting, const char *file,
		   const char *dataset)
{
	const char *of_file = weir_flatplan_text(flat, setting->file);
	const char *of_dataset = weir_flatplan_text(flat, setting->dataset);

	if (*of_file && (!file || !weir_glob_matches_path(of_file, file)))
		return false;
	return !*of_dataset ||
	       (dataset && weir_glob_matches_path(of_dataset, dataset));
}

/* Greater: goes before. */
static int precision_of(const struct weir_plan_setting *setting)
{
	return (setting->dataset ? 2 : 0) + (setting->file ? 1 : 0);
}

/*
 * Of the settings of a parameter one is applied. Plans are short, so that it is
 * found by looking at all, without memory that the program might not have.
 */
static bool is_outdone(const struct weir_flatplan *flat,
		       const struct weir_plan_setting *setting,
		       const char *file, const char *dataset)
{
	for (uint32_t i = 0; i < flat->count; i++) {
		const struct weir_plan_setting *other = &flat->settings[i];

		if (other == setting || other->param != setting->param ||
		    precision_of(other) < precision_of(setting) ||
		    (precision_of(other) == precision_of(setting) &&
		     other < setting))
			continue;
		if (is_for(flat, other, file, dataset))
			return true;
	}
	return false;
}

const struct weir_plan_setting *
weir_flatplan_next(const struct weir_flatplan *flat,
		   enum weir_plan_target target, const char *file,
		   const char *dataset, const struct weir_plan_setting *setting)
{
	const struct weir_plan_setting *end = flat->settings + flat->count;

	for (setting = setting ? setting + 1 : flat->settings; setting < end;
	     setting++)
		if (setting->target == target &&
		    is_for(flat, setting, file, dataset) &&
		    !is_outdone(flat, setting, file, dataset))
			return setting;
	return NULL;
}

bool weir_flatplan_has_site(const struct weir_flatplan *flat,
			    const struct weir_plan_setting *setting,
			    uint64_t object, uint64_t offset)
{
	const struct weir_plan_site *site = flat->sites + setting->site;

	for (uint32_t i = 0; i < setting->sites; i++)
		if (site[i].object == object && site[i].offset == offset)
			return true;
	return false;
}
