/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints events for people, much as strace does. */
#include "export/dump/as_text.h"

#include "export/dump/calltext.h"
#include "export/dump/dump.h"
#include "trace/layout/trace_layout.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#define TIME_WIDTH 15
#define PID_WIDTH  8

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
		weir_text_string(&dump->out, "as each host had set it\n");
		return;
	}
	weir_text_string(&dump->out, "compared by messages, accurate to ");
	weir_text_unsigned(&dump->out, (error + 999) / 1000);
	weir_text_string(&dump->out, " us\n");
}

/* Only those of parallel programs. */
static void put_rank(struct weir_dump *dump,
		     const struct weir_procinfo *process)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(dump->reader, process->number);
	const char *size = weir_procinfo_tells(process, "size");
	struct weir_text *out = &dump->out;

	weir_text_string(out, "# process ");
	weir_text_unsigned(out, process->pid);
	weir_text_string(out, " on ");
	if (node)
		weir_text_safe(out, node->host, strlen(node->host));
	weir_text_string(out, " is rank ");
	weir_text_unsigned(out, (uint64_t)weir_procinfo_rank(process));
	if (size) {
		weir_text_string(out, " of ");
		weir_text_safe(out, size, strlen(size));
	}
	weir_text_char(out, '\n');
}

static void put_ranks(struct weir_dump *dump)
{
	for (uint32_t i = 1; i <= weir_reader_processes(dump->reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(dump->reader, i);

		if (process && weir_procinfo_rank(process) >= 0)
			put_rank(dump, process);
	}
}

void weir_as_text_head(struct weir_dump *dump)
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

static void put_clock_comment(struct weir_dump *dump)
{
	weir_as_text_head(dump);
	put_ranks(dump);
}

static void put_duration(struct weir_text *out,
			 const struct weir_event *event)
{
	if (event->call == WEIR_NOTE_LOSS ||
	    event->flags & WEIR_EVENT_ENTERED)
		return;
	weir_text_string(out, " <");
	weir_text_seconds(out, event->dur, 0);
	weir_text_char(out, '>');
}

static void put_event_line(struct weir_dump *dump,
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
	weir_calltext_put(out, described);
	put_duration(out, event);
	if (dump->sites)
		weir_sites_put_text(dump->sites, out, event);
	weir_text_char(out, '\n');
}

const struct weir_dump_format weir_as_text = {
	.name = "text",
	.shows_sites = 1,
	.begin = put_clock_comment,
	.event = put_event_line,
};
