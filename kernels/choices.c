/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user of a kernel has typed. */
#include "choices.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERIFY, CHECK, JSON };

static struct kernel_option common[] = {
	[VERIFY] = { "verify", NULL, "read the data back, not through the "
		     "library that wrote them, and compare", KERNEL_FLAG },
	[CHECK] = { "check", NULL, "write nothing: compare the data of an "
		    "earlier run with the same options and ranks",
		    KERNEL_FLAG },
	[JSON] = { "json", NULL, "print the result as one JSON object",
		   KERNEL_FLAG },
	{ 0 },
};

static bool quiet; /* another rank says it */

static int refuse(const char *what, ...)
{
	va_list args;

	if (!quiet) {
		fprintf(stderr, "%s: ", kernel.name);
		va_start(args, what);
		vfprintf(stderr, what, args);
		va_end(args);
		fprintf(stderr, "; see %s --help\n", kernel.name);
	}
	return 2;
}

/* Text from column 24 on, in lines of 80. */
static void print_wrapped(const char *text)
{
	int column = 24;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column + length > 78)
			column = printf("\n%*s", 24, "") - 1;
		column += printf(" %.*s", length, text);
		text += length + (text[length] == ' ');
	}
}

/* What an option is without being given; flags are not there. */
static void describe(const struct kernel_option *option, char text[400])
{
	if (option->type == KERNEL_NUMBER)
		snprintf(text, 400, "%s (%lld)", option->help,
			 (long long)option->number);
	else if (option->type == KERNEL_CHOICE)
		snprintf(text, 400, "%s (%.*s)", option->help,
			 (int)strcspn(option->argument, "|"),
			 option->argument);
	else
		snprintf(text, 400, "%s", option->help);
}

static void help_on(const struct kernel_option *option)
{
	char left[64], right[400];

	snprintf(left, sizeof(left), "--%s %s", option->name,
		 option->argument ? option->argument : "");
	describe(option, right);
	printf("  %-22s", left);
	if (strlen(left) > 22)
		printf("\n%*s", 24, "");
	print_wrapped(right);
	putchar('\n');
}

static int help(void)
{
	if (quiet)
		return 0;
	printf("Usage: mpirun -n RANKS %s [OPTION]... FILE\n\n%s.\n\n%s\n\n"
	       "Source: %s\n\nOptions (and what they are without):\n",
	       kernel.name, kernel.summary, kernel.pattern, kernel.source);
	for (struct kernel_option *o = kernel.options; o->name; o++)
		help_on(o);
	for (struct kernel_option *o = common; o->name; o++)
		help_on(o);
	printf("\nTime is open + transfers + close of the slowest rank. "
	       "Status: 0, 1 when a call\nfailed, 2 for wrong usage, %d when "
	       "the data are wrong.\n",
	       KERNEL_STATUS_WRONG);
	return 0;
}

static struct kernel_option *find(struct kernel_option *options,
				  const char *name, size_t length)
{
	for (struct kernel_option *o = options; o->name; o++)
		if (strlen(o->name) == length && !memcmp(o->name, name, length))
			return o;
	return NULL;
}

static int read_number(struct kernel_option *option, const char *text)
{
	static const char units[] = "KMG";
	char *end;
	long long value;
	const char *unit;

	errno = 0;
	value = strtoll(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		if (__builtin_mul_overflow(
			    value, 1LL << 10 * (unit - units + 1), &value))
			errno = ERANGE;
		end++;
	}
	if (errno || end == text || *end)
		return refuse("--%s: %s is no number", option->name, text);
	if (value < option->lowest ||
	    (option->highest && value > option->highest))
		return refuse("--%s: %s is out of range", option->name, text);
	option->number = value;
	return 0;
}

static int read_choice(struct kernel_option *option, const char *text)
{
	const char *word = option->argument;

	for (int i = 0;; i++) {
		size_t length = strcspn(word, "|");

		if (strlen(text) == length && !memcmp(word, text, length)) {
			option->number = i;
			return 0;
		}
		if (!word[length])
			return refuse("--%s: %s is none of %s", option->name,
				      text, option->argument);
		word += length + 1;
	}
}

/* argv[*at] begins with --; 0, or a status. */
static int read_option(char **argv, int *at)
{
	const char *name = argv[*at] + 2, *value = strchr(name, '=');
	size_t length = value ? (size_t)(value - name) : strlen(name);
	struct kernel_option *option = find(kernel.options, name, length);

	if (!option)
		option = find(common, name, length);
	if (!option)
		return refuse("there is no option %s", argv[*at]);
	if (option->type == KERNEL_FLAG) {
		if (value)
			return refuse("--%s takes no value", option->name);
		option->number = 1;
		return 0;
	}
	value = value ? value + 1 : argv[++*at];
	if (!value)
		return refuse("--%s needs a value", option->name);
	return (option->type == KERNEL_NUMBER ? read_number : read_choice)(
		option, value);
}

static int read_all(struct kernel_run *run, char **argv)
{
	for (int i = 1; argv[i]; i++) {
		int status = 0;

		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return help();
		if (!strncmp(argv[i], "--", 2))
			status = read_option(argv, &i);
		else if (run->path)
			status = refuse("there is more than one FILE: %s",
					argv[i]);
		else
			run->path = argv[i];
		if (status)
			return status;
	}
	return run->path ? -1 : refuse("there is no FILE");
}

int kernel_choices_read(struct kernel_choices *choices, struct kernel_run *run,
			int argc, char **argv)
{
	const char *wrong = NULL;
	int status;

	(void)argc;
	quiet = run->rank != 0;
	status = read_all(run, argv);
	if (status >= 0)
		return status;
	if (kernel.refuse)
		wrong = kernel.refuse(run);
	if (wrong)
		return refuse("%s", wrong);
	*choices = (struct kernel_choices){
		.verify = common[VERIFY].number,
		.check_only = common[CHECK].number,
		.json = common[JSON].number,
	};
	return -1;
}
