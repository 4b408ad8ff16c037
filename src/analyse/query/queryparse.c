/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the language of weir query. */
#include "analyse/query/queryparse.h"

#include "analyse/calls/traffic.h"
#include "base/nearest.h"
#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 32 /* bytes of a word that a message repeats */

const char *const weir_queryparse_metrics[WEIR_QUERY_METRICS] = {
	[WEIR_QUERY_LATENCY] = "latency",
	[WEIR_QUERY_THROUGHPUT] = "throughput",
	[WEIR_QUERY_COUNT] = "count",
	[WEIR_QUERY_BYTES] = "bytes",
	[WEIR_QUERY_AVG_LATENCY] = "avg_latency",
	[WEIR_QUERY_IO_NODES] = "io_nodes",
	[WEIR_QUERY_COMM_TIME] = "comm_time",
	[WEIR_QUERY_DISK_ACCESSES] = "disk_accesses",
	[WEIR_QUERY_POWER] = "power",
	[WEIR_QUERY_ENERGY] = "energy",
};

const char *const weir_queryparse_keys[WEIR_QUERY_KEYS] = {
	[WEIR_QUERY_ID] = "id",		  [WEIR_QUERY_CALL] = "call",
	[WEIR_QUERY_LAYER] = "layer",	  [WEIR_QUERY_CLIENT] = "client",
	[WEIR_QUERY_RANK] = "rank",	  [WEIR_QUERY_PROCESS] = "process",
	[WEIR_QUERY_PROGRAM] = "program", [WEIR_QUERY_SERVER] = "server",
	[WEIR_QUERY_SEGMENT] = "segment", [WEIR_QUERY_FILE] = "file",
	[WEIR_QUERY_MOUNT] = "mount",	  [WEIR_QUERY_SIZE] = "size",
	[WEIR_QUERY_ERRNO] = "errno",	  [WEIR_QUERY_HOST] = "host",
	[WEIR_QUERY_OP] = "op",		  [WEIR_QUERY_TIME] = "time",
	[WEIR_QUERY_LINE] = "line",
};

enum clause { INCLUSIVE, EXCLUSIVE, PERCENTILES, OF, BY, WHERE, TOP, CLAUSES };

static const char *const clause_words[CLAUSES] = {
	[INCLUSIVE] = "inclusive",     [EXCLUSIVE] = "exclusive",
	[PERCENTILES] = "percentiles", [OF] = "of",
	[BY] = "by",		       [WHERE] = "where",
	[TOP] = "top",
};

/* A word, one of `,' and `=', or nothing: the end. */
struct token {
	char *word; /* unquoted, in the query's memory */
	unsigned column;
	char sign; /* 'w' of words, 'q' of quoted ones, 0 at the end */
};

struct parser {
	const char *text, *at;
	char *free; /* where the next word goes */
	struct token now;
	struct weir_query *query;
	struct weir_query_mistake *mistake;
	unsigned said; /* clauses, as bits */
};

