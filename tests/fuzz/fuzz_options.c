/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds the option parser command lines made of any bytes. */
#include "spec/options.h"
#include "target.h"

#define MAX_WORDS 64

static void get(const struct weir_options *o, unsigned option)
{
	uint64_t from, to;

	switch (o->verb->options[option].type) {
	case WEIR_OPTION_FLAG:
	case WEIR_OPTION_SHORT:
		weir_options_flag(o, option);
		break;
	case WEIR_OPTION_MAYBE:
	case WEIR_OPTION_TEXT:
	case WEIR_OPTION_LIST:
		weir_options_text(o, option);
		weir_options_item(o, option, 1);
		break;
	case WEIR_OPTION_NUMBER:
		weir_options_number(o, option);
		break;
	case WEIR_OPTION_SIZE:
		weir_options_size(o, option);
		break;
	case WEIR_OPTION_SPAN:
		weir_options_span(o, option, &from, &to);
		break;
	case WEIR_OPTION_CHOICE:
		if (!o->verb->options[option]
			     .choices[weir_options_choice(o, option)])
			abort();
		break;
	}
}

/* What a parsed line promises to every command. */
static void use(const struct weir_options *o)
{
	if (o->help)
		return;
	for (unsigned i = 0; i < o->verb->option_count; i++)
		get(o, i);
	if (o->operand_count < o->verb->min_operands ||
	    o->operand_count > o->verb->max_operands)
		abort();
	for (unsigned i = 0; i < o->operand_count; i++) {
		if (!o->operands[i])
			abort();
	}
	if (o->operands[o->operand_count])
		abort();
}

/* The first byte picks the verb; each line that follows is a word. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[MAX_WORDS + 2] = { "verb" };
	struct weir_options o;
	char *text, *rest;
	int argc = 1;

	if (!size)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	if (!text)
		return 0;
	rest = text;
	while (argc <= MAX_WORDS && rest)
		argv[argc++] = strsep(&rest, "\n");
	if (!weir_options_parse(&o, &weir_verbs[data[0] % WEIR_VERB_COUNT],
				argc, argv))
		use(&o);
	else if (!o.error[0])
		abort();
	weir_options_fini(&o);
	free(text);
	return 0;
}

static const char *const words[] = {
	"--",	      "-",	     "--help\n",  "--output=",	"-o\n",
	"--format=",  "--time=",     "--buffer=", "--all\n",	"--include=",
	"--exclude=", "--strict\n",  "--top=",	  "--json\n",	"--plan=",
	"--forward=", "--policy=",   "--cache=",  "--defer\n",	"--verify\n",
	"--ring=",    "--profile\n", "--file=",	  "--process=", "--by=",
	"--to=",      "csv",	     "json",	  "64M",	"1.5ms-2s",
	"100%",	      "trace\n",     "\n",	  "=",		",",
	NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
