/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the processes that were killed or crashed, as JSON. */
#include "report/as_ending.h"

#include "report/output/jsonout.h"

/* The next one after `number`, or NULL. */
static const struct weir_procinfo *next_killed(const struct weir_reader *reader,
					       uint32_t *number)
{
	while (++*number <= weir_reader_processes(reader)) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, *number);

		if (process && weir_procinfo_was_killed(process))
			return process;
	}
	return NULL;
}

void weir_as_ending_members(struct weir_text *out,
			    const struct weir_procinfo *process)
{
	const struct weir_procend *end = &process->end;

	if (weir_procinfo_was_killed(process))
		weir_jsonout_string(
			out, "signal",
			weir_procend_is_signal(end)
				? weir_procend_signal_name(end->number)
				: "unknown");
	if (end->how == WEIR_PROCEND_CORE)
		weir_text_string(out, ",\"core\":true");
}

void weir_as_ending_json(struct weir_text *out,
			 const struct weir_reader *reader)
{
	const struct weir_procinfo *process;
	uint32_t number = 0;
	bool is_first = true;

	weir_jsonout_key(out, "killed", 0);
	weir_text_char(out, '[');
	while ((process = next_killed(reader, &number))) {
		weir_text_string(out, is_first ? "{" : ",{");
		is_first = false;
		weir_jsonout_key(out, "number", 1);
		weir_text_unsigned(out, number);
		weir_jsonout_number(out, "pid", process->pid);
		if (weir_procinfo_rank(process) >= 0)
			weir_jsonout_number(
				out, "rank",
				(uint64_t)weir_procinfo_rank(process));
		weir_jsonout_string(out, "program", process->exe);
		weir_as_ending_members(out, process);
		weir_text_char(out, '}');
	}
	weir_text_char(out, ']');
}
