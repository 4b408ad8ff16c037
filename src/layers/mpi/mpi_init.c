/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: MPI begins and ends; what the process is in it. */
#include "capture/messages.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_world.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_VERSION 8192 /* what an MPI may write */

/* What the system that started the job calls it. */
static const char *const jobs[] = {
	"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",      "FLUX_JOB_ID",
	"COBALT_JOBID", "JOB_ID",    "PMIX_NAMESPACE", "PMI_JOBID",
};

static void tell_number(const char *key, int value)
{
	char text[16];
	char *at = text + sizeof(text) - 1;

	*at = 0;
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value && at > text);
	weir_layer_trait(key, at);
}

static void tell_place(void)
{
	int rank = 0, size = 0;

	if (weir_mpi_real.comm_rank(weir_mpi_flavour.world, &rank) ||
	    weir_mpi_real.comm_size(weir_mpi_flavour.world, &size))
		return;
	tell_number("rank", rank);
	tell_number("size", size);
}

/* What tells the ranks of this job from those of others in the trace. */
static void tell_world(void)
{
	uint64_t key = weir_mpi_world_key();
	char text[2 * sizeof(key) + 1];

	for (size_t i = 0; i < 2 * sizeof(key); i++)
		text[i] = "0123456789abcdef"[key >> (60 - 4 * i) & 15];
	text[2 * sizeof(key)] = 0;
	weir_layer_trait("world", text);
}

/* The first line says it; some go on with how they were built. */
static void tell_version(void)
{
	static char text[LONGEST_VERSION + 1];
	int len = 0;

	if (weir_mpi_real.library_version(text, &len))
		return;
	for (char *at = text; *at; at++)
		if (*at == '\t')
			*at = ' ';
	text[strcspn(text, "\n")] = 0;
	weir_layer_trait("mpi", text);
}

static void tell_level(void)
{
	static const char *const levels[] = { "single", "funneled",
					      "serialized", "multiple" };
	int level = -1;

	if (!weir_mpi_real.query_thread(&level) && level >= 0 && level < 4)
		weir_layer_trait("thread_level", levels[level]);
}

static void tell_job(void)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		const char *job = getenv(jobs[i]);

		if (job && *job) {
			weir_layer_trait("job", job);
			return;
		}
	}
}

static bool begin_init(struct weir_layer *on, struct weir_mpi_args *args)
{
	return weir_mpi_meet(args->from) &&
	       weir_layer_begin(on, args->call, 0, args->frame);
}

bool weir_mpi_init_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return begin_init(on, args);
}

void weir_mpi_init_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (on->args.failed)
		return;
	weir_messages_follow();
	tell_place();
	tell_world();
	tell_version();
	tell_level();
	tell_job();
}

bool weir_mpi_finalize_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return begin_init(on, args);
}

void weir_mpi_finalize_after(struct weir_layer *on, struct weir_mpi_args *args)
{
}

bool weir_mpi_abort_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return begin_init(on, args);
}

void weir_mpi_abort_after(struct weir_layer *on, struct weir_mpi_args *args)
{
}