static int fail_at(struct parser *p, unsigned column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail_at(struct parser *p, unsigned column, const char *format, ...)
{
	va_list args;

	p->mistake->column = column;
	va_start(args, format);
	vsnprintf(p->mistake->text, sizeof(p->mistake->text), format, args);
	va_end(args);
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool ends_word(char c)
{
	return !c || is_blank(c) || c == ',' || c == '=' || c == '"' ||
	       c == '\'';
}

static int take_quoted(struct parser *p)
{
	char quote = *p->at++;

	while (*p->at && *p->at != quote)
		*p->free++ = *p->at++;
	if (!*p->at)
		return fail_at(p, p->now.column, "the quote is not closed");
	p->at++;
	if (!ends_word(*p->at))
		return fail_at(p, (unsigned)(p->at - p->text) + 1,
			       "expected a blank or a comma behind the quote");
	p->now.sign = 'q';
	return 0;
}

/* Goes on to the next token. */
static int advance(struct parser *p)
{
	int err = 0;

	while (is_blank(*p->at))
		p->at++;
	p->now = (struct token){ .word = p->free,
				 .column = (unsigned)(p->at - p->text) + 1 };
	if (*p->at == ',' || *p->at == '=') {
		p->now.sign = *p->at;
		*p->free++ = *p->at++;
	} else if (*p->at == '"' || *p->at == '\'') {
		err = take_quoted(p);
	} else if (*p->at) {
		p->now.sign = 'w';
		while (!ends_word(*p->at))
			*p->free++ = *p->at++;
	}
	*p->free++ = '\0';
	return err;
}

static bool is_word(const struct token *token, const char *word)
{
	return token->sign == 'w' && !strcmp(token->word, word);
}

/* The token for a message: safe, and not long. */
static const char *shown(const struct token *token, char room[SHOWN + 8])
{
	size_t n = 0;

	if (!token->sign)
		return "the end";
	room[n++] = '`';
	for (const char *c = token->word; *c && n <= SHOWN; c++)
		room[n++] = *c >= ' ' && *c <= '~' ? *c : '?';
	strcpy(room + n, n > SHOWN ? "...'" : "'");
	return room;
}

/* Which word of a table it is; `what` says what the table is of. */
static int take_of_table(struct parser *p, const char *what,
			 const char *const *table, unsigned count,
			 unsigned *ret_which)
{
	struct weir_nearest nearest;
	char room[SHOWN + 8], list[256] = "";
	size_t used = 0;

	weir_nearest_init(&nearest, p->now.word, strlen(p->now.word));
	for (unsigned i = 0; i < count; i++) {
		if (is_word(&p->now, table[i])) {
			*ret_which = i;
			return advance(p);
		}
		weir_nearest_offer(&nearest, table[i]);
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", i ? ", " : "", table[i]);
	}
	if (p->now.sign == 'w' && nearest.best)
		return fail_at(p, p->now.column,
			       "expected %s, not %s; did you mean %s?", what,
			       shown(&p->now, room), nearest.best);
	return fail_at(p, p->now.column, "expected %s, not %s: one of %s", what,
		       shown(&p->now, room), list);
}

static int take_groups(struct parser *p)
{
	struct weir_query *query = p->query;
	unsigned group, column;
	int err;

	do {
		err = advance(p); /* the word `by', or the comma */
		column = p->now.column;
		if (!err)
			err = take_of_table(p, "a group", weir_queryparse_keys,
					    WEIR_QUERY_GROUPS, &group);
		if (err)
			return err;
		if (weir_queryparse_groups(query, group))
			return fail_at(p, column, "`%s' is there twice",
				       weir_queryparse_keys[group]);
		query->groups[query->group_count++] = group;
	} while (p->now.sign == ',');
	return 0;
}

/* N or N-M, up to the end. */
static bool read_range(const char *text, uint64_t *ret_from, uint64_t *ret_to)
{
	char first[24];
	const char *dash = strchr(text, '-');
	size_t len = dash ? (size_t)(dash - text) : strlen(text);

	if (len >= sizeof(first))
		return false;
	memcpy(first, text, len);
	first[len] = '\0';
	if (weir_number_parse(first, ret_from) ||
	    weir_number_parse(dash ? dash + 1 : first, ret_to))
		return false;
	return *ret_from <= *ret_to;
}

static bool read_text(char *word, struct weir_query_value *value)
{
	value->text = word;
	return *word;
}

static bool read_number(char *word, struct weir_query_value *value)
{
	return read_range(word, &value->from, &value->to);
}

/* SIZE, SIZE- or SIZE-SIZE. */
static bool read_sizes(char *word, struct weir_query_value *value)
{
	char *dash = strchr(word, '-');
	const char *to = dash ? dash + 1 : word;

	if (dash)
		*dash = '\0';
	if (weir_number_parse_size(word, &value->from))
		return false;
	value->to = UINT64_MAX;
	return (dash && !*to) || (!weir_number_parse_size(to, &value->to) &&
				  value->from <= value->to);
}

static bool read_id(char *word, struct weir_query_value *value)
{
	return weir_tree_id_parse(word, &value->id);
}

static bool read_op(char *word, struct weir_query_value *value)
{
	value->ways = !strcmp(word, "read") ? WEIR_TRAFFIC_READ :
		      !strcmp(word, "write") ? WEIR_TRAFFIC_WRITE : 0;
	return value->ways;
}

static bool read_time(char *word, struct weir_query_value *value)
{
	return !weir_number_parse_span(word, &value->from, &value->to);
}

/* FILE:N or FILE:N-M; the last colon counts. */
static bool read_line(char *word, struct weir_query_value *value)
{
	char *colon = strrchr(word, ':');

	if (!colon || colon == word)
		return false;
	*colon = '\0';
	value->text = word;
	return read_range(colon + 1, &value->from, &value->to);
}

static const struct {
	bool (*read)(char *word, struct weir_query_value *value);
	const char *takes;
} forms[WEIR_QUERY_KEYS] = {
	[WEIR_QUERY_ID] = { read_id, "an id as weir dump prints it, 1.1.0" },
	[WEIR_QUERY_CALL] = { read_text, "a name or a pattern" },
	[WEIR_QUERY_LAYER] = { read_text, "the name of a layer" },
	[WEIR_QUERY_CLIENT] = { read_number, "a number, or two as in 0-3" },
	[WEIR_QUERY_RANK] = { read_number, "a number, or two as in 0-3" },
	[WEIR_QUERY_PROCESS] = { read_number, "a number, or two as in 70-90" },
	[WEIR_QUERY_PROGRAM] = { read_text, "a path or a pattern" },
	[WEIR_QUERY_SERVER] = { read_number, "a number, or two as in 0-3" },
	[WEIR_QUERY_SEGMENT] = { read_text, "a name or a pattern" },
	[WEIR_QUERY_FILE] = { read_text, "a path or a pattern" },
	[WEIR_QUERY_MOUNT] = { read_text, "a directory or a pattern" },
	[WEIR_QUERY_SIZE] = { read_sizes, "a size, or two as in 4K-1M" },
	[WEIR_QUERY_ERRNO] = { read_text, "a name like ENOENT, a pattern, or "
					  "0 for success" },
	[WEIR_QUERY_HOST] = { read_text, "a name or a pattern" },
	[WEIR_QUERY_OP] = { read_op, "read or write" },
	[WEIR_QUERY_TIME] = { read_time, "two times as in 1.5-2 or 10ms-" },
	[WEIR_QUERY_LINE] = { read_line, "FILE:LINE or FILE:FROM-TO" },
};

static int take_value(struct parser *p, struct weir_query_condition *to)
{
	char room[SHOWN + 8];
	struct token token = p->now;

	if (to->count == WEIR_QUERY_VALUES)
		return fail_at(p, token.column, "more than %d values",
			       WEIR_QUERY_VALUES);
	shown(&token, room);
	if ((token.sign != 'w' && token.sign != 'q') ||
	    !forms[to->key].read(token.word, &to->values[to->count]))
		return fail_at(p, token.column, "`%s' takes %s, not %s",
			       weir_queryparse_keys[to->key],
			       forms[to->key].takes,
			       token.sign ? room : "the end");
	to->count++;
	return advance(p);
}

static int take_condition(struct parser *p)
{
	struct weir_query *query = p->query;
	struct weir_query_condition *to;
	char room[SHOWN + 8];
	unsigned key;
	int err = advance(p); /* `where' or `and' */

	if (query->condition_count == WEIR_QUERY_CONDITIONS)
		return fail_at(p, p->now.column, "more than %d conditions",
			       WEIR_QUERY_CONDITIONS);
	if (!err)
		err = take_of_table(p, "a key", weir_queryparse_keys,
				    WEIR_QUERY_KEYS, &key);
	if (err)
		return err;
	if (p->now.sign != '=')
		return fail_at(p, p->now.column,
			       "expected `=' after `%s', not %s",
			       weir_queryparse_keys[key], shown(&p->now, room));
	to = &query->conditions[query->condition_count++];
	to->key = key;
	do {
		err = advance(p); /* `=' or the comma */
		if (!err)
			err = take_value(p, to);
	} while (!err && p->now.sign == ',');
	return err;
}

static int take_conditions(struct parser *p)
{
	int err;

	do
		err = take_condition(p);
	while (!err && is_word(&p->now, "and"));
	return err;
}

static int take_of(struct parser *p)
{
	char room[SHOWN + 8];
	int err = advance(p);

	if (err)
		return err;
	if ((p->now.sign != 'w' && p->now.sign != 'q') || !*p->now.word)
		return fail_at(p, p->now.column,
			       "expected the name of a layer, "
			       "not %s",
			       shown(&p->now, room));
	p->query->of = p->now.word;
	return advance(p);
}

static int take_top(struct parser *p)
{
	char room[SHOWN + 8];
	int err = advance(p);

	if (err)
		return err;
	if (p->now.sign != 'w' ||
	    weir_number_parse(p->now.word, &p->query->top) || !p->query->top)
		return fail_at(p, p->now.column,
			       "expected a number of rows, not "
			       "%s",
			       shown(&p->now, room));
	return advance(p);
}

static int take_way(struct parser *p)
{
	p->query->exclusive = is_word(&p->now, clause_words[EXCLUSIVE]);
	p->said |= 1u << INCLUSIVE | 1u << EXCLUSIVE;
	return advance(p);
}

static int take_percentiles(struct parser *p)
{
	p->query->percentiles = true;
	return advance(p);
}

static int take_clause(struct parser *p)
{
	static int (*const takers[CLAUSES])(struct parser *p) = {
		[INCLUSIVE] = take_way,		[EXCLUSIVE] = take_way,
		[PERCENTILES] = take_percentiles, [OF] = take_of,
		[BY] = take_groups,		[WHERE] = take_conditions,
		[TOP] = take_top,
	};
	const char *left[CLAUSES];
	unsigned count = 0, ignored;

	for (unsigned i = 0; i < CLAUSES; i++) {
		if (p->said >> i & 1)
			continue;
		if (is_word(&p->now, clause_words[i])) {
			p->said |= 1u << i;
			return takers[i](p);
		}
		left[count++] = clause_words[i];
	}
	if (!count)
		return fail_at(p, p->now.column, "expected the end");
	return take_of_table(p, "a clause", left, count, &ignored);
}

bool weir_queryparse_groups(const struct weir_query *query,
			    enum weir_query_key key)
{
	for (unsigned i = 0; i < query->group_count; i++)
		if (query->groups[i] == key)
			return true;
	return false;
}

bool weir_queryparse_groups_clients(const struct weir_query *query)
{
	return weir_queryparse_groups(query, WEIR_QUERY_CLIENT) ||
	       weir_queryparse_groups(query, WEIR_QUERY_RANK) ||
	       weir_queryparse_groups(query, WEIR_QUERY_PROCESS) ||
	       weir_queryparse_groups(query, WEIR_QUERY_PROGRAM);
}

bool weir_queryparse_has_below(enum weir_query_metric metric)
{
	return metric == WEIR_QUERY_LATENCY ||
	       metric == WEIR_QUERY_THROUGHPUT ||
	       metric == WEIR_QUERY_AVG_LATENCY;
}

/* What nobody has said. */
static void fill_in(struct weir_query *query)
{
	bool by_layer = query->metric <= WEIR_QUERY_AVG_LATENCY;

	if (query->group_count)
		return;
	query->groups[query->group_count++] =
		query->metric == WEIR_QUERY_AVG_LATENCY ? WEIR_QUERY_SEGMENT
							: WEIR_QUERY_CALL;
	if (by_layer)
		query->groups[query->group_count++] = WEIR_QUERY_LAYER;
}

static const struct weir_query_condition *
find_condition(const struct weir_query *query, enum weir_query_key key)
{
	for (unsigned i = 0; i < query->condition_count; i++)
		if (query->conditions[i].key == key)
			return &query->conditions[i];
	return NULL;
}

/* What cannot be meant, though each word is right. */
static int check_query(struct parser *p)
{
	const struct weir_query *query = p->query;
	const struct weir_query_condition *layers =
		find_condition(query, WEIR_QUERY_LAYER);
	const char *metric = weir_queryparse_metrics[query->metric];
	bool by_layer = weir_queryparse_groups(query, WEIR_QUERY_LAYER);

	if (query->exclusive && !weir_queryparse_has_below(query->metric))
		return fail_at(p, 0,
			       "`%s' is the same inclusive and "
			       "exclusive: leave the word out",
			       metric);
	if (query->metric > WEIR_QUERY_AVG_LATENCY && (layers || by_layer))
		return fail_at(p, 0,
			       "`%s' is not of a layer: leave `layer' out",
			       metric);
	if (query->percentiles && weir_queryparse_groups(query, WEIR_QUERY_ID))
		return fail_at(p, 0,
			       "a call has one figure: leave `percentiles' or "
			       "`id' out");
	if (query->exclusive && !by_layer && (!layers || layers->count != 1))
		return fail_at(p, 0,
			       "what is exclusive to a layer needs `layer' "
			       "in `by', or one in `where'");
	return 0;
}

static int take_query(struct parser *p)
{
	unsigned metric = 0;
	int err = advance(p);

	if (!err)
		err = take_of_table(p, "a metric", weir_queryparse_metrics,
				    WEIR_QUERY_METRICS, &metric);
	p->query->metric = metric;
	while (!err && p->now.sign)
		err = take_clause(p);
	if (err)
		return err;
	fill_in(p->query);
	return check_query(p);
}

int weir_queryparse_read(const char *text, struct weir_query *ret_query,
			 struct weir_query_mistake *ret_mistake)
{
	struct weir_query query = { 0 };
	struct parser p = { .text = text, .at = text, .query = &query,
			    .mistake = ret_mistake };
	size_t len = strlen(text);
	int err;

	if (len > WEIR_QUERY_LENGTH)
		return fail_at(&p, 0, "longer than %d bytes",
			       WEIR_QUERY_LENGTH);
	/* each word has a byte for its end */
	query.words = p.free = malloc(2 * len + 2);
	query.conditions = calloc(WEIR_QUERY_CONDITIONS,
				  sizeof(*query.conditions));
	err = query.words && query.conditions ? take_query(&p) : -ENOMEM;
	if (err)
		weir_queryparse_fini(&query);
	else
		*ret_query = query;
	return err;
}

void weir_queryparse_fini(struct weir_query *query)
{
	free(query->words);
	free(query->conditions);
	*query = (struct weir_query){ 0 };
}

bool weir_queryparse_begins(const char *text)
{
	size_t len;

	while (is_blank(*text))
		text++;
	for (len = 0; !ends_word(text[len]); len++)
		;
	for (int i = 0; i < WEIR_QUERY_METRICS; i++)
		if (strlen(weir_queryparse_metrics[i]) == len &&
		    !strncmp(weir_queryparse_metrics[i], text, len))
			return true;
	return false;
}
