/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands come back with the status a shell would give them. */
#include "launch/directory/tracedir.h"
#include "launch/ranks/environment.h"
#include "launch/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int run_shell(const char *script, weir_child_setup setup, void *arg)
{
	char *command[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
	struct weir_child child;

	assert_int_equal(weir_child_start(&child, command, setup, arg), 0);
	return weir_child_wait(&child, NULL, NULL);
}

static void status_comes_back(void **state)
{
	(void)state;
	assert_int_equal(run_shell("exit 0", NULL, NULL), 0);
	assert_int_equal(run_shell("exit 42", NULL, NULL), 42);
	assert_int_equal(run_shell("kill -9 $$", NULL, NULL), 128 + 9);
	assert_int_equal(run_shell("kill -TERM $$", NULL, NULL), 128 + 15);
}

static int silence(void *arg)
{
	int fd = open("/dev/null", O_WRONLY);

	(void)arg;
	dup2(fd, STDERR_FILENO);
	return 0;
}

static void what_cannot_run_is_told(void **state)
{
	char *missing[] = {"/no/such/command", NULL};
	char *no_program[] = {"/etc/passwd", NULL};
	struct weir_child child;

	(void)state;
	assert_int_equal(weir_child_start(&child, missing, silence, NULL), 0);
	assert_int_equal(weir_child_wait(&child, NULL, NULL), 127);
	assert_int_equal(weir_child_start(&child, no_program, silence, NULL),
			 0);
	assert_int_equal(weir_child_wait(&child, NULL, NULL), 126);
}

/* Sent to us alone, a signal is the command's. */
static void signals_are_passed_on(void **state)
{
	(void)state;
	assert_int_equal(run_shell("trap 'exit 7' USR1; kill -USR1 $PPID;"
				   "while :; do sleep 0.01; done",
				   NULL, NULL),
			 7);
}

/* As with nohup: what was ignored stays ignored, what was blocked too. */
static void signal_settings_are_inherited(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(run_shell("kill -HUP $$; exit 3", NULL, NULL), 3);
	signal(SIGHUP, SIG_DFL);
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(run_shell("exit 4", NULL, NULL), 4);
	signal(SIGCHLD, SIG_DFL);
}

/* The linker complains of libraries that are not there. */
static int set_up(void *arg)
{
	silence(NULL);
	static struct weir_environment made;
	int err = weir_environment_make(&made, arg, "/x/libweir.so",
					"libasan.so.8", "4096");

	if (!err)
		environ = made.all;
	return err;
}

static void the_environment_is_set(void **state)
{
	struct weir_tracedir place = {.dir = "/a b", .live = "/dev/shm/l"};

	(void)state;
	setenv("LD_PRELOAD", "libmine.so:/x/libweir.so other.so", 1);
	assert_int_equal(
		run_shell("test \"$WEIR_TRACE\" = '/a b,4096' &&"
			  "test \"$WEIR_LIVE\" = /dev/shm/l &&"
			  "test \"$LD_PRELOAD\" = libasan.so.8:/x/libweir.so:"
			  "libmine.so:other.so",
			  set_up, &place),
		0);
	unsetenv("LD_PRELOAD");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_comes_back),
		cmocka_unit_test(what_cannot_run_is_told),
		cmocka_unit_test(signals_are_passed_on),
		cmocka_unit_test(signal_settings_are_inherited),
		cmocka_unit_test(the_environment_is_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
