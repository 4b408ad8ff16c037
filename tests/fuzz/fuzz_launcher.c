/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the readers of launchers' command lines any words, one a line: what is
 * put before programs must leave every other word where it was.
 */
#include "launch/programs/launcher.h"
#include "target.h"

#include <errno.h>

#define WORDS 64

static int count(char *const *words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

/* Without what was added the line is the old one. */
static void compare(char **line, char **command, const char *added)
{
	for (; *line; line++)
		if (*line != added)
			must(*line == *command++);
	must(!*command);
}

static void prefix(const struct weir_launcher *launcher, char **command)
{
	static char weir[] = "weir";
	char *before[] = { weir, NULL }, **line = NULL;
	const char *word = NULL;
	int err = weir_launcher_prefix(launcher, command, before, &line, &word);

	must(!err || err == -ENOTSUP || err == -ENOEXEC);
	if (err)
		return;
	must(count(line) > count(command));
	compare(line, command, weir);
	free(line);
}

static void find_programs(const struct weir_launcher *launcher, char **command)
{
	const char *word = NULL;
	int at = 0, next, length = count(command);

	while ((next = weir_launcher_program(launcher, command, at, &word)) >
	       0) {
		must(next > at && next < length);
		at = next;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size), *rest = text;
	char *command[WORDS + 1];
	int words = 0;

	while (rest && words < WORDS)
		command[words++] = strsep(&rest, "\n");
	command[words] = NULL;
	weir_launcher_guess(command);
	for (int i = 0; weir_launchers[i].name; i++) {
		find_programs(&weir_launchers[i], command);
		prefix(&weir_launchers[i], command);
	}
	free(text);
	return 0;
}

static const char *const words[] = {
	"mpirun\n", "mpiexec\n", "srun\n", "orterun\n", "mpiexec.hydra\n",
	"-n\n4\n", "-np\n", "--host\n", "-n4\n", "--ntasks=4\n",
	"--mca\na\nb\n", "-genv\nA\nB\n", "-x\n", ":\n", "--\n",
	"--mpi=pmi2\n", "-q\n", "-env\n", "--app\n", "-configfile\n",
	"./a\n", "-", "--", "=", "\n", "true", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
