/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows commands that start another command: env, sudo, mpirun. */
#include "doctor/wrapper.h"

#include "launch/programs/launcher.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LOADER_VALUED "library-path inhibit-rpath audit preload argv0"

/* The first row whose name and option fit is the one. */
static const struct weir_wrapper wrappers[] = {
	{"env", WEIR_WRAPPER_CLEARS, "i - ignore-environment",
	 "u C S unset chdir split-string", 0},
	{"sudo", WEIR_WRAPPER_CLEARS, NULL, "u g U C p h r t T D user group",
	 0},
	{"doas", WEIR_WRAPPER_CLEARS, NULL, "C u", 0},
	{"pkexec", WEIR_WRAPPER_CLEARS, NULL, "user", 0},
	{"su", WEIR_WRAPPER_USER, NULL, "c s g G", 9},
	{"runuser", WEIR_WRAPPER_USER, NULL, "u c s g G", 0},
	{"gosu", WEIR_WRAPPER_USER, NULL, "", 1},
	{"su-exec", WEIR_WRAPPER_USER, NULL, "", 1},
	{"setpriv", WEIR_WRAPPER_CLEARS, "reset-env",
	 "reuid regid groups inh-caps bounding-set", 0},
	{"setpriv", WEIR_WRAPPER_USER, "reuid",
	 "reuid regid groups inh-caps bounding-set", 0},
	{"chroot", WEIR_WRAPPER_ROOT, NULL, "", 1},
	{"unshare", WEIR_WRAPPER_ROOT, "R root", "R w S G root wd", 0},
	{"nsenter", WEIR_WRAPPER_CONTAINS, NULL, "t S G target", 0},
	{"bwrap", WEIR_WRAPPER_CONTAINS, NULL, NULL, 0},
	{"proot", WEIR_WRAPPER_CONTAINS, NULL, NULL, 0},
	{"singularity", WEIR_WRAPPER_CONTAINS, NULL, NULL, 0},
	{"apptainer", WEIR_WRAPPER_CONTAINS, NULL, NULL, 0},
	{"ch-run", WEIR_WRAPPER_CONTAINS, NULL, NULL, 0},
	{"docker", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"podman", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"ssh", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"rsh", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"at", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"batch", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"sbatch", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"qsub", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"bsub", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"systemd-run", WEIR_WRAPPER_ELSEWHERE, NULL, NULL, 0},
	{"ld-linux-x86-64", WEIR_WRAPPER_PASSES, NULL, LOADER_VALUED, 0},
	{"ld-linux-aarch64", WEIR_WRAPPER_PASSES, NULL, LOADER_VALUED, 0},
	{"ld64", WEIR_WRAPPER_PASSES, NULL, LOADER_VALUED, 0}, /* of s390x */
	{"nice", WEIR_WRAPPER_PASSES, NULL, "n adjustment", 0},
	{"ionice", WEIR_WRAPPER_PASSES, NULL, "c n class classdata", 0},
	{"chrt", WEIR_WRAPPER_PASSES, NULL, "T P D", 1},
	{"taskset", WEIR_WRAPPER_PASSES, NULL, "", 1},
	{"numactl", WEIR_WRAPPER_PASSES, NULL, "N m p i C", 0},
	{"nohup", WEIR_WRAPPER_PASSES, NULL, "", 0},
	{"setsid", WEIR_WRAPPER_PASSES, NULL, "", 0},
	{"stdbuf", WEIR_WRAPPER_PASSES, NULL, "i o e", 0},
	{"time", WEIR_WRAPPER_PASSES, NULL, "f o format output", 0},
	{"timeout", WEIR_WRAPPER_PASSES, NULL, "k s signal kill-after", 1},
	{"strace", WEIR_WRAPPER_PASSES, NULL, "e o p s a E I O P S u X", 0},
	{"xargs", WEIR_WRAPPER_PASSES, NULL, "a E I d L n P s", 0},
};

static const struct weir_wrapper any_launcher = {
	.name = "launcher",
	.effect = WEIR_WRAPPER_MPI,
};

#define COUNT (sizeof(wrappers) / sizeof(wrappers[0]))

