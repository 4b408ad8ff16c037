/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the attributes of a call in an OTF2 archive. */
#include "export/otf2/otf2notes.h"

#include "trace/event/detail.h"

#include <string.h>

static void note_unsigned(struct weir_otf2notes *all, uint32_t what,
			  uint64_t number)
{
	OTF2_AttributeList_AddUint64(all->list, what, number);
}

static int note_text(struct weir_otf2notes *all, uint32_t what,
		     const void *bytes, size_t len)
{
	uint32_t string;
	int err = weir_otf2defs_text(all->defs, bytes, len, &string);

	if (!err)
		OTF2_AttributeList_AddStringRef(all->list, what, string);
	return err;
}

static int note_links(struct weir_otf2notes *all,
		      const struct weir_relation *relation)
{
	const char *why = weir_collective_why(relation->joint);
	const char *link =
		relation->place.link == WEIR_TREE_DEFERRED ? "deferred" :
		relation->place.link == WEIR_TREE_UNKNOWN ? "unknown" : NULL;
	int err = 0;

	if (relation->place.link == WEIR_TREE_UNKNOWN && relation->above.proc)
		note_unsigned(all, WEIR_OTF2_ABOVE, relation->above.index);
	if (relation->end.kind == WEIR_LINKS_BATCHED)
		note_unsigned(all, WEIR_OTF2_BATCHED, 1);
	if (relation->joint == WEIR_COLLECTIVE_JOINED)
		note_unsigned(all, WEIR_OTF2_NODE, relation->key);
	if (relation->cause)
		note_unsigned(all, WEIR_OTF2_CAUSE, relation->cause);
	if (relation->end.kind == WEIR_LINKS_ONE_OF ||
	    relation->end.kind == WEIR_LINKS_UNSEEN)
		note_unsigned(all, WEIR_OTF2_ONE_OF, relation->end.open);
	if (link)
		err = note_text(all, WEIR_OTF2_LINK, link, strlen(link));
	return err || !why ? err : note_text(all, WEIR_OTF2_UNJOINED, why,
					     strlen(why));
}

static int note_mark(struct weir_otf2notes *all,
		     const struct weir_dump_event *described)
{
	struct weir_detail detail;
	struct weir_value value;
	int err = 0;

	if (!described->call || !described->call->layer ||
	    strcmp(described->call->layer, "mark"))
		return 0;
	weir_detail_start(&detail, described->event, described->call);
	while (!err && weir_detail_next(&detail, &value)) {
		if (!value.given)
			continue;
		if (value.text && !strcmp(value.name, "name"))
			err = note_text(all, WEIR_OTF2_MARK, value.text,
					value.text_len);
		else if (!value.text && !strcmp(value.name, "number"))
			OTF2_AttributeList_AddInt64(all->list, WEIR_OTF2_STEP,
						    (int64_t)value.number);
	}
	return err;
}

int weir_otf2notes_add(struct weir_otf2notes *all,
		       const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	uint32_t file;
	int err = 0;

	note_unsigned(all, WEIR_OTF2_INDEX, event->index);
	if (described->file) {
		err = weir_otf2defs_file(all->defs, event->file, &file);
		OTF2_AttributeList_AddIoFileRef(all->list, WEIR_OTF2_FILE,
						file);
	}
	if (!err)
		err = note_links(all, described->relation);
	return err ? err : note_mark(all, described);
}
