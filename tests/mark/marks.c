/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks, and writes between them. Prints what must be in the trace, a line an
 * event of a thread: THREAD CALL ARGUMENT. usage: marks MODE
 */
#include <weir/mark.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS	25

static int fd;
static volatile sig_atomic_t handled;

static void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "marks: %s\n", what);
	exit(1);
}

static void touch(void)
{
	check(pwrite(fd, "x", 1, 0) == 1, "pwrite");
}

static int scoped(int leave_early)
{
	WEIR_MARK_SCOPE("outer");
	{
		WEIR_MARK_SCOPE("inner");
		touch();
		if (leave_early)
			return 1;
	}
	return 0;
}

/* In order, by one thread. */
static void plain(void)
{
	static const char *const printed =
		"1 mark_phase set-up\n1 mark_begin solve\n1 pwrite 0\n"
		"1 mark_step -7\n1 mark_step 9000000000000\n1 mark_end solve\n"
		"1 mark_begin outer\n1 mark_begin inner\n1 pwrite 0\n"
		"1 mark_end inner\n1 mark_end outer\n"
		"1 mark_begin outer\n1 mark_begin inner\n1 pwrite 0\n"
		"1 mark_end inner\n1 mark_end outer\n"
		"1 mark_phase \n1 mark_begin \n";

	errno = EDOM;
	weir_mark_phase("set-up");
	weir_mark_begin("solve");
	check(errno == EDOM, "errno was changed");
	touch();
	weir_mark_step(-7);
	weir_mark_step(INT64_C(9000000000000));
	weir_mark_end("solve");
	check(scoped(0) == 0 && scoped(1) == 1, "a scope");
	weir_mark_phase("");
	weir_mark_begin(NULL);
	fputs(printed, stdout);
}

static void *rounds(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "worker %d", (int)(long)arg);
	weir_mark_begin(name);
	for (int i = 0; i < ROUNDS; i++) {
		weir_mark_step((long)arg * 1000 + i);
		touch();
	}
	weir_mark_end(name);
	return NULL;
}

static void threads(void)
{
	pthread_t made[THREADS];

	for (long i = 0; i < THREADS; i++)
		check(!pthread_create(&made[i], NULL, rounds, (void *)i),
		      "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(made[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		printf("%d mark_begin worker %d\n", i, i);
		for (int n = 0; n < ROUNDS; n++)
			printf("%d mark_step %d\n%d pwrite 0\n", i,
			       i * 1000 + n, i);
		printf("%d mark_end worker %d\n", i, i);
	}
}

static void handler(int signal_number)
{
	weir_mark_step(signal_number);
	weir_mark_begin("in a handler");
	weir_mark_end("in a handler");
	handled++;
}

/* A handler on a stack of its own, raised at once and by a timer. */
static void signals(void)
{
	static char stack[64 << 10];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction act = { .sa_handler = handler,
				 .sa_flags = SA_ONSTACK };

	check(!sigaltstack(&other, NULL), "sigaltstack");
	check(!sigaction(SIGUSR1, &act, NULL), "sigaction");
	for (int i = 0; i < ROUNDS; i++) {
		weir_mark_begin("around");
		raise(SIGUSR1);
		weir_mark_end("around");
	}
	check(handled == ROUNDS, "the handler did not run");
	for (int i = 0; i < ROUNDS; i++)
		printf("1 mark_begin around\n1 mark_step %d\n"
		       "1 mark_begin in a handler\n1 mark_end in a handler\n"
		       "1 mark_end around\n", SIGUSR1);
}

static void write_as(const char *name)
{
	int other = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	check(other >= 0 && write(other, name, 1) == 1, name);
	close(other);
}

/* Which files are written while calls are recorded. */
static void switching(void)
{
	pid_t child;

	write_as("first");
	weir_mark_pause();
	write_as("hidden");
	weir_mark_begin("seen all the same");
	child = fork();
	if (!child) {
		write_as("hidden-too");
		weir_mark_resume();
		write_as("child");
		_exit(0);
	}
	check(child > 0 && waitpid(child, NULL, 0) == child, "fork");
	write_as("hidden-still");
	weir_mark_resume();
	write_as("second");
}

/* As long as a name may be, and longer. */
static void lengths(void)
{
	char *name = malloc(6000);

	check(name != NULL, "malloc");
	memset(name, 'n', 6000);
	name[5999] = 0;
	weir_mark_begin(name + 5999 - 4000);
	weir_mark_begin(name);
	free(name);
}

static void nothing(void)
{
	touch();
	weir_mark_tell(0, "no mark", 0);
	weir_mark_tell(-1, "no mark", 0);
	weir_mark_tell(7777, "no mark", 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*play)(void);
	} modes[] = {
		{ "plain", plain }, { "threads", threads },
		{ "signals", signals }, { "switching", switching },
		{ "lengths", lengths }, { "nothing", nothing },
	};

	fd = open("data", O_RDWR | O_CREAT, 0600);
	check(fd >= 0 && argc == 2, "usage: marks MODE");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name))
			modes[i].play();
	printf("recorded: %s\n", weir_mark_recorder() ? "yes" : "no");
	return 0;
}
