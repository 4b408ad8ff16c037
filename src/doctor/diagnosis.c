/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the doctor's findings as text or JSON. */
#include "doctor/diagnosis.h"

#include "base/text.h"
#include "doctor/doctor.h"

#include <string.h>

/* In JSON, and what the text says after it. */
static const struct {
	const char *word, *more;
} weights[] = {
	[WEIR_CHECK_PREVENTS] = {"prevents", " the trace"},
	[WEIR_CHECK_CUTS] = {"cuts", " the trace"},
	[WEIR_CHECK_SYMPTOM] = {"symptom", ""},
	[WEIR_CHECK_NOTE] = {"note", ""},
};

static void put_line(struct weir_text *out, const char *label,
		     const char *text)
{
	weir_text_string(out, label);
	weir_text_safe(out, text, strlen(text));
	weir_text_char(out, '\n');
}

static void put_found(struct weir_text *out,
		      const struct weir_doctor_result *result)
{
	const struct weir_check *check = result->check;

	weir_text_string(out, weights[check->weight].word);
	weir_text_string(out, weights[check->weight].more);
	weir_text_string(out, ": ");
	weir_text_string(out, check->wrong);
	weir_text_string(out, " [");
	weir_text_string(out, check->name);
	weir_text_string(out, "]\n");
	if (result->where[0])
		put_line(out, "  where: ", result->where);
	if (check->todo)
		put_line(out, "  do:    ", check->todo);
}

static void put_count(struct weir_text *out, size_t count, const char *thing)
{
	weir_text_unsigned(out, count);
	weir_text_char(out, ' ');
	weir_text_string(out, thing);
	if (count != 1)
		weir_text_char(out, 's');
}

void weir_diagnosis_text(struct weir_text *out,
			 const struct weir_doctor *doctor, bool all)
{
	size_t found = doctor->findings + doctor->notes;

	for (size_t i = 0; i < found; i++)
		put_found(out, &doctor->results[i]);
	for (size_t i = found; all && i < doctor->count; i++)
		put_line(out, "fine: ", doctor->results[i].check->fine);
	if (doctor->findings)
		put_count(out, doctor->findings, "finding");
	else
		weir_text_string(out, "found nothing that prevents or cuts a "
				      "trace");
	if (doctor->notes) {
		weir_text_string(out, ", ");
		put_count(out, doctor->notes, "note");
	}
	weir_text_string(out, "; fine: ");
	put_count(out, doctor->count - found, "check");
	weir_text_string(out, all ? "\n" : " (-v shows them)\n");
}

static void put_field(struct weir_text *out, const char *key, const char *value)
{
	weir_text_string(out, key);
	weir_text_json(out, value ? value : "", value ? strlen(value) : 0);
}

static void put_result(struct weir_text *out,
		       const struct weir_doctor_result *result)
{
	const struct weir_check *check = result->check;

	put_field(out, "{\"name\":", check->name);
	if (result->answer == WEIR_CHECK_FINE) {
		put_field(out, ",\"fine\":", check->fine);
	} else {
		put_field(out, ",\"weight\":", weights[check->weight].word);
		put_field(out, ",\"wrong\":", check->wrong);
		put_field(out, ",\"where\":", result->where);
		put_field(out, ",\"todo\":", check->todo);
	}
	weir_text_char(out, '}');
}

static void put_list(struct weir_text *out, const char *key,
		     const struct weir_doctor_result *results, size_t count)
{
	weir_text_string(out, key);
	for (size_t i = 0; i < count; i++) {
		weir_text_string(out, i ? ",\n  " : "\n  ");
		put_result(out, &results[i]);
	}
	weir_text_char(out, ']');
}

void weir_diagnosis_json(struct weir_text *out,
			 const struct weir_doctor *doctor)
{
	const struct weir_doctor_result *results = doctor->results;
	size_t found = doctor->findings + doctor->notes;

	put_list(out, "{\"findings\":[", results, doctor->findings);
	put_list(out, ",\n\"notes\":[", results + doctor->findings,
		 doctor->notes);
	put_list(out, ",\n\"fine\":[", results + found, doctor->count - found);
	weir_text_string(out, "}\n");
}
