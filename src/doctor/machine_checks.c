/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what the kernel gives: /proc, system calls, a clock. */
#include "doctor/check.h"
#include "doctor/patient.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static enum weir_check_answer look_for_proc(const struct weir_patient *p,
					    int arg, char *where)
{
	char path[PATH_MAX];

	if (readlink("/proc/self/exe", path, sizeof(path)) < 0)
		return weir_check_found(where, "/proc/self/exe: %s",
					strerror(errno));
	return WEIR_CHECK_FINE;
}

/* Each fails only if the kernel or a filter before it refuses the call. */
static int try_fallocate(void)
{
	int fd = memfd_create("weir-doctor", MFD_CLOEXEC);

	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is another check's */
	if (fd < 0)
		return errno;
	return fallocate(fd, 0, 0, 4096) && errno != EFBIG ? errno : 0;
}

static int try_wiping(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED || madvise(page, 4096, MADV_WIPEONFORK) ?
		       errno : 0;
}

static int try_lease(void)
{
	int fd = memfd_create("weir-doctor", MFD_CLOEXEC);

	if (fd < 0)
		return errno;
	/* EAGAIN: somebody else has it open, which nobody asks here. */
	return fcntl(fd, F_SETLEASE, F_WRLCK) && errno != EAGAIN ? errno : 0;
}

static int try_random(void)
{
	char byte;

	return getentropy(&byte, 1) ? errno : 0;
}

static const struct {
	const char *name;
	int (*attempt)(void);
} attempts[] = {
	{"fallocate", try_fallocate},
	{"madvise(MADV_WIPEONFORK)", try_wiping},
	{"fcntl(F_SETLEASE)", try_lease},
	{"getrandom", try_random},
};

/* In another process, which a filter may end: its status. */
static int attempt_apart(int (*attempt)(void))
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(attempt());
	if (pid < 0)
		return 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static int read_filter(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	int mode = 0;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "Seccomp: %d", &mode);
	if (file)
		fclose(file);
	return mode;
}

static enum weir_check_answer look_at_calls(const struct weir_patient *p,
					    int arg, char *where)
{
	for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		int status = attempt_apart(attempts[i].attempt);

		if (!status)
			continue;
		return weir_check_found(
			where, "%s: %s (Seccomp: %d in /proc/self/status)",
			attempts[i].name,
			WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
					    : strerror(WEXITSTATUS(status)),
			read_filter());
	}
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_filter(const struct weir_patient *p,
					     int arg, char *where)
{
	int mode = read_filter();

	if (mode)
		return weir_check_found(where, "Seccomp: %d in "
					"/proc/self/status", mode);
	return WEIR_CHECK_FINE;
}

static enum weir_check_answer look_at_clock(const struct weir_patient *p,
					    int arg, char *where)
{
	FILE *file = fopen(CLOCK, "re");
	char name[64] = "";

	if (!file)
		return WEIR_CHECK_UNASKED;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
	if (!strcmp(name, "tsc") || !strncmp(name, "arch_sys", 8))
		return WEIR_CHECK_FINE;
	return weir_check_found(where, CLOCK " is %s", name);
}

const struct weir_check weir_machine_checks[] = {
	{ "proc-missing", WEIR_CHECK_PREVENTS, look_for_proc, 0,
	  "/proc is not mounted; weir finds neither its library nor names of "
	  "files",
	  "mount it: mount -t proc proc /proc", "/proc is mounted" },
	{ "calls-refused", WEIR_CHECK_PREVENTS, look_at_calls, 0,
	  "a system call that recording needs is refused",
	  "if Seccomp is not 0, have the filter allow it; else use a newer "
	  "kernel",
	  "the system calls that recording needs are allowed" },
	{ "seccomp", WEIR_CHECK_NOTE, look_at_filter, 0,
	  "a system call filter (seccomp) applies here; it allows what "
	  "recording needs",
	  NULL, "no system call filter applies here" },
	{ "clock", WEIR_CHECK_NOTE, look_at_clock, 0,
	  "the kernel does not trust the processor's counter, so each call "
	  "costs a little more to record",
	  NULL, "the clock is the processor's counter" },
	{ 0 },
};
