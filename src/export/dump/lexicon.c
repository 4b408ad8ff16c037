/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the dictionaries that a trace carries. */
#include "export/dump/lexicon.h"

#include "base/text.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

/* A dictionary being written. */
struct lexicon {
	struct weir_text out;
	const struct weir_reader *reader;
	const struct weir_dictionary *dictionary;
	uint32_t number; /* from 1 */
	uint32_t node;   /* the first that has it */
	size_t width[3]; /* of columns */
};

enum { KIND, LAYER, ROLE };

/* What each thing is written like. */
struct weir_lexicon_format {
	const char *name;
	const char *heading; /* of the whole */
	void (*open)(struct lexicon *of);
	void (*title_kinds)(struct lexicon *of);
	void (*title_calls)(struct lexicon *of);
	void (*kind)(struct lexicon *of, const struct weir_kind *kind);
	void (*call)(struct lexicon *of, uint32_t id,
		     const struct weir_call *call);
};

/* The next node from `node` on that has this dictionary, or NULL. */
static const struct weir_nodeinfo *next_host(const struct lexicon *of,
					     uint32_t *node)
{
	const struct weir_nodeinfo *info;

	for (; (info = weir_reader_node(of->reader, *node)); ++*node)
		if (weir_reader_dictionary(of->reader, *node) ==
		    of->dictionary)
			break;
	return info;
}

static const char *layer_of(const struct weir_call *call)
{
	return call->layer ? call->layer : "-";
}

static void put_padded(struct weir_text *out, const char *word, size_t width)
{
	weir_text_string(out, word);
	for (size_t n = strlen(word); n < width + 2; n++)
		weir_text_char(out, ' ');
}

static void open_text(struct lexicon *of)
{
	const struct weir_nodeinfo *info;

	weir_text_string(&of->out, of->number > 1 ? "\n# dictionary of" :
						    "# dictionary of");
	for (uint32_t i = of->node; (info = next_host(of, &i)); i++) {
		weir_text_char(&of->out, ' ');
		weir_text_safe(&of->out, info->host, strlen(info->host));
	}
	weir_text_char(&of->out, '\n');
}

static void title_kinds(struct lexicon *of)
{
	weir_text_char(&of->out, '\n');
	put_padded(&of->out, "kind", of->width[KIND]);
	weir_text_string(&of->out, "wire  place   show\n");
}

static void title_calls(struct lexicon *of)
{
	weir_text_string(&of->out, "\n   id  ");
	put_padded(&of->out, "layer", of->width[LAYER]);
	put_padded(&of->out, "role", of->width[ROLE]);
	put_padded(&of->out, "result", of->width[KIND]);
	weir_text_string(&of->out, "call\n");
}

static void kind_text(struct lexicon *of, const struct weir_kind *kind)
{
	char wire[] = { kind->wire, 0 };

	put_padded(&of->out, kind->name, of->width[KIND]);
	put_padded(&of->out, wire, 4);
	put_padded(&of->out, kind->place_word, 6);
	weir_text_string(&of->out, kind->show);
	weir_text_char(&of->out, '\n');
}

static void call_text(struct lexicon *of, uint32_t id,
		      const struct weir_call *call)
{
	weir_text_aligned(&of->out, id, 5);
	weir_text_string(&of->out, "  ");
	put_padded(&of->out, layer_of(call), of->width[LAYER]);
	put_padded(&of->out, call->role, of->width[ROLE]);
	put_padded(&of->out, call->result->name, of->width[KIND]);
	weir_text_string(&of->out, call->name);
	weir_text_char(&of->out, '(');
	for (uint32_t i = 0; i < call->argument_count; i++) {
		weir_text_string(&of->out, i ? ", " : "");
		weir_text_string(&of->out, call->arguments[i].kind->name);
		weir_text_char(&of->out, ' ');
		weir_text_string(&of->out, call->arguments[i].name);
	}
	weir_text_string(&of->out, ")\n");
}

