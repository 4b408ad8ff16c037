/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the verb and hands over to it. */
#include "cmds/verbs.h"
#include "spec/exits.h"
#include "spec/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COMMAND(name) weir_cmd_##name,
static int (*const commands[WEIR_VERB_COUNT])(int argc, char **argv) = {
	WEIR_VERBS(COMMAND)
};

static int run_verb(int argc, char **argv)
{
	int verb = weir_verbs_find(argv[0]);

	return verb < 0 ? WEIR_EXIT_USAGE : commands[verb](argc, argv);
}

/*
 * A file of ours under one of these numbers would be taken for the user's.
 * Opened the wrong way round: to use them fails as before. What we start
 * finds them closed.
 */
static void fill_standard(void)
{
	static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", wrong_way[fd] | O_CLOEXEC) != fd)
			return;
	}
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	fill_standard();
	if (!word) {
		fputs(weir_overview, stderr);
		return WEIR_EXIT_USAGE;
	}
	if (!strcmp(word, "--version")) {
		puts("weir " WEIR_VERSION);
		return 0;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
		fputs(weir_overview, stdout);
		return 0;
	}
	return run_verb(argc - 1, argv + 1);
}
