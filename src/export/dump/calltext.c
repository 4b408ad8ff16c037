/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a call for people: its name, arguments and result. */
#include "export/dump/calltext.h"

#include "export/words/values.h"
#include "export/words/words.h"
#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <string.h>

static void put_file(struct weir_text *out,
		     const struct weir_dump_event *described)
{
	if (!described->file)
		return;
	weir_text_char(out, '<');
	weir_text_safe(out, described->file, described->file_len);
	weir_text_char(out, '>');
}

/* What libraries open has a name and no descriptor. */
static void put_descriptor(struct weir_text *out,
			   const struct weir_dump_event *described)
{
	if (described->event->fd >= 0)
		weir_text_signed(out, described->event->fd);
	else if (!described->file || !weir_tree_is_upper(described->call))
		weir_text_char(out, '?');
	put_file(out, described);
}

static int is_name(const struct weir_kind *kind)
{
	return (kind->wire == WEIR_WIRE_STRING ||
		kind->wire == WEIR_WIRE_PATH) &&
	       strcmp(kind->show, "plain") && strcmp(kind->show, "layout") &&
	       strcmp(kind->show, "hints");
}

/* Descriptors and names speak for themselves, the others are told by name. */
static void put_argument(struct weir_text *out,
			 const struct weir_dump_event *described,
			 struct weir_value *value)
{
	if (value->kind->place == WEIR_PLACE_HANDLE) {
		put_descriptor(out, described);
		return;
	}
	if (!is_name(value->kind)) {
		weir_text_string(out, value->name);
		weir_text_char(out, '=');
	}
	if (value->given)
		weir_values_show(out, value);
	else
		weir_text_char(out, '?');
}

/* Trees show who takes part in a collective call, not by what it is known. */
static int is_of_tree(const struct weir_dump_event *described,
		      const struct weir_value *value)
{
	return described->relation &&
	       (!strcmp(value->name, "coll") || !strcmp(value->name, "seq"));
}

/* Of a call that is not made by several ranks together it is left out. */
static int is_shared(const struct weir_kind *kind)
{
	return !strcmp(kind->name, "collkey") || !strcmp(kind->name, "collseq");
}

/* Not told at all: buffers; no hints; optional and last ones left out; all of
 * a call that never returned but what its entry told. */
static int is_shown(const struct weir_detail *detail,
		    const struct weir_value *value)
{
	const struct weir_event *event = detail->event;

	if (value->kind->place == WEIR_PLACE_NONE)
		return 0;
	if (value->kind->place == WEIR_PLACE_DETAIL && detail->cut &&
	    !value->given && event->detail_len &&
	    !(event->flags & WEIR_EVENT_CUT))
		return 0;
	if (value->kind->wire == WEIR_WIRE_OPTIONAL || is_shared(value->kind))
		return value->given;
	if (!strcmp(value->kind->show, "hints") && value->given)
		return value->text_len > 0;
	if (event->flags & WEIR_EVENT_ENTERED)
		return value->kind->place == WEIR_PLACE_HANDLE;
	return 1;
}

/* Where a transfer went that was not told where to go. */
static void put_position(struct weir_text *out, const struct weir_event *event)
{
	weir_text_string(out, " @");
	if (event->flags & WEIR_EVENT_NOOFF)
		weir_text_char(out, '?');
	else
		weir_text_signed(out, event->off);
}

static int is_transfer(const struct weir_dump_event *described)
{
	if (described->event->flags & WEIR_EVENT_ENTERED)
		return 0;
	switch (described->call->means.class) {
	case WEIR_MEANS_READ:
	case WEIR_MEANS_WRITE:
	case WEIR_MEANS_STREAM_READ:
	case WEIR_MEANS_STREAM_WRITE:
	case WEIR_MEANS_STREAM_FILL:
	case WEIR_MEANS_STREAM_FLUSH:
		return 1;
	default:
		return 0;
	}
}

static void put_arguments(struct weir_text *out,
			  const struct weir_dump_event *described)
{
	struct weir_detail detail;
	struct weir_value value;
	int some = 0, placed = 0;

	weir_text_char(out, '(');
	if (!described->call) {
		weir_text_string(out, "...)");
		return;
	}
	weir_detail_start(&detail, described->event, described->call);
	while (weir_detail_next(&detail, &value)) {
		if (!is_shown(&detail, &value) ||
		    is_of_tree(described, &value))
			continue;
		if (some++)
			weir_text_string(out, ", ");
		put_argument(out, described, &value);
		placed |= value.kind->place == WEIR_PLACE_OFF ||
			  !strcmp(value.name, "extent");
	}
	if (described->event->flags & WEIR_EVENT_CUT)
		weir_text_string(out, " ...");
	weir_text_char(out, ')');
	if (!placed && is_transfer(described))
		put_position(out, described->event);
}

/* Numbers of its own, if it has any; their names are a list. */
static void put_other_failure(struct weir_text *out,
			      const struct weir_call *call, int err)
{
	char list[64];

	snprintf(list, sizeof(list), "%s_error", call->layer);
	if (!weir_words_show(out, list, (uint64_t)err))
		weir_text_signed(out, err);
}

static void put_failure(struct weir_text *out, const struct weir_call *call,
			int err)
{
	const char *name = strerrorname_np(err);

	weir_text_string(out, err ? "-1 " : "-1"); /* 0: nobody says why */
	if (!err)
		return;
	if (weir_tree_is_upper(call)) {
		put_other_failure(out, call, err);
		return;
	}
	if (!name) {
		weir_text_string(out, "errno ");
		weir_text_signed(out, err);
		return;
	}
	weir_text_string(out, name);
	weir_text_string(out, " (");
	weir_text_string(out, strerrordesc_np(err));
	weir_text_char(out, ')');
}

static void put_result(struct weir_text *out,
		       const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	const char *show =
		described->call ? described->call->result->show : "decimal";

	if (event->flags & WEIR_EVENT_ENTERED) {
		weir_text_string(out, " <entered>");
		return;
	}
	if (event->flags & WEIR_EVENT_FAILED) {
		weir_text_string(out, " = ");
		put_failure(out, described->call, event->err);
	} else if (strcmp(show, "none")) {
		weir_text_string(out, " = ");
		weir_values_show_number(out, show, (uint64_t)event->ret, 1);
		if (event->flags & WEIR_EVENT_NEWHANDLE)
			put_file(out, described);
	}
}

static void put_loss(struct weir_text *out, const struct weir_event *event)
{
	weir_text_string(out, "--- ");
	if (event->size)
		weir_text_unsigned(out, event->size);
	else
		weir_text_string(out, "some");
	weir_text_string(out, event->size == 1 ? " call was not recorded" :
						 " calls were not recorded");
	if (event->dur) {
		weir_text_string(out, " in ");
		weir_text_seconds(out, event->dur, 0);
		weir_text_string(out, " s");
	}
	weir_text_string(out, " ---");
}

void weir_calltext_put(struct weir_text *out,
		       const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	if (event->call == WEIR_NOTE_LOSS) {
		put_loss(out, event);
		return;
	}
	weir_dump_put_call(out, described);
	put_arguments(out, described);
	if (event->flags & WEIR_EVENT_VFORK)
		weir_text_string(out, " [in a vfork child]");
	put_result(out, described);
}
