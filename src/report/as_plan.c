/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what became of a plan. */
#include "report/as_plan.h"

#include "report/output/jsonout.h"

#include <inttypes.h>
#include <string.h>

static void put_safe(struct weir_text *out, const char *text)
{
	weir_text_safe(out, text, strlen(text));
}

static void put_file(struct weir_text *out, const struct weir_runfacts *facts,
		     const struct weir_effect *effect)
{
	size_t len = 0;
	const char *name =
		weir_names_get(&facts->totals.names, effect->file, &len);

	if (!name)
		return;
	weir_text_string(out, " (");
	weir_text_nested(out, name, len);
	weir_text_char(out, ')');
}

static void put_effect(struct weir_text *out,
		       const struct weir_runfacts *facts,
		       const struct weir_effect *effect)
{
	weir_text_format(out, "  %-8s %9" PRIu64 " %9" PRIu64 "  ",
			 weir_effects_verdict(effect->verdict), effect->count,
			 effect->files);
	put_safe(out, effect->setting);
	weir_text_char(out, '=');
	put_safe(out, effect->asked);
	if (*effect->effective)
		weir_text_string(out, ": ");
	put_safe(out, effect->effective);
	put_file(out, facts, effect);
	weir_text_char(out, '\n');
}

void weir_as_plan_text(struct weir_text *out, const struct weir_runfacts *facts,
		       uint64_t most)
{
	size_t count = facts->effects.count;

	if (!count)
		return;
	weir_text_char(out, '\n');
	weir_text_paint(out, WEIR_TEXT_BOLD);
	weir_text_string(out, "plan");
	weir_text_paint(out, WEIR_TEXT_PLAIN);
	weir_text_format(out, "\n  %-8s %9s %9s  %s\n", "verdict", "times",
			 "files",
			 "setting: what it is (the first of these files)");
	for (size_t i = 0; i < count && i < most; i++)
		put_effect(out, facts, &facts->effects.list[i]);
	if (count > most)
		weir_text_format(out, "  and %zu more\n",
				 count - (size_t)most);
}

static void put_json_effect(struct weir_text *out,
			    const struct weir_runfacts *facts,
			    const struct weir_effect *effect)
{
	size_t len = 0;
	const char *name =
		weir_names_get(&facts->totals.names, effect->file, &len);

	weir_text_string(out, "{\"setting\":");
	weir_text_json(out, effect->setting, strlen(effect->setting));
	weir_jsonout_string(out, "asked", effect->asked);
	weir_jsonout_string(out, "verdict",
			    weir_effects_verdict(effect->verdict));
	weir_jsonout_number(out, "count", effect->count);
	weir_jsonout_number(out, "files", effect->files);
	weir_jsonout_string(out, "effective", effect->effective);
	weir_jsonout_key(out, "file", 0);
	if (name)
		weir_text_json(out, name, len);
	else
		weir_text_string(out, "null");
	weir_text_char(out, '}');
}

void weir_as_plan_json(struct weir_text *out,
		       const struct weir_runfacts *facts)
{
	weir_jsonout_key(out, "plan", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < facts->effects.count; i++) {
		weir_text_string(out, i ? "," : "");
		put_json_effect(out, facts, &facts->effects.list[i]);
	}
	weir_text_char(out, ']');
}
