/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is not in the figures. */
#include "report/screen/screen.h"

#include <inttypes.h>
#include <stdbool.h>

#define NAMED 5 /* calls in a list */

/* Which they are: those that hung, or were under way at the end. */
static bool say_unreturned(const struct weir_screen *s)
{
	const struct weir_totals *totals = s->totals;
	const struct weir_row *row = &totals->unreturned;
	const char *before = ":";

	if (!totals->entered)
		return false;
	weir_screen_print(s, "  %10" PRIu64 " calls that never returned",
			  totals->entered);
	for (uint32_t i = 0; i < row->count && i < NAMED; i++) {
		const struct weir_call *call =
			totals->calls[row->entries[i].call];

		if (!call)
			continue;
		weir_screen_print(s, "%s %s", before, call->name);
		if (row->entries[i].cell.calls > 1)
			weir_screen_print(s, " %" PRIu64 "x",
					  row->entries[i].cell.calls);
		before = ",";
	}
	weir_screen_print(s, row->count > NAMED ? ", ...\n" : "\n");
	return true;
}

void weir_screenunseen_write(const struct weir_screen *screen)
{
	const struct weir_reader_losses *l = &screen->totals->losses;
	const struct {
		uint64_t count;
		const char *what;
	} all[] = {
		{ l->hidden[0],
		  "polls of unfinished operations (weir run --all)" },
		{ l->hidden[1], "calls on files of the system and of languages "
				"(weir run --all)" },
		{ l->hidden[2], "calls on files that were left out" },
		{ l->hidden[3], "calls while recording was switched off" },
		{ l->dropped, "calls that found the buffer full (weir run "
			      "--buffer)" },
		{ l->lost, "calls that could not be stored" },
		{ weir_unrecorded_sum(&l->unrecorded).processes,
		  "processes that could not be recorded" },
		{ l->damaged_blocks, "damaged parts of the trace" },
		{ l->unended, "files of the trace that were cut short" },
		{ l->refused, "files in the directory that are not traces" },
	};
	bool is_any;

	weir_screen_print(screen, "\n");
	weir_screen_heading(screen, "not in these figures");
	weir_screen_print(screen, "\n");
	is_any = say_unreturned(screen);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!all[i].count)
			continue;
		weir_screen_print(screen, "  %10" PRIu64 " %s\n", all[i].count,
				  all[i].what);
		is_any = true;
	}
	if (!is_any)
		weir_screen_print(screen, "  nothing known\n");
}
