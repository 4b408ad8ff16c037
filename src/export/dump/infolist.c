/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints arguments and results as word(value)word(value)... */
#include "export/dump/infolist.h"

#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

#define ENTER WEIR_INFOLIST_ENTER
#define EXIT  WEIR_INFOLIST_EXIT

/*
 * Which word a value has, by its kind's name or by how the kind is shown; the
 * first row that fits counts. A row without a word leaves the argument its
 * name, and so does no row at all.
 */
static const struct rule {
	const char *kind, *show, *word;
	enum weir_infolist_side side;
	int is_pointer;
} rules[] = {
	{ "id", NULL, "ptr", ENTER, 1 },
	{ "context", NULL, NULL, ENTER, 1 },
	{ "hint", NULL, NULL, ENTER, 1 },
	{ "at", NULL, NULL, ENTER, 1 },
	{ "target", NULL, "str", EXIT, 0 },
	{ "resolved", NULL, "str", EXIT, 0 },
	{ "statfs", NULL, NULL, EXIT, 0 },
	{ "statvfs", NULL, NULL, EXIT, 0 },
	{ "dirent", NULL, NULL, EXIT, 0 },
	{ "direntp", NULL, NULL, EXIT, 0 },
	{ "ftsent", NULL, NULL, EXIT, 0 },
	{ "ftschild", NULL, NULL, EXIT, 0 },
	{ "globp", NULL, NULL, EXIT, 0 },
	{ NULL, "stat", "stat", EXIT, 0 },
	{ NULL, "fdpair", NULL, EXIT, 0 },
	{ NULL, "cqe_flags", NULL, EXIT, 0 },
	{ NULL, "fd", "fd", ENTER, 0 },
	{ NULL, "quoted", "str", ENTER, 0 },
	{ NULL, "open_flags", "flags", ENTER, 0 },
	{ NULL, "octal", "mode", ENTER, 0 },
	{ NULL, "vector", "ziovec", ENTER, 0 },
	{ NULL, "extents", "yxtvec", ENTER, 0 },
};

/* A walk over the arguments of one call. */
struct walk {
	struct weir_text *out;
	const struct weir_event *event;
	const struct weir_call *call;
	enum weir_infolist_side side;
	int has_buffer;	 /* memory in one place, which is still to be told */
	int is_piece;	 /* the vector is that memory */
	uint64_t buffer; /* where it is; 0: not recorded */
	int has_vector;  /* pieces of memory came by */
};

static const struct rule *rule_of(const struct weir_kind *kind)
{
	static const struct rule none = { NULL, NULL, NULL, ENTER, 0 };

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].kind ? !strcmp(rules[i].kind, kind->name) :
				    !strcmp(rules[i].show, kind->show))
			return &rules[i];
	return &none;
}

static void open_word(struct weir_text *out, const char *word)
{
	weir_text_nested(out, word, strlen(word));
	weir_text_char(out, '(');
}

static void put_unsigned(struct weir_text *out, const char *word,
			 uint64_t number)
{
	open_word(out, word);
	weir_text_unsigned(out, number);
	weir_text_char(out, ')');
}

static void put_signed(struct weir_text *out, const char *word, int64_t number)
{
	open_word(out, word);
	weir_text_signed(out, number);
	weir_text_char(out, ')');
}

static void put_pointer(struct weir_text *out, const char *word,
			uint64_t number)
{
	open_word(out, word);
	weir_text_pointer(out, number);
	weir_text_char(out, ')');
}

static void put_piece(struct weir_text *out, uint64_t base, uint64_t len)
{
	put_pointer(out, "base", base);
	put_unsigned(out, "len", len);
}

/* Pieces beyond those recorded are told as one, so that lengths add up. */
static void put_memory(struct walk *walk, struct weir_value *value)
{
	uint64_t base, len, shown = 0, sum = 0;

	open_word(walk->out, "ziovec");
	while (weir_detail_next_pair(value, &base, &len)) {
		if (shown++)
			weir_text_char(walk->out, ',');
		put_piece(walk->out, base, len);
		sum += len;
	}
	if (shown < value->vector_given) {
		if (shown)
			weir_text_char(walk->out, ',');
		put_piece(walk->out, 0, walk->event->size > sum ?
						walk->event->size - sum : 0);
	}
	weir_text_char(walk->out, ')');
}