/* Words of a dictionary have nothing in them that JSON or CSV would mind. */
static void put_key(struct lexicon *of, const char *key, const char *word)
{
	weir_text_string(&of->out, ",\"");
	weir_text_string(&of->out, key);
	weir_text_string(&of->out, "\":\"");
	weir_text_string(&of->out, word);
	weir_text_char(&of->out, '"');
}

static void begin_json(struct lexicon *of)
{
	weir_text_string(&of->out, "{\"dictionary\":");
	weir_text_unsigned(&of->out, of->number);
}

static void open_json(struct lexicon *of)
{
	const struct weir_nodeinfo *info;

	begin_json(of);
	weir_text_string(&of->out, ",\"hosts\":[");
	for (uint32_t i = of->node; (info = next_host(of, &i)); i++) {
		if (i != of->node)
			weir_text_char(&of->out, ',');
		weir_text_json(&of->out, info->host, strlen(info->host));
	}
	weir_text_string(&of->out, "]}\n");
}

static void kind_json(struct lexicon *of, const struct weir_kind *kind)
{
	char wire[] = { kind->wire, 0 };

	begin_json(of);
	put_key(of, "kind", kind->name);
	put_key(of, "wire", wire);
	put_key(of, "place", kind->place_word);
	put_key(of, "show", kind->show);
	weir_text_string(&of->out, "}\n");
}

static void put_traits(struct lexicon *of, uint32_t traits)
{
	bool some = false;

	weir_text_string(&of->out, ",\"traits\":[");
	for (int i = 0; i < WEIR_TRAIT_COUNT; i++) {
		if (!(traits >> i & 1))
			continue;
		weir_text_string(&of->out, some ? ",\"" : "\"");
		weir_text_string(&of->out, weir_trait_words[i]);
		weir_text_char(&of->out, '"');
		some = true;
	}
	weir_text_char(&of->out, ']');
}

/* As the trace tells it; of what is guessed nothing is said. */
static void put_meaning(struct lexicon *of, const struct weir_call *call)
{
	const struct weir_meaning *means = &call->means;
	const struct {
		const char *what;
		uint8_t argument;
	} told[] = {
		{ "name", means->name }, { "to", means->to },
		{ "off", means->off },	 { "len", means->len },
	};

	if (means->is_guessed)
		return;
	put_key(of, "class", weir_means_words[means->class]);
	put_traits(of, means->traits);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		if (told[i].argument)
			put_key(of, told[i].what,
				call->arguments[told[i].argument - 1].name);
}

static void call_json(struct lexicon *of, uint32_t id,
		      const struct weir_call *call)
{
	begin_json(of);
	put_key(of, "call", call->name);
	weir_text_string(&of->out, ",\"id\":");
	weir_text_unsigned(&of->out, id);
	if (call->layer)
		put_key(of, "layer", call->layer);
	put_key(of, "result", call->result->name);
	put_key(of, "role", call->role);
	put_meaning(of, call);
	weir_text_string(&of->out, ",\"args\":[");
	for (uint32_t i = 0; i < call->argument_count; i++) {
		weir_text_string(&of->out, i ? ",{\"name\":\"" :
					       "{\"name\":\"");
		weir_text_string(&of->out, call->arguments[i].name);
		weir_text_char(&of->out, '"');
		put_key(of, "kind", call->arguments[i].kind->name);
		weir_text_char(&of->out, '}');
	}
	weir_text_string(&of->out, "]}\n");
}

/* The columns from `name` on; they all have their place in each row. */
static void begin_csv(struct lexicon *of, const char *what, const char *name)
{
	weir_text_unsigned(&of->out, of->number);
	weir_text_char(&of->out, ',');
	weir_text_string(&of->out, what);
	weir_text_char(&of->out, ',');
	weir_text_string(&of->out, name);
	weir_text_char(&of->out, ',');
}

