/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answer to a query for programs: CSV or JSON lines. */
#include "report/query/query_rows.h"

#include "report/query/query_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_id(struct weir_fields *f, const struct weir_query_row *row)
{
	char id[64];
	int len = snprintf(id, sizeof(id), "%" PRIu32 ".%" PRIu32 ".%" PRIu64,
			   row->id.proc, row->id.thread, row->id.index);

	weir_fields_text(f, "id", id, (size_t)len);
	weir_fields_seconds(f, "start", row->start);
}

static void put_client(struct weir_fields *f,
		       const struct weir_query_row *row, unsigned group,
		       uint64_t number)
{
	const char *word = weir_query_words_is_rank(row, group) ? "rank" :
								  "process";

	weir_fields_number(f, "client", number);
	weir_fields_text(f, "client_is", word, strlen(word));
}

static void put_key(struct weir_fields *f,
		    const struct weir_answer *answer,
		    const struct weir_query_row *row, unsigned group)
{
	enum weir_query_key key = answer->query->groups[group];
	const char *name = weir_queryparse_keys[key];
	struct weir_query_key_value value = { .is_there = false };

	if (!f->heading)
		value = weir_query_words_key(answer, row, group);
	if (key == WEIR_QUERY_ID)
		put_id(f, row);
	else if (key == WEIR_QUERY_CLIENT)
		put_client(f, row, group, value.number);
	else if (!value.is_there)
		weir_fields_none(f, name);
	else if (value.text)
		weir_fields_text(f, name, value.text, value.len);
	else
		weir_fields_number(f, name, value.number);
}

static void put_answer_row(struct weir_fields *f,
			   const struct weir_answer *answer,
			   const struct weir_query_row *row)
{
	const struct weir_query_words *words =
		&weir_query_words[answer->query->metric];
	const char *how = row->is_estimate ? "estimate" : "exact";
	int whole = words->is_count ? 0 : words->decimals;
	double calls = (double)(row->calls + !row->calls);

	for (unsigned i = 0; i < answer->query->group_count; i++)
		put_key(f, answer, row, i);
	weir_fields_number(f, "calls", row->calls);
	weir_fields_decimal(f, "mean", words->scale * (row->sum / calls),
			    words->decimals);
	weir_fields_decimal(f, "min", words->scale * row->least, whole);
	if (answer->query->percentiles) {
		weir_fields_decimal(f, "p50", words->scale * row->p50, whole);
		weir_fields_decimal(f, "p90", words->scale * row->p90, whole);
		weir_fields_decimal(f, "p99", words->scale * row->p99, whole);
	}
	weir_fields_decimal(f, "max", words->scale * row->most, whole);
	if (words->has_total)
		weir_fields_decimal(f, "total", words->scale * row->sum,
				    whole);
	else
		weir_fields_none(f, "total");
	weir_fields_text(f, "unit", words->unit, strlen(words->unit));
	weir_fields_text(f, "how", how, strlen(how));
	weir_fields_end(f);
}

void weir_query_rows_write(struct weir_text *out, enum weir_fields_form form,
			   const struct weir_answer *answer)
{
	static const struct weir_query_row none;
	struct weir_fields f = { .out = out, .form = form, .heading = 1 };

	put_answer_row(&f, answer, &none);
	f.heading = 0;
	for (uint32_t i = 0; i < answer->rows.count; i++)
		put_answer_row(&f, answer, &answer->rows.rows[i]);
}
