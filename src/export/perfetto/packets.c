/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds packets of a Perfetto trace and writes them to a file. */
#include "export/perfetto/packets.h"

#include "base/hash.h"
#include "base/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_TAG 0x0a /* field 1 of a trace, with a length */
#define SEQUENCE   1    /* of all packets: one writer */

enum { FIRST_OF_SEQUENCE = 1, NEEDS_NAMES = 2 };

int weir_packets_init(struct weir_packets *all, int fd, uint32_t strings)
{
	int err = weir_text_init(&all->out, fd);

	if (!err)
		err = weir_text_init(&all->texts, -1);
	all->strings = calloc((size_t)strings + 1, 1);
	return err || all->strings ? err : -ENOMEM;
}

void weir_packets_fini(struct weir_packets *all)
{
	weir_text_fini(&all->out);
	weir_text_fini(&all->texts);
	weir_bytes_fini(&all->packed);
	weir_map_fini(&all->note_names);
	weir_map_fini(&all->categories);
	free(all->strings);
}

int weir_packets_put(struct weir_packets *all,
		     WeirPerfetto__TracePacket *packet)
{
	uint8_t head[16] = { PACKET_TAG };
	size_t size;

	packet->has_trusted_packet_sequence_id = 1;
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->has_sequence_flags = 1;
	packet->sequence_flags = all->has_begun ? NEEDS_NAMES :
						  FIRST_OF_SEQUENCE;
	all->has_begun = true;
	size = weir_perfetto__trace_packet__get_packed_size(packet);
	all->packed.used = 0;
	if (weir_bytes_reserve(&all->packed, size))
		return -ENOMEM;
	weir_perfetto__trace_packet__pack(packet, all->packed.data);
	weir_text_bytes(&all->out, head,
			1 + weir_varint_put(head + 1, size));
	weir_text_bytes(&all->out, all->packed.data, size);
	return all->out.err;
}

/* --- texts -------------------------------------------------------------- */

/* What no longer fits is left out, and what is there already stays. */
static char *finish_text(struct weir_text *texts, size_t begin)
{
	if (texts->err || texts->room - texts->used < 1) {
		texts->err = 0;
		return NULL;
	}
	weir_text_char(texts, '\0');
	return texts->bytes + begin;
}

char *weir_packets_safe(struct weir_packets *all, const void *bytes,
			size_t len)
{
	size_t begin = all->texts.used;

	if (all->texts.room - begin < 4 * len + 1)
		return NULL;
	weir_text_safe(&all->texts, bytes, len);
	return finish_text(&all->texts, begin);
}

char *weir_packets_text(struct weir_packets *all, const char *text,
			size_t len)
{
	size_t begin = all->texts.used;

	if (all->texts.room - begin < len + 1)
		return NULL;
	weir_text_bytes(&all->texts, text, len);
	return finish_text(&all->texts, begin);
}

/* --- events ------------------------------------------------------------- */

void weir_packets_event(struct weir_packets *all,
			WeirPerfetto__TrackEvent__Type type, uint64_t track)
{
	WeirPerfetto__TrackEvent *event = &all->event;
	struct weir_packets_new *fresh = &all->fresh;

	weir_perfetto__track_event__init(event);
	weir_perfetto__interned_data__init(&fresh->data);
	all->texts.used = 0;
	event->has_type = 1;
	event->type = type;
	event->has_track_uuid = 1;
	event->track_uuid = track;
	event->debug_annotations = all->note_list;
	event->flow_ids = all->flows;
	event->terminating_flow_ids = all->ends;
	fresh->data.event_categories = fresh->category_list;
	fresh->data.event_names = fresh->name_list;
	fresh->data.debug_annotation_names = fresh->note_list;
	fresh->data.debug_annotation_string_values = fresh->string_list;
}

void weir_packets_name(struct weir_packets *all, uint32_t number,
		       const char *name)
{
	struct weir_packets_new *fresh = &all->fresh;

	all->event.has_name_iid = 1;
	all->event.name_iid = number;
	if (!name)
		return;
	weir_perfetto__event_name__init(&fresh->name);
	fresh->name.has_iid = 1;
	fresh->name.iid = number;
	fresh->name.name = (char *)name;
	fresh->name_list[0] = &fresh->name;
	fresh->data.n_event_names = 1;
}

/* The number of a name; is_new: it is to be told. */
static int find_number(struct weir_map *map, uint32_t *count, const char *name,
		       uint64_t *ret_number, bool *ret_is_new)
{
	uint64_t key = weir_hash_bytes(name, strlen(name));
	uint64_t number = weir_map_get(map, key);

	*ret_is_new = !number;
	*ret_number = number ? number : ++*count;
	return number ? 0 : weir_map_put(map, key, *ret_number);
}

