/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses filters that nothing in a trace matches. */
#include "cmds/unmatched.h"

#include "base/text.h"
#include "spec/exits.h"
#include "trace/read/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN 6 /* names in a list */

static bool has_process(const struct weir_reader *reader, const char *word)
{
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (process && weir_select_wants(process, word))
			return true;
	}
	return false;
}

/* Sums have names of their own: which they are is known when they are read. */
static bool has_file(const struct weir_reader *reader, const char *glob)
{
	uint32_t count = weir_reader_names(reader);
	bool found = weir_reader_has_profiles(reader) || !count;
	uint8_t *matches = NULL;

	if (found || weir_select_files(reader, glob, &matches))
		return true; /* without memory nothing else works */
	for (uint32_t i = 1; !found && i <= count; i++)
		found = matches[i];
	free(matches);
	return found;
}

static void list_process(struct weir_text *out,
			 const struct weir_procinfo *process)
{
	const char *exe = process->exe ? process->exe : "?";
	const char *slash = strrchr(exe, '/');

	weir_text_unsigned(out, process->pid);
	weir_text_char(out, ' ');
	exe = slash ? slash + 1 : exe;
	weir_text_safe(out, exe, strlen(exe));
	if (weir_procinfo_rank(process) >= 0)
		weir_text_format(out, " rank:%lld",
				 (long long)weir_procinfo_rank(process));
}

static void list_file(struct weir_text *out, const struct weir_reader *reader,
		      uint32_t number)
{
	size_t len = 0;
	const char *name = weir_reader_name(reader, number, &len);

	weir_text_safe(out, name ? name : "", len);
}

/* The first few, and how many more. */
static void list_some(struct weir_text *out, const struct weir_reader *reader,
		      bool are_processes)
{
	uint32_t count = are_processes ? weir_reader_processes(reader) :
					 weir_reader_names(reader);
	uint32_t shown = 0;

	for (uint32_t i = 1; i <= count && shown < SHOWN; i++) {
		const struct weir_procinfo *process =
			are_processes ? weir_reader_process(reader, i) : NULL;

		if (are_processes && !process)
			continue;
		weir_text_string(out, shown++ ? ", " : "");
		if (process)
			list_process(out, process);
		else
			list_file(out, reader, i);
	}
	if (count > shown)
		weir_text_format(out, " and %u more", count - shown);
}

static void tell_unmatched(const struct weir_reader *reader, const char *trace,
			   const char *pattern, bool are_processes)
{
	struct weir_text out;

	if (weir_text_init(&out, STDERR_FILENO))
		return;
	weir_text_string(&out, "weir: ");
	weir_text_safe(&out, trace, strlen(trace));
	weir_text_string(&out, are_processes ? ": no process matches `" :
					       ": no file matches `");
	weir_text_safe(&out, pattern, strlen(pattern));
	weir_text_string(&out, are_processes ?
				       "', a number, part of a program's name "
				       "or rank:N; there are " :
				       "', a pattern for whole paths; there "
				       "are ");
	list_some(&out, reader, are_processes);
	weir_text_char(&out, '\n');
	weir_text_flush(&out);
	weir_text_fini(&out);
}

int weir_unmatched_tell(const struct weir_reader *reader, const char *trace,
			const char *process, const char *file)
{
	if (process && !has_process(reader, process))
		tell_unmatched(reader, trace, process, true);
	else if (file && !has_file(reader, file))
		tell_unmatched(reader, trace, file, false);
	else
		return 0;
	return WEIR_EXIT_REFUSED;
}
