/* SPDX-License-Identifier: BSD-3-Clause */
/* Events for people, much as strace shows them. */
#include "export/dump.h"

#include "export/values.h"
#include "trace/trace_layout.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#define TIME_WIDTH 15
#define PID_WIDTH  8

/* Time 0 on the calendar, and who was recorded. */
/* Many nodes may be of one host: parts of a file that processes share. */
static bool was_told(const struct weir_dump *dump, uint32_t node)
{
	const char *host = weir_reader_node(dump->reader, node)->host;
	uint32_t i = 0;

	while (strcmp(weir_reader_node(dump->reader, i)->host, host))
		i++;
	return i < node;
}

/* Of several hosts: how well their times can be compared. */
static void put_clocks(struct weir_dump *dump)
{
	uint64_t error;

	weir_text_string(&dump->out, "# clocks of the hosts: ");
	if (!weir_reader_clocks(dump->reader, &error)) {
		weir_text_string(&dump->out, "as each had set its own\n");
		return;
	}
	weir_text_string(&dump->out, "compared by messages, right within ");
	weir_text_unsigned(&dump->out, (error + 999) / 1000);
	weir_text_string(&dump->out, " us\n");
}

static void begin(struct weir_dump *dump)
{
	uint32_t hosts = 0;
	uint64_t ns = weir_reader_begin(dump->reader);
	time_t seconds = (time_t)(ns / 1000000000);
	const struct weir_nodeinfo *node;
	char date[64] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	weir_text_string(&dump->out, "# recorded on");
	for (uint32_t i = 0; (node = weir_reader_node(dump->reader, i)); i++) {
		if (was_told(dump, i))
			continue;
		hosts++;
		weir_text_char(&dump->out, ' ');
		weir_text_safe(&dump->out, node->host, strlen(node->host));
	}
	weir_text_string(&dump->out, "; time 0 is ");
	weir_text_string(&dump->out, date);
	weir_text_string(&dump->out, " UTC\n");
	if (hosts > 1)
		put_clocks(dump);
}

static void put_file(struct weir_text *out,
		     const struct weir_dump_event *described)
{
	if (!described->file)
		return;
	weir_text_char(out, '<');
	weir_text_safe(out, described->file, described->file_len);
	weir_text_char(out, '>');
}

static void put_descriptor(struct weir_text *out,
			   const struct weir_dump_event *described)
{
	if (described->event->fd >= 0)
		weir_text_signed(out, described->event->fd);
	else
		weir_text_char(out, '?');
	put_file(out, described);
}

/* Descriptors and strings speak for themselves, numbers get their name. */
static void put_argument(struct weir_text *out,
			 const struct weir_dump_event *described,
			 struct weir_value *value)
{
	char wire = value->kind->wire;

	if (value->kind->place == WEIR_PLACE_HANDLE) {
		put_descriptor(out, described);
		return;
	}
	if (wire != WEIR_WIRE_STRING && wire != WEIR_WIRE_PATH) {
		weir_text_string(out, value->name);
		weir_text_char(out, '=');
	}
	if (value->given)
		weir_values_show(out, value);
	else
		weir_text_char(out, '?');
}

/* Not told at all: buffers; optional and last ones left out; all of a call
 * that never returned but what its entry told. */
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
	if (value->kind->wire == WEIR_WIRE_OPTIONAL)
		return value->given;
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
	static const char *const roles[] = { "read", "write", "get", "put",
					     "fill", "drain" };
	const char *role = described->call->role;

	if (described->event->flags & WEIR_EVENT_ENTERED)
		return 0;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(role, roles[i]))
			return 1;
	return 0;
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
		if (!is_shown(&detail, &value))
			continue;
		if (some++)
			weir_text_string(out, ", ");
		put_argument(out, described, &value);
		placed |= value.kind->place == WEIR_PLACE_OFF;
	}
	if (described->event->flags & WEIR_EVENT_CUT)
		weir_text_string(out, " ...");
	weir_text_char(out, ')');
	if (!placed && is_transfer(described))
		put_position(out, described->event);
}

static void put_failure(struct weir_text *out, int err)
{
	const char *name = strerrorname_np(err);

	weir_text_string(out, "-1 ");
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
		put_failure(out, event->err);
	} else if (strcmp(show, "none")) {
		weir_text_string(out, " = ");
		weir_values_show_number(out, show, (uint64_t)event->ret, 1);
		if (event->flags & WEIR_EVENT_NEWHANDLE)
			put_file(out, described);
	}
	weir_text_string(out, " <");
	weir_text_seconds(out, event->dur, 0);
	weir_text_char(out, '>');
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

static void put_event(struct weir_dump *dump,
		      const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;
	struct weir_text *out = &dump->out;

	weir_text_seconds(out, described->start, TIME_WIDTH);
	weir_text_aligned(out,
			  described->process ? described->process->pid : 0,
			  PID_WIDTH);
	weir_text_char(out, '/');
	weir_text_unsigned(out, event->thread);
	weir_text_string(out, event->thread < 10 ? "   " :
			      event->thread < 100 ? "  " : " ");
	for (unsigned int i = 0; i < event->depth; i++)
		weir_text_string(out, "  ");
	if (event->call == WEIR_NOTE_LOSS) {
		put_loss(out, event);
	} else {
		weir_dump_put_call(out, described);
		put_arguments(out, described);
		if (event->flags & WEIR_EVENT_VFORK)
			weir_text_string(out, " [in a vfork child]");
		put_result(out, described);
	}
	weir_text_char(out, '\n');
}

const struct weir_dump_format weir_as_text = {
	.name = "text",
	.begin = begin,
	.event = put_event,
};
