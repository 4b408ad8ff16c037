/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals by the million, with I/O in their handlers. */
#include "storm.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define DONE_HANDLED 0

static int shared;
static _Atomic int running;

/* A nested one comes while the outer one is in its call. */
static void on_signal(int number)
{
	char byte;

	tally_do(DONE_HANDLED);
	tally_check(tally_pread(shared, &byte, 1, number) == 1);
	if (number == SIGUSR1)
		raise(SIGUSR2);
}

static void handle(int number)
{
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = SA_RESTART | SA_ONSTACK};

	sigaction(number, &action, NULL);
}

static void use_signal_stack(void)
{
	stack_t stack = {.ss_size = 64 << 10};

	stack.ss_sp = malloc(stack.ss_size);
	tally_check(stack.ss_sp && !sigaltstack(&stack, NULL));
}

/* A timer of its own for each thread, so that all are interrupted. */
static timer_t start_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = SIGALRM};
	struct itimerspec often = {{0, 30000}, {0, 30000}};
	timer_t timer;

	event._sigev_un._tid = gettid();
	tally_check(!timer_create(CLOCK_MONOTONIC, &event, &timer) &&
		    !timer_settime(timer, 0, &often, NULL));
	return timer;
}

static void *be_interrupted(void *arg)
{
	long count = (long)arg;
	timer_t timer;
	char name[32];
	int fd;

	if (count % 2)
		use_signal_stack();
	snprintf(name, sizeof(name), "signals-%d", gettid());
	fd = tally_openfile(name, O_RDWR | O_CREAT | O_TRUNC);
	timer = start_timer();
	for (long i = 0; i < count; i++) {
		raise(i % 4 ? SIGUSR2 : SIGUSR1);
		storm_touch(fd, i);
	}
	timer_delete(timer);
	running--;
	tally_check(!tally_close(fd));
	tally_check(!unlink(name));
	return NULL;
}

/* COUNT signals or more: each fourth brings another, timers bring more. */
static int send_signals(long count, char **argv)
{
	pthread_t threads[THREADS];
	long each = count * 4 / 5 / THREADS + 1;

	shared = tally_openfile("/dev/zero", O_RDONLY);
	handle(SIGUSR1);
	handle(SIGUSR2);
	handle(SIGALRM);
	running = THREADS;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, be_interrupted,
			       (void *)(each + i));
	while (running == THREADS) {
		for (int i = 0; i < THREADS; i++)
			pthread_kill(threads[i], SIGUSR2);
		usleep(50);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tally_check(tally->done[DONE_HANDLED] >= (uint64_t)count);
	return tally_close(shared);
}

const struct storm storm_signals[] = {
	{"signals", send_signals},
	{NULL, NULL},
};
