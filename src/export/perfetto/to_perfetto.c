/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports to Perfetto: a track for each thread, calls as slices. */
#include "export/export.h"

#include "base/hash.h"
#include "export/callbook.h"
#include "export/nesting.h"
#include "export/perfetto/packets.h"
#include "export/perfetto/tracks.h"
#include "export/words/values.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLOCK_OF_DAY   1 /* Perfetto's numbers of clocks */
#define CLOCK_OF_TRACE 6

#define BEGIN   WEIR_PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
#define END     WEIR_PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END
#define INSTANT WEIR_PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT

struct show {
	struct weir_export *export;
	struct weir_packets packets;
	struct weir_nesting nesting;
	struct weir_callbook calls;
	struct weir_tracks tracks;
	struct weir_text line; /* goes nowhere: to take its bytes from */
	uint64_t begin;	       /* of the trace, CLOCK_REALTIME */
};

/* --- notes -------------------------------------------------------------- */

static int note_id(struct show *show, const char *name,
		   struct weir_tree_id id)
{
	show->line.used = 0;
	weir_dump_put_id(&show->line, id);
	return weir_packets_note_text(
		&show->packets, name,
		weir_packets_text(&show->packets, show->line.bytes,
				  show->line.used));
}

static int note_flags(struct show *show, uint8_t flags)
{
	show->line.used = 0;
	weir_dump_put_flags(&show->line, flags, "|");
	if (!show->line.used)
		return 0;
	return weir_packets_note_text(
		&show->packets, "flags",
		weir_packets_text(&show->packets, show->line.bytes,
				  show->line.used));
}

static int note_event(struct show *show,
		      const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	struct weir_packets *packets = &show->packets;
	int err = note_id(show, "id", weir_tree_id_of(event));

	if (!err && described->file)
		err = weir_packets_note_string(packets, "file", event->file,
					       described->file,
					       described->file_len);
	if (!err && event->fd >= 0)
		err = weir_packets_note_signed(packets, "fd", event->fd);
	if (!err)
		err = weir_packets_note_unsigned(packets, "size", event->size);
	if (!err && !(event->flags & WEIR_EVENT_NOOFF))
		err = weir_packets_note_signed(packets, "off", event->off);
	if (!err && !(event->flags & WEIR_EVENT_ENTERED))
		err = weir_packets_note_signed(packets, "ret", event->ret);
	if (!err && event->flags & WEIR_EVENT_FAILED)
		err = weir_packets_note_signed(packets, "err", event->err);
	return err ? err : note_flags(show, event->flags);
}

/* Numbers as numbers, but for those that have words. */
static int note_argument(struct show *show, struct weir_value *value)
{
	struct weir_packets *packets = &show->packets;
	struct weir_text *line = &show->line;
	char *name, *text;

	line->used = 0;
	weir_text_string(line, "args.");
	weir_text_safe(line, value->name, strlen(value->name));
	name = weir_packets_text(packets, line->bytes, line->used);
	line->used = 0;
	if (value->text)
		weir_text_safe(line, value->text, value->text_len);
	else
		weir_values_show(line, value);
	text = line->err ? NULL : weir_packets_text(packets, line->bytes,
						    line->used);
	line->err = 0;
	return name ? weir_packets_note_text(packets, name, text) : 0;
}

static int note_arguments(struct show *show,
			  const struct weir_dump_event *described)
{
	struct weir_detail detail;
	struct weir_value value;
	int err = 0;

	if (!described->call)
		return 0;
	weir_detail_start(&detail, described->event, described->call);
	while (!err && weir_detail_next(&detail, &value))
		if (value.given && value.kind->place == WEIR_PLACE_DETAIL)
			err = note_argument(show, &value);
	return err;
}

/* --- links -------------------------------------------------------------- */

