/* SPDX-License-Identifier: BSD-3-Clause */
/* An overview does not show how many threads made it. */
#include "analyse/page/overviewbuild.h"

#include "check.h"
#include "crowdtrace.h"
#include "report/page/as_page.h"
#include "sample.h"

#include <string.h>
#include <unistd.h>

/* All that is known of a made trace before it is looked at. */
struct known {
	int fd;
	struct weir_reader *reader;
	struct weir_runfacts facts;
	struct weir_findings findings;
	struct weir_outline outline;
};

static const struct weir_callviews_filter all;

static void know(struct known *known, uint64_t seed)
{
	*known = (struct known){ .fd = crowdtrace_make(seed) };
	assert_int_equal(weir_reader_open(sample_path(known->fd),
					  &known->reader), 0);
	assert_int_equal(weir_runfacts_gather(&known->facts, known->reader,
					      &all, 1), 0);
	assert_int_equal(weir_findings_conclude(&known->facts,
						&known->findings), 0);
	assert_int_equal(weir_outline_init(&known->outline, known->reader,
					   &known->facts, &known->findings),
			 0);
}

static void forget(struct known *known)
{
	weir_outline_fini(&known->outline);
	weir_findings_fini(&known->findings);
	weir_runfacts_fini(&known->facts);
	weir_reader_close(known->reader);
	close(known->fd);
}

/* The bytes of the page, as so many make it. */
static struct weir_bytes page_of(struct known *known, unsigned workers)
{
	struct weir_bytes bytes;
	struct weir_overview overview;
	struct weir_pagesource page = { .facts = &known->facts,
				     .findings = &known->findings,
				     .reader = known->reader, .filter = &all,
				     .overview = &overview };

	assert_int_equal(
		weir_overviewbuild_read(&overview, sample_path(known->fd),
					&known->outline, &all, workers),
		0);
	assert_int_equal(weir_as_page_make(&page, &bytes), 0);
	weir_overview_fini(&overview);
	return bytes;
}

/* `calls`: how many there seem to be, so that some must be chosen. */
static void compare(uint64_t seed, uint64_t calls)
{
	static const unsigned counts[] = { 2, 5 };
	struct weir_bytes alone;
	struct known known;

	know(&known, seed);
	if (calls)
		known.outline.calls = calls;
	alone = page_of(&known, 1);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct weir_bytes bytes = page_of(&known, counts[i]);

		assert_int_equal(bytes.used, alone.used);
		assert_memory_equal(bytes.data, alone.data, alone.used);
		weir_bytes_fini(&bytes);
	}
	weir_bytes_fini(&alone);
	forget(&known);
}

static void all_calls_are_the_same(void **state)
{
	compare(21, 0);
}

static void chosen_calls_are_the_same(void **state)
{
	compare(22, 300000);
	compare(23, 50000000);
}

/* What caused a call of the sample is in it, and comes before it. */
static void causes_are_there(void **state)
{
	struct weir_overview overview;
	struct known known;
	uint32_t nested = 0;

	know(&known, 24);
	known.outline.calls = 400000;
	assert_int_equal(weir_overviewbuild_read(&overview,
						 sample_path(known.fd),
						 &known.outline, &all, 2),
			 0);
	assert_true(overview.chosen_count > 0);
	assert_true(overview.chosen_count <= WEIR_SAMPLE_MOST);
	for (uint32_t i = 0; i < overview.chosen_count; i++) {
		const struct weir_exemplar *one = &overview.chosen[i];

		nested += one->depth > 0;
		assert_int_equal(one->above == UINT64_MAX,
				 one->parent == WEIR_SAMPLE_NONE);
		if (one->parent == WEIR_SAMPLE_NONE)
			continue;
		assert_true(one->parent < i);
		assert_int_equal(overview.chosen[one->parent].id.index,
				 one->above);
		assert_int_equal(overview.chosen[one->parent].id.proc,
				 one->id.proc);
	}
	assert_true(nested > 0);
	weir_overview_fini(&overview);
	forget(&known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_calls_are_the_same),
		cmocka_unit_test(chosen_calls_are_the_same),
		cmocka_unit_test(causes_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