static void put_extents(struct walk *walk, struct weir_value *value)
{
	uint64_t off, len, shown = 0;

	open_word(walk->out, "yxtvec");
	while (weir_detail_next_pair(value, &off, &len)) {
		if (shown++)
			weir_text_char(walk->out, ',');
		put_signed(walk->out, "off", (int64_t)off);
		put_unsigned(walk->out, "len", len);
	}
	weir_text_char(walk->out, ')');
}

/* Whether a call tells by extents where in the file its memory goes. */
static int has_extents(const struct weir_call *call)
{
	int memory = 0;

	for (uint32_t i = 0; i < call->argument_count; i++) {
		const struct weir_kind *kind = call->arguments[i].kind;

		if (!strcmp(kind->show, "vector"))
			memory = 1;
		else if (memory && (kind->place == WEIR_PLACE_OFF ||
				    !strcmp(kind->show, "extents")))
			return 1;
	}
	return 0;
}

static void put_vector(struct walk *walk, struct weir_value *value)
{
	if (has_extents(walk->call))
		put_unsigned(walk->out, "count", value->vector_given);
	if (!strcmp(value->kind->show, "extents")) {
		put_extents(walk, value);
		return;
	}
	put_memory(walk, value);
	walk->has_vector = 1;
}

/* The one extent of a call that has pieces of memory and an offset. */
static void put_extent(struct walk *walk, const struct weir_value *value)
{
	put_unsigned(walk->out, "count", 1);
	open_word(walk->out, "yxtvec");
	put_signed(walk->out, "off", (int64_t)value->number);
	put_unsigned(walk->out, "len", walk->event->size);
	weir_text_char(walk->out, ')');
}

static int64_t seconds_of(int64_t ns)
{
	return ns / 1000000000 - (ns % 1000000000 < 0);
}

static void put_stat(struct weir_text *out, const struct weir_value *value)
{
	/* Field of the wire, and its word, in the order of old. */
	static const struct {
		int field;
		const char *word;
	} words[WEIR_DETAIL_STAT_FIELDS] = {
		{ 0, "st_dev" },      { 1, "st_ino" },   { 2, "st_mode" },
		{ 3, "st_nlink" },    { 5, "gid" },      { 4, "uid" },
		{ 6, "st_rdev" },     { 7, "st_size" },  { 8, "st_atime" },
		{ 9, "st_mtime" },    { 10, "st_ctime" },
		{ 11, "st_blksize" }, { 12, "st_blocks" },
	};

	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		uint64_t number = value->stat[words[i].field];

		if (weir_detail_stat_is_time(words[i].field))
			put_signed(out, words[i].word,
				   seconds_of((int64_t)number));
		else
			put_unsigned(out, words[i].word, number);
	}
}

static void put_record(struct weir_text *out, struct weir_value *value)
{
	struct weir_field field;

	while (weir_detail_next_field(value, &field)) {
		weir_text_nested(out, field.name, field.name_len);
		weir_text_char(out, '(');
		if (field.is_text)
			weir_text_nested(out, field.text, field.text_len);
		else
			weir_text_signed(out, field.number);
		weir_text_char(out, ')');
	}
}

/* What stands between the parentheses of a word. */
static void put_inside(struct weir_text *out, struct weir_value *value,
		       int is_pointer)
{
	switch (value->kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		weir_text_nested(out, value->text, value->text_len);
		break;
	case WEIR_WIRE_STAT:
		put_stat(out, value);
		break;
	case WEIR_WIRE_RECORD:
		put_record(out, value);
		break;
	case WEIR_WIRE_PAIR:
		put_signed(out, "fd", (int64_t)value->pair[0]);
		weir_text_char(out, ',');
		put_signed(out, "fd", (int64_t)value->pair[1]);
		break;
	default:
		if (is_pointer)
			weir_text_pointer(out, value->number);
		else if (value->is_signed)
			weir_text_signed(out, (int64_t)value->number);
		else
			weir_text_unsigned(out, value->number);
	}
}

static int is_submission(const struct weir_call *call)
{
	return weir_call_is(call, WEIR_MEANS_SUBMIT);
}

static int is_id(const struct weir_kind *kind)
{
	return !strcmp(kind->name, "id");
}

