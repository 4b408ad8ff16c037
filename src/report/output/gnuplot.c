/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs gnuplot, which draws into a file. */
#include "report/output/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const terminals[] = {
	[WEIR_GNUPLOT_SVG] =
		"set terminal svg noenhanced size 1000,620 font 'sans,13' "
		"background '#ffffff'\n",
	[WEIR_GNUPLOT_PNG] =
		"set terminal pngcairo noenhanced size 1200,750 "
		"font 'sans,11' background '#ffffff'\n",
};

/* It must not outlive a reader that went away, though we do. */
static int set_up(posix_spawn_file_actions_t *actions,
		  posix_spawnattr_t *attributes, int in, int out)
{
	sigset_t set;
	int err = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);

	if (!err)
		err = posix_spawn_file_actions_adddup2(actions, out,
						       STDOUT_FILENO);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	if (!err)
		err = posix_spawnattr_setsigdefault(attributes, &set);
	if (!err)
		err = posix_spawnattr_setflags(attributes,
					       POSIX_SPAWN_SETSIGDEF);
	return err;
}

static int spawn(pid_t *ret_pid, int in, int out)
{
	char name[] = "gnuplot", plain[] = "-d", from_stdin[] = "-";
	char *argv[] = { name, plain, from_stdin, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	err = posix_spawnattr_init(&attributes);
	if (!err) {
		err = set_up(&actions, &attributes, in, out);
		if (!err)
			err = posix_spawnp(ret_pid, name, &actions,
					   &attributes, argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

int weir_gnuplot_start(struct weir_gnuplot *gnuplot,
		       enum weir_gnuplot_form form, int fd)
{
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	err = weir_text_init(&gnuplot->in, ends[1]);
	if (!err) {
		err = spawn(&gnuplot->pid, ends[0], fd);
		if (err)
			weir_text_fini(&gnuplot->in);
	}
	close(ends[0]);
	if (err) {
		close(ends[1]);
		return err;
	}
	signal(SIGPIPE, SIG_IGN); /* its end is told by its status */
	weir_text_string(&gnuplot->in, terminals[form]);
	weir_text_string(&gnuplot->in, "set encoding utf8\n");
	return 0;
}

int weir_gnuplot_finish(struct weir_gnuplot *gnuplot)
{
	int status, told = weir_text_flush(&gnuplot->in);

	close(gnuplot->in.fd);
	weir_text_fini(&gnuplot->in);
	while (waitpid(gnuplot->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (status || told == -EPIPE)
		return -EPROTO;
	return told;
}

/*
 * In single quotes nothing is replaced but two of them. The backquote, which
 * elsewhere runs commands, is not let in at all.
 */
void weir_gnuplot_string(struct weir_text *in, const void *bytes, size_t len)
{
	const char *at = bytes, *end = at + len;

	weir_text_char(in, '\'');
	while (at < end) {
		size_t plain = 0;

		while (at + plain < end && at[plain] != '\'' &&
		       at[plain] != '`')
			plain++;
		weir_text_safe(in, at, plain);
		at += plain;
		if (at < end)
			weir_text_string(in, *at++ == '\'' ? "''" : "\\x60");
	}
	weir_text_char(in, '\'');
}
