/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what makes it doubtful to compare two runs. */
#include "analyse/compare/caveats.h"

#include "analyse/view/who.h"

#include <string.h>

typedef uint64_t measure(const struct weir_compare_run *run);

/* When a row of the table is told. */
enum when { WHEN_ANY, WHEN_DIFFERENT, WHEN_ONE_HAS_NONE };

static uint64_t is_profile(const struct weir_compare_run *run)
{
	return run->facts->totals.has_sums != 0;
}

static uint64_t is_overflowed(const struct weir_compare_run *run)
{
	return run->facts->overflowed != 0;
}

static uint64_t count_lost(const struct weir_compare_run *run)
{
	const struct weir_reader_losses *losses = &run->facts->totals.losses;

	return losses->dropped + losses->lost;
}

static uint64_t count_overwritten(const struct weir_compare_run *run)
{
	return run->facts->totals.losses.overwritten;
}

static uint64_t count_entered(const struct weir_compare_run *run)
{
	return run->facts->totals.entered;
}

static uint64_t count_damaged(const struct weir_compare_run *run)
{
	const struct weir_reader_losses *losses = &run->facts->totals.losses;

	return losses->damaged_blocks + losses->unended + losses->refused;
}

static uint64_t count_unrecorded(const struct weir_compare_run *run)
{
	return weir_unrecorded_sum(&run->facts->totals.losses.unrecorded)
		.processes;
}

static uint64_t count_state(const struct weir_compare_run *run,
			    const char *state)
{
	uint64_t count = 0;

	for (uint32_t i = 1; i <= weir_reader_processes(run->reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(run->reader, i);

		count += process && !weir_procinfo_is_server(process) &&
			 !strcmp(process->state, state);
	}
	return count;
}

static uint64_t count_cut(const struct weir_compare_run *run)
{
	return count_state(run, "cut");
}

static uint64_t count_live(const struct weir_compare_run *run)
{
	return count_state(run, "live");
}

static uint64_t count_processes(const struct weir_compare_run *run)
{
	return weir_who_own(run->reader, NULL);
}

static uint64_t count_hosts(const struct weir_compare_run *run)
{
	uint32_t count = 0;

	while (weir_reader_node(run->reader, count))
		count++;
	return count;
}

static uint64_t count_of_system(const struct weir_compare_run *run)
{
	return run->facts->totals.losses.hidden[1];
}

static uint64_t count_excluded(const struct weir_compare_run *run)
{
	return run->facts->totals.losses.hidden[2];
}

static uint64_t count_paused(const struct weir_compare_run *run)
{
	return run->facts->totals.losses.hidden[3];
}

static const struct {
	const char *id, *text;
	measure *measure;
	int is_count;
	enum when when;
} table[] = {
	{ "profile", "of sums only: times are estimated, of all calls in both "
	  "runs, also of pipes and MPI_Init", is_profile, 0, WHEN_ANY },
	{ "lost", "calls that were lost", count_lost, 1, WHEN_ANY },
	{ "damaged", "places where the trace is damaged or cut short",
	  count_damaged, 1, WHEN_ANY },
	{ "cut", "processes that ended without telling (killed, or by "
	  "_exit)", count_cut, 1, WHEN_DIFFERENT },
	{ "live", "processes that are still being recorded", count_live, 1,
	  WHEN_ANY },
	{ "unrecorded", "processes that could not be recorded",
	  count_unrecorded, 1, WHEN_ANY },
	{ "never-returned", "calls that never returned, in no sum",
	  count_entered, 1, WHEN_ANY },
	{ "ring", "older calls that were overwritten (--ring)",
	  count_overwritten, 1, WHEN_ANY },
	{ "paused", "calls while recording was switched off", count_paused, 1,
	  WHEN_ANY },
	{ "excluded", "calls on files that were left out (--include, "
	  "--exclude)", count_excluded, 1, WHEN_ONE_HAS_NONE },
	{ "system", "calls on files of the system, only counted (--all "
	  "records them)", count_of_system, 1, WHEN_ONE_HAS_NONE },
	{ "processes", "processes", count_processes, 1, WHEN_DIFFERENT },
	{ "hosts", "hosts", count_hosts, 1, WHEN_DIFFERENT },
	{ "overflowed", "of so many files that findings do not know all",
	  is_overflowed, 0, WHEN_ANY },
};

_Static_assert(sizeof(table) / sizeof(*table) + 2 <= WEIR_CAVEATS_MOST,
	       "two more are not of the table");

static int is_told(enum when when, const struct weir_figure *figure)
{
	switch (when) {
	case WHEN_ANY:
		return figure->of[0] || figure->of[1];
	case WHEN_DIFFERENT:
		return figure->of[0] != figure->of[1];
	default:
		return !figure->of[0] != !figure->of[1];
	}
}

/* Who recorded them, as far as it is one version each. */
static int is_of_other_version(const struct weir_compare *compare)
{
	const struct weir_nodeinfo *a =
		weir_reader_node(compare->runs[0].reader, 0);
	const struct weir_nodeinfo *b =
		weir_reader_node(compare->runs[1].reader, 0);

	return a && b && strcmp(a->version, b->version) != 0;
}

static int had_other_plan(const struct weir_compare *compare)
{
	const struct weir_runfacts *a = compare->runs[0].facts;
	const struct weir_runfacts *b = compare->runs[1].facts;

	return a->plan != b->plan || weir_effects_hash(&a->effects) !=
				     weir_effects_hash(&b->effects);
}

static struct weir_caveat tell_plans(const struct weir_compare *compare)
{
	struct weir_caveat caveat = {
		"plan", "run with different plans (weir run --plan)", 0,
		{ { compare->runs[0].facts->effects.count > 0,
		    compare->runs[1].facts->effects.count > 0 } }
	};

	if (!caveat.figure.of[0] || !caveat.figure.of[1])
		caveat.text = "run with a plan (weir run --plan), the other "
			      "is not";
	return caveat;
}

unsigned weir_caveats_find(const struct weir_compare *compare,
			   struct weir_caveat ret_caveats[WEIR_CAVEATS_MOST])
{
	unsigned count = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct weir_figure figure = {
			{ table[i].measure(&compare->runs[0]),
			  table[i].measure(&compare->runs[1]) }
		};

		if (is_told(table[i].when, &figure))
			ret_caveats[count++] = (struct weir_caveat){
				table[i].id, table[i].text, table[i].is_count,
				figure
			};
	}
	if (had_other_plan(compare))
		ret_caveats[count++] = tell_plans(compare);
	if (is_of_other_version(compare))
		ret_caveats[count++] = (struct weir_caveat){
			"version", "recorded by different versions of weir", 0,
			{ { 1, 1 } }
		};
	return count;
}
