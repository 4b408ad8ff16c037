/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the processes and files of a trace that somebody asks for. */
#include "trace/read/select.h"

#include "base/glob.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define RANK "rank:"

/* Also what a rank has started: it says the same of itself. */
static int is_rank(const struct weir_procinfo *process, const char *number)
{
	char *end;
	long rank = strtol(number, &end, 10);

	return *number && !*end && rank == weir_procinfo_rank(process);
}

int weir_select_wants(const struct weir_procinfo *process, const char *word)
{
	const char *name;
	char *end;
	unsigned long pid = strtoul(word, &end, 10);

	if (!strncmp(word, RANK, strlen(RANK)))
		return is_rank(process, word + strlen(RANK));
	if (!*end && pid == process->pid)
		return 1;
	if (!process->exe)
		return 0;
	name = strrchr(process->exe, '/');
	return !!strstr(name ? name + 1 : process->exe, word);
}

static int process_is_wanted(const struct weir_procinfo *process,
			     void *context)
{
	return weir_select_wants(process, context);
}

void weir_select_process(struct weir_reader *reader, const char *word)
{
	weir_reader_only(reader, process_is_wanted, (void *)(uintptr_t)word);
}

int weir_select_files(const struct weir_reader *reader, const char *glob,
		      uint8_t **ret_matches)
{
	uint32_t count = weir_reader_names(reader);
	uint8_t *matches = calloc((size_t)count + 1, 1);
	size_t len;

	if (!matches)
		return -ENOMEM;
	for (uint32_t i = 1; i <= count; i++)
		matches[i] = !fnmatch(glob, weir_reader_name(reader, i, &len),
				      0);
	*ret_matches = matches;
	return 0;
}

static int is_same_name(const char *path, const char *name)
{
	return !strcmp(path, name);
}

static int may_be(const char *path, const char *name)
{
	size_t length = strlen(path), of_name = strlen(name);

	if (length < of_name && name[of_name - length - 1] == '/' &&
	    !strcmp(name + of_name - length, path))
		return 1;
	return weir_glob_matches_path(path, name);
}

int64_t weir_select_path(const struct weir_reader *reader, const char *path,
			 uint8_t **ret_matches)
{
	static int (*const ways[])(const char *path, const char *name) = {
		is_same_name, may_be,
	};
	uint32_t count = weir_reader_names(reader);
	uint8_t *matches = calloc((size_t)count + 1, 1);
	int64_t found = 0;
	size_t len;

	if (!matches)
		return -ENOMEM;
	for (int way = 0; way < 2 && !found; way++) {
		for (uint32_t i = 1; i <= count; i++) {
			matches[i] = (uint8_t)ways[way](
				path, weir_reader_name(reader, i, &len));
			found += matches[i];
		}
	}
	*ret_matches = matches;
	return found;
}
