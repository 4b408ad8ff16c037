/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank the environment says a process is. */
#include "base/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST_WORDS 8

static const struct {
	const char *environment;
	const char *expected; /* launcher rank size job; empty: none */
} cases[] = {
	{ "HOME=/ RANK=2 WORLD_SIZE=3", "torchrun 2 3 -" },
	{ "RANK=2 WORLD_SIZE=3 MASTER_ADDR=n1 MASTER_PORT=5",
	  "torchrun 2 3 n1.5" },
	{ "RANK=2", "" },
	{ "RANK=x WORLD_SIZE=3", "" },
	{ "RANK= WORLD_SIZE=3", "" },
	{ "RANK=-1 WORLD_SIZE=3", "" },
	{ "RANK=12345678901 WORLD_SIZE=3", "" },
	{ "RANKS=1 PMI_RANK=0 PMI_SIZE=2", "pmi 0 2 -" },
	{ "PMI_RANK=0 PMI_SIZE=2 PMI_JOBID=a", "pmi 0 2 a" },
	{ "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMIX_NAMESPACE=9",
	  "openmpi 1 4 9" },
	{ "PMIX_RANK=1 PMIX_NAMESPACE=9", "pmix 1 - 9" },
	{ "SLURM_PROCID=7 SLURM_NTASKS=8 SLURM_JOB_ID=5 SLURM_STEP_ID=1",
	  "slurm 7 8 5.1" },
	{ "SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_JOB_ID=5", "slurm 0 8 -" },
	/* mpirun within a job of Slurm's, torchrun within both */
	{ "SLURM_PROCID=0 SLURM_NTASKS=1 PMI_RANK=3 PMI_SIZE=4", "pmi 3 4 -" },
	{ "PMI_RANK=3 PMI_SIZE=4 RANK=9 WORLD_SIZE=10", "torchrun 9 10 -" },
	{ "HOME=/", "" },
};

static void environments_are_understood(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256], seen[256] = "", *words[MOST_WORDS], *rest;
		struct weir_rank rank;
		int n = 0;

		snprintf(text, sizeof(text), "%s", cases[i].environment);
		for (rest = text; (words[n] = strsep(&rest, " "));)
			n++;
		if (weir_rank_find(words, &rank))
			snprintf(seen, sizeof(seen), "%s %s %s %s",
				 rank.launcher, rank.rank,
				 rank.size ? rank.size : "-",
				 *rank.job ? rank.job : "-");
		assert_string_equal(seen, cases[i].expected);
	}
	assert_false(weir_rank_find(NULL, &(struct weir_rank){0}));
}

static void a_long_name_is_cut(void **state)
{
	char job[512] = "PMI_JOBID=", rank_0[] = "PMI_RANK=0";
	char *environment[] = { job, rank_0, NULL };
	struct weir_rank rank;

	memset(job + strlen(job), 'x', 400);
	assert_true(weir_rank_find(environment, &rank));
	assert_int_equal(strlen(rank.job), sizeof(rank.job) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(environments_are_understood),
		cmocka_unit_test(a_long_name_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