/* The entry of a list of words that an option without its dashes is. */
static const char *find_word(const char *list, const char *option)
{
	size_t length = strcspn(option, "=");

	for (const char *at = list; at && *at;) {
		size_t word = strcspn(at, " :");

		if (word == length && !strncmp(at, option, length))
			return at;
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return NULL;
}

static const char *without_dashes(const char *word)
{
	return !strcmp(word, "-") ? word : word + strspn(word, "-");
}

/* Also as one of the letters of a word like -vi, before any value. */
static bool brings_about(const struct weir_wrapper *wrapper, const char *word)
{
	char letter[2] = "";

	if (find_word(wrapper->when, without_dashes(word)))
		return true;
	if (word[1] == '-')
		return false;
	for (const char *at = word + 1; *at; at++) {
		letter[0] = *at;
		if (find_word(wrapper->when, letter))
			return true;
		if (find_word(wrapper->valued, letter))
			return false;
	}
	return false;
}

/* Words that follow an option as its values. */
static int count_values(const struct weir_wrapper *wrapper, const char *word)
{
	const char *entry = find_word(wrapper->valued, without_dashes(word));
	const char *end = entry ? entry + strcspn(entry, " :") : NULL;

	if (!entry || strchr(word, '='))
		return 0;
	return *end == ':' ? atoi(end + 1) : 1;
}

static const char *next_value(char **word)
{
	const char *equals = strchr(*word, '=');

	return equals ? equals + 1 : word[1];
}

static bool is_setting(const char *word)
{
	size_t length = strcspn(word, "=");

	return word[length] && length && !isdigit((unsigned char)*word) &&
	       !memchr(word, '/', length);
}

static void take_option(struct weir_wrapper_use *use, char **word)
{
	const struct weir_wrapper *wrapper = use->wrapper;
	const char *name = without_dashes(*word);

	if (wrapper->when && brings_about(wrapper, *word)) {
		use->option = *word;
		use->acts = true;
		use->root = next_value(word);
	}
	if (!strcmp(wrapper->name, "env") &&
	    (!strcmp(name, "u") || !strcmp(name, "unset") ||
	     !strncmp(name, "unset=", 6)) &&
	    next_value(word) && !strcmp(next_value(word), "LD_PRELOAD"))
		use->preload = "is taken away";
}

/* One word before the command; returns how many words it was, or 0. */
static int take_word(struct weir_wrapper_use *use, char **word, int *operands)
{
	int count = 1;

	if (**word == '-' && strcmp(*word, "--")) {
		take_option(use, word);
		count += count_values(use->wrapper, *word);
	} else if (is_setting(*word)) {
		if (!strncmp(*word, "LD_PRELOAD=", 11))
			use->preload = *word;
	} else if (strcmp(*word, "--")) {
		if (!*operands)
			return 0;
		--*operands;
		if (!use->root)
			use->root = *word;
	}
	return count;
}

static void read_words(struct weir_wrapper_use *use)
{
	int operands = use->wrapper->operands, count = 1;
	char **at = use->words + 1;

	while (*at && (count = take_word(use, at, &operands)) > 0) {
		while (count-- && *at)
			at++;
	}
	use->next = *at ? at : NULL;
}

/* mpirun may be anything; then that of the launchers that fits the line. */
static bool read_launcher(char **words, struct weir_wrapper_use *use)
{
	const struct weir_launcher *launcher = weir_launcher_find(words[0]);
	const char *word;
	int at;

	if (!launcher)
		launcher = weir_launcher_guess(words);
	if (!launcher)
		return false;
	at = weir_launcher_program(launcher, words, 0, &word);
	*use = (struct weir_wrapper_use){
		.wrapper = &any_launcher,
		.words = words,
		.next = at > 0 ? words + at : NULL,
		.acts = true,
	};
	return true;
}

/* ld-linux-x86-64.so.2 is what the word before the dot is. */
static bool is_named(const char *word, const char *name)
{
	const char *slash = strrchr(word, '/');
	size_t length = strlen(name);

	word = slash ? slash + 1 : word;
	return !strncmp(word, name, length) &&
	       (!word[length] || word[length] == '.');
}

bool weir_wrapper_read(char **words, struct weir_wrapper_use *ret_use)
{
	bool is_one = false;

	for (size_t i = 0; i < COUNT; i++) {
		const struct weir_wrapper *wrapper = &wrappers[i];

		if (!is_named(words[0], wrapper->name))
			continue;
		*ret_use = (struct weir_wrapper_use){
			.wrapper = wrapper,
			.words = words,
			.acts = !wrapper->when,
		};
		is_one = true;
		if (wrapper->valued)
			read_words(ret_use);
		if (ret_use->acts)
			break;
	}
	return is_one || read_launcher(words, ret_use);
}
