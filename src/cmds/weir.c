/* SPDX-License-Identifier: BSD-3-Clause */
/* The weir tool: finds the verb and hands over to it. */
#include "base/nearest.h"
#include "spec/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define USAGE_ERROR 2

#define COMMAND(name) weir_cmd_##name,
static int (*const commands[WEIR_VERB_COUNT])(int argc, char **argv) = {
	WEIR_VERBS(COMMAND)
};

static int find_verb(const char *name)
{
	for (int i = 0; i < WEIR_VERB_COUNT; i++) {
		if (!strcmp(weir_verbs[i].name, name))
			return i;
	}
	return -1;
}

static void print_overview(FILE *out)
{
	fputs("weir: records and shows the I/O of parallel programs\n\n"
	      "Usage: weir VERB [OPTION]... [ARGUMENT]...\n\n"
	      "Verbs:\n", out);
	for (int i = 0; i < WEIR_VERB_COUNT; i++) {
		if (!weir_verbs[i].hidden)
			fprintf(out, "  %-8s  %s\n", weir_verbs[i].name,
				weir_verbs[i].summary);
	}
	fputs("  help      explain a verb: weir help VERB\n\n"
	      "Options:\n"
	      "  -h, --help     show this help\n"
	      "      --version  show the version\n\n"
	      "Example:\n"
	      "  weir run -o trace -- ls -l && weir dump trace\n", out);
}

static int refuse_verb(const char *name)
{
	struct weir_nearest near;

	weir_nearest_init(&near, name, strlen(name));
	for (int i = 0; i < WEIR_VERB_COUNT; i++) {
		if (!weir_verbs[i].hidden)
			weir_nearest_offer(&near, weir_verbs[i].name);
	}
	fprintf(stderr, "weir: unknown %s `%s'",
		name[0] == '-' ? "option" : "verb", name);
	if (near.best)
		fprintf(stderr, "; did you mean `%s'?", near.best);
	fputs("\nTry: weir --help\n", stderr);
	return USAGE_ERROR;
}

static int print_help(const char *name)
{
	int verb;

	if (!name) {
		print_overview(stdout);
		return 0;
	}
	verb = find_verb(name);
	if (verb < 0)
		return refuse_verb(name);
	fputs(weir_verbs[verb].help, stdout);
	return 0;
}

static int run_verb(int argc, char **argv)
{
	int verb = find_verb(argv[0]);

	if (verb < 0)
		return refuse_verb(argv[0]);
	return commands[verb](argc, argv);
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
		print_overview(stderr);
		return USAGE_ERROR;
	}
	if (!strcmp(word, "--version")) {
		puts("weir " WEIR_VERSION);
		return 0;
	}
	if (!strcmp(word, "help"))
		return print_help(argv[2]);
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print_help(NULL);
	return run_verb(argc - 1, argv + 1);
}