static uint64_t flow_of(struct weir_tree_id id)
{
	uint64_t parts[] = { (uint64_t)id.proc << 32 | id.thread, id.index };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* From what is handed over to its end; callers are around their calls. */
static int note_end(struct show *show, const struct weir_dump_event *described)
{
	const struct weir_links_end *end = &described->relation->end;
	uint64_t key;
	int is_last;

	switch (weir_pending_look(described->event, described->call, &key,
				  &is_last)) {
	case WEIR_PENDING_SUBMIT:
		weir_packets_flow(&show->packets,
				  flow_of(weir_tree_id_of(described->event)),
				  false);
		return 0;
	case WEIR_PENDING_DONE:
		break;
	default:
		return 0;
	}
	if (end->kind != WEIR_LINKS_COMPLETES &&
	    end->kind != WEIR_LINKS_BATCHED)
		return weir_packets_note_unsigned(&show->packets,
						  "completes_one_of",
						  end->open);
	weir_packets_flow(&show->packets, flow_of(end->to), is_last);
	return note_id(show, end->kind == WEIR_LINKS_BATCHED ? "batched" :
							       "completes",
		       end->to);
}

static int note_caller(struct show *show, const struct weir_relation *relation)
{
	struct weir_packets *packets = &show->packets;
	int err;

	if (relation->place.link == WEIR_TREE_DEFERRED)
		return weir_packets_note_text(packets, "link",
					      (char *)"deferred");
	if (relation->place.link != WEIR_TREE_UNKNOWN)
		return 0;
	err = weir_packets_note_text(packets, "link", (char *)"unknown");
	return err || !relation->above.proc
		       ? err
		       : note_id(show, "above", relation->above);
}

static int note_number(struct show *show, const char *name, uint64_t number)
{
	show->line.used = 0;
	weir_text_hex(&show->line, number);
	return weir_packets_note_text(
		&show->packets, name,
		weir_packets_text(&show->packets, show->line.bytes,
				  show->line.used));
}

/* From what is handed down to other processes to what they do for it. */
static int note_cause(struct show *show,
		      const struct weir_dump_event *described)
{
	uint64_t cid = weir_links_cid(described->event, described->call);
	uint64_t cause = described->relation->cause;

	if (cid)
		weir_packets_flow(&show->packets,
				  weir_hash_numbers(&cid, sizeof(cid)), false);
	if (!cause)
		return 0;
	weir_packets_flow(&show->packets,
			  weir_hash_numbers(&cause, sizeof(cause)), false);
	return note_number(show, "caused", cause);
}

static int note_links(struct show *show,
		      const struct weir_dump_event *described)
{
	const struct weir_relation *relation = described->relation;
	int err = note_caller(show, relation);
	const char *why;

	if (!err)
		err = note_end(show, described);
	if (!err)
		err = note_cause(show, described);
	if (err || !relation->joint)
		return err;
	why = weir_collective_why(relation->joint);
	if (why)
		return weir_packets_note_text(&show->packets, "unjoined",
					      weir_packets_text(&show->packets,
								why,
								strlen(why)));
	weir_packets_flow(&show->packets, relation->key, false);
	return note_number(show, "collective", relation->key);
}

/* --- calls -------------------------------------------------------------- */

static int name_event(struct show *show,
		      const struct weir_dump_event *described)
{
	const char *layer = described->call ? described->call->layer : NULL;
	char *name = NULL;
	uint32_t number;
	bool is_new;
	int err = weir_callbook_find(&show->calls, described, &number,
				     &is_new);

	if (err)
		return err;
	if (is_new) {
		show->line.used = 0;
		weir_dump_put_call(&show->line, described);
		name = weir_packets_safe(&show->packets, show->line.bytes,
					 show->line.used);
	}
	weir_packets_name(&show->packets, number, name);
	if (layer)
		layer = weir_packets_safe(&show->packets, layer,
					  strlen(layer));
	return layer ? weir_packets_category(&show->packets, layer) : 0;
}

static int enter_slice(struct show *show,
		       const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	struct weir_nesting_call *call;
	uint64_t start;
	int err = weir_nesting_enter(&show->nesting, described, &call);

	if (err)
		return err;
	start = call->start;
	weir_packets_event(&show->packets, BEGIN,
			   weir_tracks_of(event));
	err = name_event(show, described);
	if (!err)
		err = note_event(show, described);
	if (!err)
		err = note_arguments(show, described);
	if (!err)
		err = note_links(show, described);
	return err ? err : weir_packets_write(&show->packets,
					      show->begin + start);
}

static int leave_call(void *context, const struct weir_nesting_call *call)
{
	struct show *show = context;

	weir_packets_event(&show->packets, END,
			   weir_tracks_of(&call->event));
	return weir_packets_write(&show->packets, show->begin + call->end);
}

static int put_loss(struct show *show, const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	int err;

	weir_packets_event(&show->packets, INSTANT,
			   weir_tracks_of(event));
	err = name_event(show, described);
	if (!err)
		err = weir_packets_note_unsigned(&show->packets, "count",
						 event->size);
	if (!err)
		err = weir_packets_note_unsigned(&show->packets, "dur",
						 event->dur);
	return err ? err : weir_packets_write(&show->packets,
					      show->begin + described->start);
}

/* --- marks -------------------------------------------------------------- */

static WeirPerfetto__TrackEvent__Type type_of_mark(const char *name)
{
	return !strcmp(name, "mark_begin") ? BEGIN :
	       !strcmp(name, "mark_end") ? END : INSTANT;
}

/* "write state", "phase compute", "step 3" */
static void name_mark(struct show *show,
		      const struct weir_dump_event *described,
		      WeirPerfetto__TrackEvent__Type type)
{
	const char *kind = described->call->name + strlen("mark_");
	struct weir_text *line = &show->line;
	struct weir_detail detail;
	struct weir_value value;

	line->used = 0;
	if (type == INSTANT)
		weir_text_safe(line, kind, strlen(kind));
	weir_detail_start(&detail, described->event, described->call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given)
			continue;
		if (line->used)
			weir_text_char(line, ' ');
		if (value.text)
			weir_text_safe(line, value.text, value.text_len);
		else
			weir_values_show(line, &value);
	}
	show->packets.event.name =
		weir_packets_text(&show->packets, line->bytes, line->used);
}