static void kind_csv(struct lexicon *of, const struct weir_kind *kind)
{
	begin_csv(of, "kind", kind->name);
	weir_text_char(&of->out, kind->wire);
	weir_text_char(&of->out, ',');
	weir_text_string(&of->out, kind->place_word);
	weir_text_char(&of->out, ',');
	weir_text_string(&of->out, kind->show);
	weir_text_string(&of->out, ",,,,,\n");
}

static void call_csv(struct lexicon *of, uint32_t id,
		     const struct weir_call *call)
{
	const char *const words[] = { call->layer ? call->layer : "",
				      call->result->name, call->role };

	begin_csv(of, "call", call->name);
	weir_text_string(&of->out, ",,,");
	weir_text_unsigned(&of->out, id);
	for (int i = 0; i < 3; i++) {
		weir_text_char(&of->out, ',');
		weir_text_string(&of->out, words[i]);
	}
	for (uint32_t i = 0; i < call->argument_count; i++) {
		weir_text_char(&of->out, i ? ' ' : ',');
		weir_text_string(&of->out, call->arguments[i].name);
		weir_text_char(&of->out, ':');
		weir_text_string(&of->out, call->arguments[i].kind->name);
	}
	weir_text_string(&of->out, call->argument_count ? "\n" : ",\n");
}

static void no_title(struct lexicon *of)
{
}

static const struct weir_lexicon_format formats[] = {
	{ "text", "", open_text, title_kinds, title_calls, kind_text,
	  call_text },
	{ "jsonl", "", open_json, no_title, no_title, kind_json, call_json },
	{ "csv",
	  "dictionary,what,name,wire,place,show,id,layer,result,role,args\n",
	  no_title, no_title, no_title, kind_csv, call_csv },
};

const struct weir_lexicon_format *weir_lexicon_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static void widen(struct lexicon *of, int column, const char *word)
{
	if (strlen(word) > of->width[column])
		of->width[column] = strlen(word);
}

static const struct weir_call *call_at(const struct lexicon *of, uint32_t id)
{
	return weir_dictionary_call(of->dictionary, (uint16_t)id);
}

/* No column is narrower than its title. */
static void measure(struct lexicon *of)
{
	const struct weir_kind *kind;
	const struct weir_call *call;

	widen(of, KIND, "result");
	widen(of, LAYER, "layer");
	widen(of, ROLE, "role");
	for (uint32_t i = 0;
	     (kind = weir_dictionary_kind(of->dictionary, i)); i++)
		widen(of, KIND, kind->name);
	for (uint32_t id = 0; id < WEIR_NOTE_FIRST; id++) {
		call = call_at(of, id);
		if (!call)
			continue;
		widen(of, LAYER, layer_of(call));
		widen(of, ROLE, call->role);
	}
}

static void put_dictionary(struct lexicon *of,
			   const struct weir_lexicon_format *format)
{
	const struct weir_kind *kind;

	measure(of);
	format->open(of);
	format->title_calls(of);
	for (uint32_t id = 0; id < WEIR_NOTE_FIRST; id++)
		if (call_at(of, id))
			format->call(of, id, call_at(of, id));
	format->title_kinds(of);
	for (uint32_t i = 0;
	     (kind = weir_dictionary_kind(of->dictionary, i)); i++)
		format->kind(of, kind);
}

int weir_lexicon_write(const struct weir_reader *reader,
		       const struct weir_lexicon_format *format, int fd,
		       uint32_t *ret_count)
{
	struct lexicon of = { .reader = reader };
	int err = weir_text_init(&of.out, fd);

	if (err)
		return err;
	weir_text_string(&of.out, format->heading);
	for (; weir_reader_node(reader, of.node); of.node++) {
		uint32_t first = 0;

		of.dictionary = weir_reader_dictionary(reader, of.node);
		next_host(&of, &first);
		if (!of.dictionary || first != of.node)
			continue;
		of.number++;
		memset(of.width, 0, sizeof(of.width));
		put_dictionary(&of, format);
	}
	err = weir_text_flush(&of.out);
	weir_text_fini(&of.out);
	*ret_count = of.number;
	return err;
}
