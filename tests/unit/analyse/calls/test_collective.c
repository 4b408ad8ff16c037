/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part in which collective call; completions of operations. */
#include "analyse/calls/collective.h"

#include "analyse/calls/relations.h"
#include "base/varint.h"
#include "check.h"

static const struct weir_kind key = { "collkey", "hex", 'u',
				      WEIR_PLACE_DETAIL, "detail" };
static const struct weir_kind number = { "collseq", "decimal", 'o',
					 WEIR_PLACE_DETAIL, "detail" };
static const struct weir_argument both[] = { { "coll", &key },
					     { "seq", &number } };
static const struct weir_call mpi = {
	.name = "MPI_File_write_all", .means.class = WEIR_MEANS_WRITE,
	.layer = "mpiio",
	.arguments = both, .argument_count = 2,
}, hdf = {
	.name = "H5Dwrite", .means.class = WEIR_MEANS_WRITE, .layer = "hdf5",
	.arguments = both, .argument_count = 2,
};

#define STRANGE 1 /* no hash is that */

static uint64_t key_of(const struct weir_call *call, uint64_t coll,
		       uint64_t seq)
{
	uint8_t bytes[2 * WEIR_VARINT_MAX];
	struct weir_event event = { .detail = bytes };
	uint64_t found = 0;

	event.detail_len = (uint32_t)weir_varint_put(bytes, coll);
	event.detail_len += (uint32_t)weir_varint_put(
		bytes + event.detail_len, seq + 1);
	switch (weir_collective_told(&event, call, &found)) {
	case WEIR_COLLECTIVE_JOINED:
		return found;
	case WEIR_COLLECTIVE_STRANGE:
		return STRANGE;
	default:
		return 0;
	}
}

static void keys_tell_calls_apart(void **state)
{
	uint8_t cut = 5;
	struct weir_event event = { .detail = &cut, .detail_len = 1 };
	uint64_t found;

	assert_true(key_of(&mpi, 7, 1));
	assert_true(key_of(&mpi, 7, 1) == key_of(&mpi, 7, 1));
	assert_true(key_of(&mpi, 7, 1) != key_of(&mpi, 7, 2));
	assert_true(key_of(&mpi, 7, 1) != key_of(&mpi, 8, 1));
	assert_true(key_of(&mpi, 7, 1) != key_of(&hdf, 7, 1));
	assert_true(key_of(&mpi, 0, 1) == STRANGE);
	assert_false(weir_collective_told(&event, &mpi, &found));
	assert_false(weir_collective_told(&event, NULL, &found));
}

static void take(struct weir_collective *all, uint64_t its_key, uint32_t proc,
		 uint32_t rank, uint64_t end)
{
	const struct weir_collective_member member = {
		.key = its_key, .end = end, .proc = proc, .rank = rank,
	};

	assert_int_equal(weir_collective_add(all, &member), 0);
}

/* Processes 4-6 are a second run of the same program. */
static void runs_are_not_mixed(void **state)
{
	struct weir_collective all = { 0 };
	struct weir_collective_node node;

	for (uint32_t proc = 6; proc; proc--) {
		take(&all, 11, proc, (proc - 1) % 3, 100 * proc);
		take(&all, 12, proc, (proc - 1) % 3, 100 * proc + 50);
	}
	take(&all, 13, 2, 1, 990);
	weir_collective_sort(&all);
	assert_true(weir_collective_find(&all, 11, 2, &node));
	assert_int_equal(node.count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(node.members[i].proc, i + 1);
		assert_int_equal(node.members[i].rank, i);
	}
	assert_int_equal(node.end, 300);
	assert_true(weir_collective_find(&all, 12, 5, &node));
	assert_int_equal(node.members[0].proc, 4);
	assert_int_equal(node.end, 650);
	assert_true(weir_collective_find(&all, 13, 2, &node));
	assert_int_equal(node.count, 1);
	assert_false(weir_collective_find(&all, 13, 1, &node));
	assert_false(weir_collective_find(&all, 14, 1, &node));
	weir_collective_fini(&all);
	weir_collective_sort(&all);
	assert_false(weir_collective_find(&all, 11, 2, &node));
}

static const struct weir_kind id = { "reqid", "hex", 'u', WEIR_PLACE_DETAIL,
				     "detail" };