/* On a track of its own: regions need not fit the calls. */
static int put_mark(struct show *show, const struct weir_dump_event *described)
{
	WeirPerfetto__TrackEvent__Type type =
		type_of_mark(described->call->name);
	uint64_t track;
	int err = weir_tracks_need_marks(&show->tracks, described, &track);

	if (err)
		return err;
	weir_packets_event(&show->packets, type, track);
	if (type != END)
		name_mark(show, described, type);
	return weir_packets_write(&show->packets,
				  show->begin + described->start);
}

static bool is_mark(const struct weir_call *call)
{
	return call && call->layer && !strcmp(call->layer, "mark") &&
	       !strncmp(call->name, "mark_", strlen("mark_"));
}

/* --- the file ----------------------------------------------------------- */

/* Times are those of the day. */
static int put_clocks(struct show *show)
{
	WeirPerfetto__TracePacket packet = WEIR_PERFETTO__TRACE_PACKET__INIT;
	WeirPerfetto__ClockSnapshot snapshot =
		WEIR_PERFETTO__CLOCK_SNAPSHOT__INIT;
	WeirPerfetto__ClockSnapshot__Clock clocks[2];
	WeirPerfetto__ClockSnapshot__Clock *list[] = { &clocks[0],
						       &clocks[1] };

	for (int i = 0; i < 2; i++) {
		weir_perfetto__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = 1;
		clocks[i].clock_id = i ? CLOCK_OF_DAY : CLOCK_OF_TRACE;
		clocks[i].has_timestamp = 1;
		clocks[i].timestamp = show->begin;
	}
	snapshot.n_clocks = 2;
	snapshot.clocks = list;
	packet.clock_snapshot = &snapshot;
	return weir_packets_put(&show->packets, &packet);
}

static int begin_perfetto(struct weir_export *export)
{
	struct show *show = calloc(1, sizeof(*show));
	int fd, err;

	if (!show)
		return -ENOMEM;
	export->own = show;
	show->export = export;
	show->begin = weir_reader_begin(export->reader);
	weir_nesting_init(&show->nesting, leave_call, show);
	fd = open(export->place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  0666);
	err = fd < 0 ? -errno : 0;
	show->packets.out.fd = -1;
	if (!err)
		err = weir_packets_init(&show->packets, fd,
					weir_reader_names(export->reader));
	if (!err)
		err = weir_text_init(&show->line, -1);
	if (!err)
		err = put_clocks(show);
	return err ? err : weir_tracks_init(&show->tracks, export->reader,
					    &show->packets);
}

static int put_perfetto_event(struct weir_export *export,
			      const struct weir_dump_event *described)
{
	struct show *show = export->own;
	int err = weir_tracks_need(&show->tracks, described);

	if (err)
		return err;
	if (described->event->call == WEIR_NOTE_LOSS)
		return put_loss(show, described);
	err = enter_slice(show, described);
	if (!err && is_mark(described->call))
		err = put_mark(show, described);
	return err;
}

/* What somebody who has only this file should know. */
static int put_summary(struct show *show)
{
	const struct weir_reader *reader = show->export->reader;
	struct weir_packets *packets = &show->packets;
	struct weir_reader_losses losses;
	const char *trace = show->export->trace;
	int err = weir_tracks_add(&show->tracks, WEIR_TRACKS_EXPORT, 0,
				  "weir export");

	if (err)
		return err;
	weir_reader_losses(reader, &losses);
	weir_packets_event(packets, INSTANT, WEIR_TRACKS_EXPORT);
	packets->event.name = (char *)(weir_reader_is_damaged(reader) ?
					       "a damaged trace" :
					       "a whole trace");
	err = weir_packets_note_text(packets, "trace",
				     weir_packets_safe(packets, trace,
						       strlen(trace)));
	if (!err)
		err = weir_packets_note_text(packets, "exported_by",
					     (char *)"weir " WEIR_VERSION);
	if (!err)
		err = weir_packets_note_unsigned(packets, "dropped",
						 losses.dropped);
	if (!err)
		err = weir_packets_note_unsigned(packets, "lost",
						 losses.lost);
	if (!err)
		err = weir_packets_note_unsigned(packets, "overwritten",
						 losses.overwritten);
	if (!err)
		err = weir_packets_note_unsigned(packets, "damaged",
						 losses.damaged_events);
	return err ? err : weir_packets_write(packets, show->begin);
}

static int end_perfetto(struct weir_export *export)
{
	struct show *show = export->own;
	int err = weir_nesting_finish(&show->nesting);

	if (!err)
		err = put_summary(show);
	export->changed = show->nesting.changed;
	return err ? err : weir_text_flush(&show->packets.out);
}

static void leave_perfetto(struct weir_export *export)
{
	struct show *show = export->own;

	if (!show)
		return;
	if (show->packets.out.fd >= 0)
		close(show->packets.out.fd);
	weir_packets_fini(&show->packets);
	weir_nesting_fini(&show->nesting);
	weir_callbook_fini(&show->calls);
	weir_tracks_fini(&show->tracks);
	weir_text_fini(&show->line);
	free(show);
}

const struct weir_export_format weir_to_perfetto = {
	.name = "perfetto",
	.begin = begin_perfetto,
	.event = put_perfetto_event,
	.end = end_perfetto,
	.leave = leave_perfetto,
};
