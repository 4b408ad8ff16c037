/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the processes that were killed or crashed. */
#include "report/screen/screen.h"

#include "analyse/view/who.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN 3

static void say_one(const struct weir_screen *s,
		    const struct weir_procinfo *process)
{
	const char *program = weir_procinfo_program(process);
	char words[WEIR_PROCEND_WORDS];

	if (weir_procinfo_rank(process) >= 0)
		weir_screen_print(s, "rank %" PRIi64 ", ",
				  weir_procinfo_rank(process));
	weir_text_safe(s->out, program, strlen(program));
	weir_screen_print(s, " (pid %" PRIu32 ") %s\n", process->pid,
			  weir_procend_words(&process->end, words));
}

/* Who crashed comes first: a launcher may have killed all the others. */
void weir_screenends_write(const struct weir_screen *s)
{
	uint32_t all = weir_reader_processes(s->reader), count = 0;

	for (uint32_t i = 0; i < 2 * all; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(s->reader, i % all + 1);

		if (!process || !weir_procinfo_was_killed(process) ||
		    weir_procend_is_crash(&process->end) != (i < all) ||
		    count++ >= SHOWN)
			continue;
		weir_screen_print(s, count > 1 ? "           " : "killed     ");
		say_one(s, process);
	}
	if (count > SHOWN)
		weir_screen_print(s, "           and %" PRIu32 " more\n",
				  count - SHOWN);
}