static const struct weir_argument one[] = { { "id", &id } };
static const struct weir_call submit = {
	.name = "MPI_File_iwrite", .means.class = WEIR_MEANS_SUBMIT,
	.layer = "mpiio",
	.arguments = one, .argument_count = 1,
}, done = {
	.name = "mpi_done", .means.class = WEIR_MEANS_COMPLETE,
	.layer = "mpiio",
	.arguments = one, .argument_count = 1,
};

static struct weir_links_end add(struct weir_links *links,
				 const struct weir_call *call, uint32_t proc,
				 uint32_t thread, uint64_t index, uint8_t its)
{
	struct weir_event event = { .proc = proc, .thread = thread,
				    .index = index, .detail = &its,
				    .detail_len = 1 };
	struct weir_links_end end;

	assert_int_equal(weir_links_add(links, &event, call, &end), 0);
	return end;
}

static void a_completion_finds_its_operation(void **state)
{
	struct weir_links links = { 0 };
	struct weir_links_end end;

	assert_int_equal(add(&links, &submit, 1, 1, 0, 5).kind,
			 WEIR_LINKS_NONE);
	add(&links, &submit, 2, 1, 4, 5);
	add(&links, &submit, 1, 3, 9, 6);
	end = add(&links, &done, 1, 2, 1, 5); /* seen by another thread */
	assert_int_equal(end.kind, WEIR_LINKS_COMPLETES);
	assert_int_equal(end.to.proc, 1);
	assert_int_equal(end.to.thread, 1);
	assert_int_equal(end.to.index, 0);
	end = add(&links, &done, 1, 2, 2, 5);
	assert_int_equal(end.kind, WEIR_LINKS_UNSEEN);
	end = add(&links, &done, 1, 2, 3, 6);
	assert_int_equal(end.to.thread, 3);
	assert_int_equal(end.to.index, 9);
	add(&links, &submit, 1, 1, 20, 5);
	add(&links, &submit, 1, 1, 21, 5);
	end = add(&links, &done, 1, 2, 4, 5);
	assert_int_equal(end.kind, WEIR_LINKS_ONE_OF);
	assert_int_equal(end.open, 2);
	assert_int_equal(add(&links, &done, 1, 2, 5, 5).kind,
			 WEIR_LINKS_COMPLETES);
	weir_links_fini(&links);
}

/* Two operations end below one call, which has made `calls` itself. */
static enum weir_links_kind end_two(uint64_t calls)
{
	static const struct weir_call plain = {
		.name = "pwrite", .layer = "posix",
		.means.class = WEIR_MEANS_WRITE,
	}, wait = { .name = "ncmpi_wait_all",
		    .means.class = WEIR_MEANS_WAIT, .layer = "pnetcdf" };
	uint8_t ids[] = { 5, 6 };
	struct weir_relations all;
	struct weir_relation relation;
	struct weir_event event = { .proc = 1, .thread = 1, .dur = 1,
				    .detail_len = 1 };

	assert_int_equal(weir_relations_init(&all, NULL, NULL), 0);
	for (event.index = 0; event.index < 2; event.index++) {
		event.detail = &ids[event.index];
		event.start = 10 * event.index;
		weir_relations_add(&all, &event, &submit, &relation);
	}
	event = (struct weir_event){ .proc = 1, .thread = 1, .start = 100,
				     .dur = 50, .index = 4 + calls };
	weir_relations_add(&all, &event, &wait, &relation);
	event.depth = 1;
	event.detail_len = 1;
	for (int i = 0; i < 2; i++) {
		event.index = 2 + calls + (uint64_t)i;
		event.detail = &ids[i];
		weir_relations_add(&all, &event, &done, &relation);
		assert_int_equal(relation.end.to.index, i);
	}
	event.detail_len = 0;
	event.start = 110;
	event.dur = 1;
	for (event.index = 2; event.index < 2 + calls; event.index++) {
		struct weir_relation below;

		event.start++;
		weir_relations_add(&all, &event, &plain, &below);
		assert_int_equal(below.place.link, WEIR_TREE_NESTED);
	}
	weir_relations_fini(&all);
	return relation.end.kind;
}

static void what_one_transfer_ends_is_batched(void **state)
{
	assert_int_equal(end_two(0), WEIR_LINKS_COMPLETES);
	assert_int_equal(end_two(1), WEIR_LINKS_BATCHED);
	assert_int_equal(end_two(5), WEIR_LINKS_BATCHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_tell_calls_apart),
		cmocka_unit_test(runs_are_not_mixed),
		cmocka_unit_test(a_completion_finds_its_operation),
		cmocka_unit_test(what_one_transfer_ends_is_batched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
