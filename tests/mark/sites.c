/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls from known places. Prints, for each pwrite in the trace, in the order
 * of their offsets: OFFSET LINE FUNCTION, and FUNCTIONs above it. usage:
 * sites MODE
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define STEEP	  20000
#define THREADS	  4
#define COROUTINE (64 << 10)

#define AWAY __attribute__((noinline, noclone))

/* A call, and what must be said of it. */
#define WRITE_AT(off, above)                                        \
	do {                                                        \
		check(pwrite(fd, "x", 1, off) == 1);                \
		say(off, __LINE__, __func__, above);                \
	} while (0)

static int fd;
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;
static char said[64 << 10];
static size_t length;

static void check(int holds)
{
	if (!holds)
		abort();
}

/* Kept until the end: a print would be a call too. */
AWAY static void say(long off, int line, const char *function,
		     const char *above)
{
	pthread_mutex_lock(&saying);
	length += (size_t)snprintf(said + length, sizeof(said) - length,
				   "%ld %d %s %s\n", off, line, function,
				   above);
	pthread_mutex_unlock(&saying);
}

AWAY static void inner(long off)
{
	WRITE_AT(off, "outer main");
	__asm__ volatile("");
}

AWAY static void outer(long off)
{
	inner(off);
	__asm__ volatile("");
}

AWAY static void fall(int depth, long off)
{
	volatile char room[32];

	room[0] = 0;
	if (depth)
		fall(depth - 1, off);
	else
		WRITE_AT(off, "fall fall");
	__asm__ volatile("" : : "r"(room));
}

AWAY static void *work(void *arg)
{
	for (long i = 0; i < 10; i++)
		WRITE_AT(1000 + (long)arg * 100 + i, "");
	return NULL;
}

static void threads(void)
{
	pthread_t made[THREADS];

	for (long i = 0; i < THREADS; i++)
		check(!pthread_create(&made[i], NULL, work, (void *)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(made[i], NULL);
}

AWAY static void handle(int number)
{
	WRITE_AT(2000 + number, "");
}

static void handlers(void)
{
	static char stack[64 << 10];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction act = { .sa_handler = handle,
				 .sa_flags = SA_ONSTACK };

	check(!sigaction(SIGUSR2, &(struct sigaction){ .sa_handler = handle },
			 NULL));
	check(!sigaltstack(&other, NULL));
	check(!sigaction(SIGUSR1, &act, NULL));
	raise(SIGUSR1);
	raise(SIGUSR2);
}

AWAY static void children(void)
{
	pid_t child = fork();

	if (!child) {
		outer(3000);
		_exit(0);
	}
	say(3000, 0, "inner", "outer children"); /* its own words are lost */
	check(child > 0 && waitpid(child, NULL, 0) == child);
	child = vfork();
	if (!child) {
		if (pwrite(fd, "x", 1, 3001) != 1)
			_exit(1);
		_exit(0);
	}
	say(3001, 0, "children", "main");
	check(child > 0 && waitpid(child, NULL, 0) == child);
}

static ucontext_t here, there;

AWAY static void elsewhere(void)
{
	WRITE_AT(4000, "");
}

/* Right below memory that is not there. */
AWAY static void coroutine(void)
{
	char *room = mmap(NULL, 2 * COROUTINE, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check(room != MAP_FAILED &&
	      !mprotect(room, COROUTINE, PROT_READ | PROT_WRITE));
	check(!getcontext(&there));
	there.uc_stack.ss_sp = room;
	there.uc_stack.ss_size = COROUTINE;
	there.uc_link = &here;
	makecontext(&there, elsewhere, 0);
	check(!swapcontext(&here, &there));
}

#if defined(__x86_64__)
/* pwrite with any value where the frame pointer would be. */
long pwrite_with(long frame, int file, const void *buf, long n, long off);
__asm__(".text\n"
	".globl pwrite_with\n"
	".type pwrite_with, @function\n"
	"pwrite_with:\n\t"
	"push %rbp\n\t"
	"mov %rdi, %rbp\n\t"
	"mov %esi, %edi\n\t"
	"mov %rdx, %rsi\n\t"
	"mov %rcx, %rdx\n\t"
	"mov %r8, %rcx\n\t"
	"call pwrite@PLT\n\t"
	"pop %rbp\n\t"
	"ret\n"
	".size pwrite_with, .-pwrite_with\n");

static void *garbage(void *arg)
{
	long here_about = (long)&arg & ~7L;
	unsigned long seed = 88172645463325252u;

	for (long i = 0; i < 20000; i++) {
		long frame;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		frame = i % 4 == 0 ? (long)seed :
			i % 4 == 1 ? here_about + (long)(seed % 65536) - 4096 :
			i % 4 == 2 ? here_about + (long)(seed >> 30 << 3) :
				     (long)(seed >> 20);
		check(pwrite_with(frame, fd, "x", 1, 5000 + i) == 1);
	}
	return NULL;
}

static void garble(void)
{
	pthread_t made;

	garbage(NULL);
	check(!pthread_create(&made, NULL, garbage, NULL));
	pthread_join(made, NULL);
}
#else
static void garble(void)
{
}
#endif

int main(int argc, char **argv)
{
	fd = open("data", O_RDWR | O_CREAT, 0600);
	check(fd >= 0 && argc == 2);
	if (!strcmp(argv[1], "garbage")) {
		garble();
		return 0;
	}
	WRITE_AT(0, "");
	outer(1);
	fall(10, 2);
	fall(STEEP, 3);
	threads();
	handlers();
	children();
	coroutine();
	fputs(said, stdout);
	return 0;
}