int weir_packets_category(struct weir_packets *all, const char *name)
{
	struct weir_packets_new *fresh = &all->fresh;
	bool is_new;
	int err = find_number(&all->categories, &all->category_count, name,
			      &all->category, &is_new);

	all->event.n_category_iids = 1;
	all->event.category_iids = &all->category;
	if (err || !is_new)
		return err;
	weir_perfetto__event_category__init(&fresh->category);
	fresh->category.has_iid = 1;
	fresh->category.iid = all->category;
	fresh->category.name = (char *)name;
	fresh->category_list[0] = &fresh->category;
	fresh->data.n_event_categories = 1;
	return 0;
}

/* --- notes -------------------------------------------------------------- */

static void tell_note_name(struct weir_packets_new *fresh, uint64_t number,
			   const char *name)
{
	size_t n = fresh->data.n_debug_annotation_names++;
	WeirPerfetto__DebugAnnotationName *told = &fresh->notes[n];

	weir_perfetto__debug_annotation_name__init(told);
	told->has_iid = 1;
	told->iid = number;
	told->name = (char *)name;
	fresh->note_list[n] = told;
}

/* NULL in *ret_note: there are too many. */
static int add_note(struct weir_packets *all, const char *name,
		    WeirPerfetto__DebugAnnotation **ret_note)
{
	WeirPerfetto__DebugAnnotation *note;
	uint64_t number;
	bool is_new;
	int err;

	*ret_note = NULL;
	if (all->event.n_debug_annotations == WEIR_PACKETS_NOTES)
		return 0;
	err = find_number(&all->note_names, &all->note_count, name, &number,
			  &is_new);
	if (err)
		return err;
	note = &all->notes[all->event.n_debug_annotations];
	all->note_list[all->event.n_debug_annotations++] = note;
	weir_perfetto__debug_annotation__init(note);
	note->has_name_iid = 1;
	note->name_iid = number;
	if (is_new)
		tell_note_name(&all->fresh, number, name);
	*ret_note = note;
	return 0;
}

int weir_packets_note_signed(struct weir_packets *all, const char *name,
			     int64_t number)
{
	WeirPerfetto__DebugAnnotation *note;
	int err = add_note(all, name, &note);

	if (note) {
		note->has_int_value = 1;
		note->int_value = number;
	}
	return err;
}

int weir_packets_note_unsigned(struct weir_packets *all, const char *name,
			       uint64_t number)
{
	WeirPerfetto__DebugAnnotation *note;
	int err = add_note(all, name, &note);

	if (note) {
		note->has_uint_value = 1;
		note->uint_value = number;
	}
	return err;
}

int weir_packets_note_text(struct weir_packets *all, const char *name,
			   char *text)
{
	WeirPerfetto__DebugAnnotation *note;
	int err = add_note(all, name, &note);

	if (note)
		note->string_value = text ? text : (char *)"...";
	return err;
}

static void tell_string(struct weir_packets *all, uint32_t number,
			const char *bytes, size_t len)
{
	struct weir_packets_new *fresh = &all->fresh;
	size_t n = fresh->data.n_debug_annotation_string_values++;
	WeirPerfetto__InternedString *told = &fresh->strings[n];
	char *text = weir_packets_safe(all, bytes, len);

	weir_perfetto__interned_string__init(told);
	told->has_iid = 1;
	told->iid = number;
	told->has_str = 1;
	told->str.data = (uint8_t *)(text ? text : "...");
	told->str.len = strlen((const char *)told->str.data);
	fresh->string_list[n] = told;
	all->strings[number] = 1;
}

int weir_packets_note_string(struct weir_packets *all, const char *name,
			     uint32_t number, const char *bytes, size_t len)
{
	WeirPerfetto__DebugAnnotation *note;
	int err = add_note(all, name, &note);

	if (!note)
		return err;
	note->has_string_value_iid = 1;
	note->string_value_iid = number;
	if (!all->strings[number])
		tell_string(all, number, bytes, len);
	return 0;
}

/* --- flows, and all together -------------------------------------------- */

void weir_packets_flow(struct weir_packets *all, uint64_t flow, bool is_last)
{
	size_t *count = is_last ? &all->event.n_terminating_flow_ids :
				  &all->event.n_flow_ids;

	if (*count < WEIR_PACKETS_FLOWS)
		(is_last ? all->ends : all->flows)[(*count)++] = flow;
}

int weir_packets_write(struct weir_packets *all, uint64_t time)
{
	WeirPerfetto__TracePacket packet = WEIR_PERFETTO__TRACE_PACKET__INIT;
	const WeirPerfetto__InternedData *data = &all->fresh.data;

	packet.has_timestamp = 1;
	packet.timestamp = time;
	packet.track_event = &all->event;
	if (data->n_event_categories || data->n_event_names ||
	    data->n_debug_annotation_names ||
	    data->n_debug_annotation_string_values)
		packet.interned_data = &all->fresh.data;
	return weir_packets_put(all, &packet);
}
