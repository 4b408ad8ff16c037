/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the job that a rank is of: alike in all ranks, by no message. */
#include "layers/mpi/mpi_world.h"

#include "base/append.h"
#include "base/hash.h"
#include "base/sys.h"
#include "layers/mpi/mpi_real.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ANCESTORS 16
#define LINE	  4096

static _Atomic uint64_t world;

/* --- MPICH's launcher: only the process that starts ranks has a name ---- */

/* Bytes of a file of /proc, and a NUL; 0: it cannot be read. */
static size_t read_proc(long pid, const char *name, char text[LINE])
{
	char path[64], *at = weir_append_text(path, "/proc/");
	long fd, got;

	at = weir_append_number(at, (uint64_t)pid);
	weir_append_text(weir_append_text(at, "/"), name);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	got = weir_sys3(SYS_read, fd, text, LINE - 1);
	weir_sys1(SYS_close, fd);
	if (got <= 0)
		return 0;
	text[got] = 0;
	return (size_t)got;
}

/* PID (NAME) STATE PARENT ...; a name may have anything in it. */
static long parent_of(long pid)
{
	char stat[LINE];
	const char *at =
		read_proc(pid, "stat", stat) ? strrchr(stat, ')') : NULL;

	long parent = 0;

	for (at = at && strlen(at) > 4 ? at + 4 : ""; *at >= '0' && *at <= '9';
	     at++)
		parent = 10 * parent + (*at - '0');
	return parent;
}

static bool is_proxy(const char *program)
{
	const char *slash = strrchr(program, '/');

	return !strcmp(slash ? slash + 1 : program, "hydra_pmi_proxy");
}

/* Where all proxies of a launcher report, and which of its jobs it is. */
static uint64_t hash_proxy(const char *line, size_t len)
{
	static const char *const told[] = { "--control-port", "--pgid" };
	uint64_t hash = 0;

	for (const char *word = line; word < line + len;
	     word += strlen(word) + 1)
		for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
			const char *value = word + strlen(word) + 1;

			if (!strcmp(word, told[i]) && value < line + len)
				hash += weir_hash_bytes(value, strlen(value)) +
					i;
		}
	return hash;
}

/* 0: no such process is above this one. */
static uint64_t ask_proxy(void)
{
	char line[LINE];
	long pid = weir_sys0(SYS_getpid);

	for (int i = 0; i < ANCESTORS; i++) {
		size_t len;

		pid = parent_of(pid);
		if (pid <= 1)
			return 0;
		len = read_proc(pid, "cmdline", line);
		if (len && is_proxy(line))
			return hash_proxy(line, len);
	}
	return 0;
}

/* --- and all others' ---------------------------------------------------- */

/* 0: it is not there. */
static uint64_t hash_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? weir_hash_bytes(value, strlen(value)) : 0;
}

/*
 * A launcher's own variables may be an outer launcher's: such are the same in
 * all ranks, too, and do no harm beside what tells the inner one's jobs apart.
 */
static void name_job(uint64_t job[5])
{
	job[0] = hash_variable("PMIX_NAMESPACE");
	if (!weir_mpi_flavour.narrow && job[0])
		return;
	job[1] = hash_variable("PMI_JOBID");
	job[2] = weir_layer_may_ask() ? ask_proxy() : 0;
	if (job[1] || job[2])
		return;
	job[3] = hash_variable("SLURM_JOB_ID");
	job[4] = hash_variable("SLURM_STEP_ID");
}

/* Of a rank that is alone nobody else has to know the name. */
static void name_alone(uint64_t job[5])
{
	struct timespec now = { 0 };

	weir_sys2(SYS_clock_gettime, CLOCK_REALTIME, &now);
	job[0] = (uint64_t)weir_sys0(SYS_getpid);
	job[1] = (uint64_t)now.tv_sec;
	job[2] = (uint64_t)now.tv_nsec;
}

static uint64_t make_key(void)
{
	uint64_t parts[6] = { 0 };
	int size = 0;

	if (weir_mpi_real.comm_size(weir_mpi_flavour.world, &size))
		size = 0;
	parts[5] = (uint64_t)(uint32_t)size;
	if (size == 1)
		name_alone(parts);
	else
		name_job(parts);
	return weir_hash_numbers(parts, sizeof(parts));
}

uint64_t weir_mpi_world_key(void)
{
	uint64_t key = atomic_load(&world), none = 0;

	if (key)
		return key;
	key = make_key();
	return atomic_compare_exchange_strong(&world, &none, key) ? key : none;
}
