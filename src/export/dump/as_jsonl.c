/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints events as lines of JSON. */
#include "export/dump/dump.h"

#include "export/words/values.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

static void put_number_member(struct weir_text *out, const char *key,
			      int64_t number)
{
	weir_text_string(out, key);
	weir_text_signed(out, number);
}

static void put_who(struct weir_text *out,
		    const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	weir_text_string(out, "{\"start\":");
	weir_text_unsigned(out, described->start);
	weir_text_string(out, ",\"dur\":");
	weir_text_unsigned(out, event->dur);
	if (described->node) {
		weir_text_string(out, ",\"host\":");
		weir_text_json(out, described->node->host,
			       strlen(described->node->host));
	}
	if (described->process)
		put_number_member(out, ",\"pid\":", described->process->pid);
	if (described->process && weir_procinfo_rank(described->process) >= 0)
		put_number_member(out, ",\"rank\":",
				  weir_procinfo_rank(described->process));
	put_number_member(out, ",\"proc\":", event->proc);
	put_number_member(out, ",\"thread\":", event->thread);
	if (described->tid)
		put_number_member(out, ",\"tid\":", described->tid);
	put_number_member(out, ",\"index\":", (int64_t)event->index);
	put_number_member(out, ",\"depth\":", event->depth);
	weir_text_string(out, ",\"call\":\"");
	weir_dump_put_call(out, described);
	weir_text_char(out, '"');
	if (described->call && described->call->layer) {
		weir_text_string(out, ",\"layer\":\"");
		weir_text_string(out, described->call->layer);
		weir_text_char(out, '"');
	}
}

static void put_what(struct weir_text *out,
		     const struct weir_dump_event *described)
{
	const struct weir_event *event = described->event;

	if (event->fd >= 0)
		put_number_member(out, ",\"fd\":", event->fd);
	if (described->file) {
		weir_text_string(out, ",\"file\":");
		weir_text_json(out, described->file, described->file_len);
	}
	if (event->handle)
		put_number_member(out, ",\"handle\":", event->handle);
	weir_text_string(out, ",\"size\":");
	weir_text_unsigned(out, event->size);
	if (!(event->flags & WEIR_EVENT_NOOFF))
		put_number_member(out, ",\"off\":", event->off);
	if (!(event->flags & WEIR_EVENT_ENTERED))
		put_number_member(out, ",\"ret\":", event->ret);
	if (event->flags & WEIR_EVENT_FAILED)
		put_number_member(out, ",\"err\":", event->err);
	weir_text_string(out, ",\"flags\":\"");
	weir_dump_put_flags(out, event->flags, "|");
	weir_text_char(out, '"');
}

static void put_arguments(struct weir_text *out,
			  const struct weir_dump_event *described)
{
	struct weir_detail detail;
	struct weir_value value;
	int some = 0;

	weir_text_string(out, ",\"args\":{");
	weir_detail_start(&detail, described->event, described->call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given)
			continue;
		weir_text_string(out, some++ ? ",\"" : "\"");
		weir_text_string(out, value.name);
		weir_text_string(out, "\":");
		weir_values_json(out, &value);
	}
	weir_text_char(out, '}');
}

static void put_id(struct weir_text *out, const char *key,
		   struct weir_tree_id id)
{
	weir_text_string(out, key);
	weir_text_char(out, '"');
	weir_dump_put_id(out, id);
	weir_text_char(out, '"');
}

/* How it came about; of an unknown caller only who is above may be known. */
static void put_caller(struct weir_text *out,
		       const struct weir_relation *relation)
{
	static const char *const kinds[] = {
		[WEIR_TREE_NESTED] = "{\"kind\":\"nested\"",
		[WEIR_TREE_DEFERRED] = "{\"kind\":\"deferred\"",
		[WEIR_TREE_UNKNOWN] = "{\"kind\":\"unknown\"",
	};

	weir_text_string(out, kinds[relation->place.link]);
	if (relation->above.proc)
		put_id(out,
		       relation->place.link == WEIR_TREE_UNKNOWN ? ",\"above\":"
								 : ",\"to\":",
		       relation->above);
	weir_text_char(out, '}');
}

static void put_completion(struct weir_text *out,
			   const struct weir_links_end *end)
{
	static const char *const kinds[] = {
		[WEIR_LINKS_COMPLETES] = "{\"kind\":\"completes\"",
		[WEIR_LINKS_BATCHED] = "{\"kind\":\"batched\"",
		[WEIR_LINKS_ONE_OF] = "{\"kind\":\"unknown\"",
		[WEIR_LINKS_UNSEEN] = "{\"kind\":\"unknown\"",
	};

	weir_text_string(out, kinds[end->kind]);
	if (end->kind == WEIR_LINKS_COMPLETES ||
	    end->kind == WEIR_LINKS_BATCHED)
		put_id(out, ",\"to\":", end->to);
	else
		put_number_member(out, ",\"open\":", (int64_t)end->open);
	weir_text_char(out, '}');
}

static void put_hex(struct weir_text *out, const char *link, uint64_t number)
{
	weir_text_string(out, link);
	weir_text_hex(out, number);
	weir_text_string(out, "\"}");
}

/* Whether it is one with calls of other processes; if not, why. */
static void put_joint(struct weir_text *out,
		      const struct weir_relation *relation)
{
	const char *why = weir_collective_why(relation->joint);

	if (!why) {
		put_hex(out, "{\"kind\":\"collective\",\"node\":\"",
			relation->key);
		return;
	}
	weir_text_string(out, "{\"kind\":\"unjoined\",\"why\":\"");
	weir_text_string(out, why);
	weir_text_string(out, "\"}");
}

static void put_kin(struct weir_text *out,
		    const struct weir_dump_event *described)
{
	const struct weir_relation *relation = described->relation;
	int some = 0;

	put_id(out, ",\"id\":", weir_tree_id_of(described->event));
	if (relation->place.link == WEIR_TREE_NESTED ||
	    relation->place.link == WEIR_TREE_DEFERRED)
		put_id(out, ",\"parent\":", relation->above);
	else
		weir_text_string(out, ",\"parent\":null");
	weir_text_string(out, ",\"links\":[");
	if (relation->place.link != WEIR_TREE_TOP) {
		put_caller(out, relation);
		some = 1;
	}
	if (relation->end.kind != WEIR_LINKS_NONE) {
		weir_text_string(out, some++ ? "," : "");
		put_completion(out, &relation->end);
	}
	if (relation->joint) {
		weir_text_string(out, some++ ? "," : "");
		put_joint(out, relation);
	}
	if (relation->cause) {
		weir_text_string(out, some++ ? "," : "");
		put_hex(out, "{\"kind\":\"caused\",\"cid\":\"",
			relation->cause);
	}
	if (relation->batch) {
		weir_text_string(out, some ? "," : "");
		put_hex(out, "{\"kind\":\"batched\",\"batch\":\"",
			relation->batch);
	}
	weir_text_char(out, ']');
}

static void put_event_object(struct weir_dump *dump,
			     const struct weir_dump_event *event)
{
	put_who(&dump->out, event);
	if (event->relation)
		put_kin(&dump->out, event);
	put_what(&dump->out, event);
	if (event->call)
		put_arguments(&dump->out, event);
	if (dump->sites)
		weir_sites_put_json(dump->sites, &dump->out, event->event);
	weir_text_string(&dump->out, "}\n");
}

const struct weir_dump_format weir_as_jsonl = {
	.name = "jsonl",
	.shows_sites = 1,
	.event = put_event_object,
};