/* An operation's id is what handing it over gives. */
static enum weir_infolist_side side_of(const struct walk *walk,
				       const struct weir_kind *kind)
{
	return is_id(kind) && is_submission(walk->call) ? EXIT :
							  rule_of(kind)->side;
}

/* Of a call that never returned only its handle and detail are known. */
static int is_told(const struct walk *walk, const struct weir_value *value)
{
	return value->given && side_of(walk, value->kind) == walk->side &&
	       (!(walk->event->flags & WEIR_EVENT_ENTERED) ||
		value->kind->place != WEIR_PLACE_SIZE);
}

/* Memory of a transfer, and whatever else old traces call so. */
static int is_buffer(const struct weir_kind *kind)
{
	static const char *const names[] = { "into", "from", "base",
					     "in",   "out",  "data" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(kind->name, names[i]))
			return 1;
	return 0;
}

static int is_size(const struct weir_kind *kind)
{
	return !strcmp(kind->name, "size");
}

static int has_size(const struct weir_call *call)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (is_size(call->arguments[i].kind))
			return 1;
	return 0;
}

/* One piece of an operation that might have had several. */
static int is_piece(const struct walk *walk, const struct weir_value *value)
{
	return is_submission(walk->call) && has_size(walk->call) &&
	       value->given && value->kind->wire == WEIR_WIRE_VECTOR &&
	       value->vector_given == 1 && value->vector_shown == 1;
}

/* Address and size are told together, wherever the address stands. */
static void find_buffer(struct walk *walk)
{
	struct weir_detail detail;
	struct weir_value value;
	uint64_t len;

	weir_detail_start(&detail, walk->event, walk->call);
	while (weir_detail_next(&detail, &value)) {
		if (is_buffer(value.kind)) {
			walk->has_buffer = 1;
			walk->buffer = value.given ? value.number : 0;
		} else if (is_piece(walk, &value)) {
			walk->has_buffer = walk->is_piece = 1;
			weir_detail_next_pair(&value, &walk->buffer, &len);
		}
	}
}

static void put_buffer(struct walk *walk, uint64_t len)
{
	open_word(walk->out, "ziovec");
	put_piece(walk->out, walk->buffer, len);
	weir_text_char(walk->out, ')');
	walk->has_buffer = 0;
}

static void put_argument(struct walk *walk, struct weir_value *value)
{
	const struct rule *rule = rule_of(value->kind);

	if (value->kind->wire == WEIR_WIRE_VECTOR &&
	    value->kind->place == WEIR_PLACE_DETAIL) {
		put_vector(walk, value);
	} else if (value->kind->place == WEIR_PLACE_OFF && walk->has_vector) {
		put_extent(walk, value);
	} else if (walk->has_buffer && is_size(value->kind)) {
		put_buffer(walk, value->number);
	} else {
		open_word(walk->out, rule->word ? rule->word : value->name);
		put_inside(walk->out, value, rule->is_pointer);
		weir_text_char(walk->out, ')');
	}
}

void weir_infolist_put(struct weir_text *out, const struct weir_event *event,
		       const struct weir_call *call,
		       enum weir_infolist_side side)
{
	struct walk walk = {
		.out = out, .event = event, .call = call, .side = side,
	};
	struct weir_detail detail;
	struct weir_value value;

	find_buffer(&walk);
	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value))
		if (!is_buffer(value.kind) && is_told(&walk, &value) &&
		    !(walk.is_piece && value.kind->wire == WEIR_WIRE_VECTOR))
			put_argument(&walk, &value);
}

static int gives_id(const struct weir_call *call)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (is_id(call->arguments[i].kind))
			return is_submission(call);
	return 0;
}

void weir_infolist_put_result(struct weir_text *out,
			      const struct weir_event *event,
			      const struct weir_call *call)
{
	const char *show = call ? call->result->show : "decimal";

	if (event->flags & WEIR_EVENT_FAILED) {
		put_signed(out, "return", -1);
		put_signed(out, "errno", event->err);
	} else if (call && gives_id(call)) {
		return;
	} else if (!strcmp(show, "hex")) {
		put_pointer(out, "ptr", (uint64_t)event->ret);
	} else if (strcmp(show, "none")) {
		put_signed(out, "return", event->ret);
	}
}
