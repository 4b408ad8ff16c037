/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers that leave the interrupted call by a jump. */
#include "storm.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#define DONE_JUMP 0

static __thread sigjmp_buf place;
static __thread volatile sig_atomic_t may_jump;
static int shared, silent[2];

static void jump(int number)
{
	if (!may_jump)
		return;
	may_jump = 0;
	tally_do(DONE_JUMP);
	siglongjmp(place, 1);
}

static void handle(int flags)
{
	struct sigaction action = {.sa_handler = jump, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
}

/* Out of a read that waits for ever, also on another stack. */
static void jump_from_wait(long n)
{
	struct itimerval soon = {{0, 0}, {0, 100 + n % 7 * 20}};
	char byte;

	if (sigsetjmp(place, 1))
		return;
	may_jump = 1;
	setitimer(ITIMER_REAL, &soon, NULL);
	for (;;)
		tally_read(silent[0], &byte, 1);
}

/* At any instruction of calls that follow each other closely. */
static void jump_from_work(long n)
{
	struct itimerval soon = {{0, 0}, {0, 20 + n % 91}};
	char byte;

	if (sigsetjmp(place, 1))
		return;
	may_jump = 1;
	setitimer(ITIMER_REAL, &soon, NULL);
	for (long i = 0;; i++)
		tally_pread(shared, &byte, 1, i);
}

static int jump_often(long count, char **argv)
{
	stack_t stack = {.ss_size = 64 << 10};

	stack.ss_sp = malloc(stack.ss_size);
	tally_check(!sigaltstack(&stack, NULL));
	shared = tally_openfile("/dev/zero", O_RDONLY);
	tally_check(!tally_pipe(silent));
	for (long n = 0; n < count; n++) {
		handle(n % 2 ? SA_ONSTACK : 0);
		if (n % 4 < 2)
			jump_from_wait(n);
		else
			jump_from_work(n);
		storm_touch(silent[0], 0); /* both fail: a pipe has no place */
	}
	tally->wrong -= 2 * (uint64_t)count;
	tally_check(tally->done[DONE_JUMP] == (uint64_t)count);
	return tally_close(silent[0]) || tally_close(silent[1]) ||
	       tally_close(shared);
}

const struct storm storm_jumps[] = {
	{"jumps", jump_often},
	{NULL, NULL},
};
