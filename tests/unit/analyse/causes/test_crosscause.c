/* SPDX-License-Identifier: BSD-3-Clause */
/* What servers do is counted for the calls that cause it. */
#include "analyse/causes/crosscause.h"

#include "analyse/calls/links.h"
#include "check.h"
#include "rawmaker.h"
#include "sample.h"

#include <unistd.h>

enum { PWRITE = 25, FORWARD = 1950, WRITE = 1960, STAGE, COMMIT = 1964 };
enum { CLIENT = 1, SERVER };

static const char dictionary[] =
	"kind size - size bytes\n"
	"kind cause u detail hex\n"
	"kind batch u detail decimal\n"
	"kind count - result bytes\n"
	"kind nothing - result none\n"
	"layer posix\n"
	"call 25 pwrite count write len:size\n"
	"layer client\n"
	"call 1950 forward count write len:size cid:cause\n"
	"layer serve\n"
	"call 1960 serve_write count write len:size for:cause batch:batch\n"
	"call 1961 serve_stage count write len:size batch:batch\n"
	"call 1964 serve_commit nothing sync for:cause\n";

/* A call that another one made, of depth 1, comes before that. */
static void add_event(struct rawmaker *maker, uint16_t call, uint64_t start,
		      const uint64_t *numbers)
{
	struct rawmaker_detail detail = { .used = 0 };
	struct weir_event event = { .call = call, .depth = call == FORWARD,
				    .start = start,
				    .dur = call == PWRITE ? 9 : 1,
				    .flags = WEIR_EVENT_NOOFF };

	for (; numbers && *numbers != UINT64_MAX; numbers++)
		rawmaker_number(&detail, *numbers);
	rawmaker_put(maker, event, numbers ? &detail : NULL);
}

#define NUMBERS(...) ((const uint64_t[]){ __VA_ARGS__, UINT64_MAX })

/* Two writes are forwarded as 5 and 6, and stored together as batch 9. */
static void write_client(struct weir_store *store)
{
	static struct rawmaker maker;

	rawmaker_start(&maker, store, CLIENT, 1, 1000);
	add_event(&maker, FORWARD, 1102, NUMBERS(5));
	add_event(&maker, PWRITE, 1100, NULL);
	add_event(&maker, FORWARD, 1202, NUMBERS(6));
	add_event(&maker, PWRITE, 1200, NULL);
	rawmaker_flush(&maker);
}

static void write_server(struct weir_store *store)
{
	static struct rawmaker maker;

	rawmaker_start(&maker, store, SERVER, 1, 5000);
	add_event(&maker, WRITE, 5100, NUMBERS(5, 9));
	add_event(&maker, WRITE, 5200, NUMBERS(6, 9));
	add_event(&maker, STAGE, 5300, NUMBERS(9));
	add_event(&maker, COMMIT, 5400, NUMBERS(0));
	add_event(&maker, COMMIT, 5500, NUMBERS(77));
	rawmaker_flush(&maker);
}

static struct weir_reader *open_trace(void)
{
	struct weir_store *store;
	struct weir_reader *reader;
	int fd = sample_file();

	assert_int_equal(weir_store_adopt(dup(fd), &store), 0);
	rawmaker_head(store, UINT64_C(1) << 32);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	rawmaker_proc(store, CLIENT, 100, "exited");
	rawmaker_proc(store, SERVER, 200, "exited");
	write_client(store);
	write_server(store);
	weir_store_close(store);
	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	close(fd);
	return reader;
}

/* What the module says of the first event of a call. */
struct opinion {
	uint64_t cause, batch;
	bool is_nobodys;
};

static struct opinion opinion_of(const struct weir_crosscause *all,
				 struct weir_reader *reader, uint16_t number)
{
	struct opinion opinion = { .cause = UINT64_MAX };
	struct weir_event event;

	weir_reader_rewind(reader);
	while (weir_reader_next(reader, &event) > 0) {
		const struct weir_call *call =
			weir_reader_call(reader, &event);

		if (event.call != number)
			continue;
		opinion.cause = weir_crosscause_cause(all, &event, call);
		opinion.batch = weir_links_batch(&event, call);
		opinion.is_nobodys =
			weir_crosscause_is_nobodys(all, &event, call);
		break;
	}
	return opinion;
}

static void events_are_counted_for_their_causes(void **state)
{
	struct weir_reader *reader = open_trace();
	struct weir_crosscause all;
	struct opinion stage;

	assert_int_equal(weir_crosscause_count(&all, reader), 0);
	assert_true(weir_crosscause_knows(&all, 5));
	assert_true(weir_crosscause_knows(&all, 6));
	assert_false(weir_crosscause_knows(&all, 77));
	assert_int_equal(weir_crosscause_caused(&all, 5), 1);
	assert_int_equal(weir_crosscause_caused(&all, 6), 1);
	assert_int_equal(weir_crosscause_caused(&all, 77), 1);
	assert_int_equal(weir_crosscause_caused(&all, 1), 0);
	assert_int_equal(all.caused, 3);
	assert_int_equal(all.nobodys, 1);
	assert_int_equal(all.left_out, 0);
	stage = opinion_of(&all, reader, STAGE);
	assert_int_equal(weir_crosscause_doers(&all, stage.batch), 1);
	weir_crosscause_fini(&all);
	weir_reader_close(reader);
}

static void check_root(const struct weir_crosscause *all, uint64_t cid,
		       uint64_t index, uint64_t awaited)
{
	struct weir_crosscause_root root = { .key = 1 };

	assert_true(weir_crosscause_find(all, cid, &root));
	assert_int_equal(root.id.proc, CLIENT);
	assert_int_equal(root.id.index, index);
	assert_int_equal(root.key, 0);
	assert_int_equal(weir_crosscause_awaited(all, root.id), awaited);
}

/* What does a batch is counted for the first of those it is done for. */
static void causes_lead_to_outermost_calls(void **state)
{
	struct weir_reader *reader = open_trace();
	struct weir_callfacts facts;
	struct weir_crosscause all;
	struct weir_crosscause_root root;

	assert_int_equal(weir_callfacts_init(&facts), 0);
	assert_int_equal(weir_crosscause_gather(&all, reader, &facts, NULL),
			 0);
	check_root(&all, 5, 1, 2);
	check_root(&all, 6, 3, 1);
	assert_false(weir_crosscause_find(&all, 77, &root));
	assert_int_equal(all.unknown, 1);
	assert_int_equal(all.server_count, 1);
	assert_int_equal(all.servers[CLIENT], 0);
	assert_int_not_equal(all.servers[SERVER], 0);
	assert_int_equal(opinion_of(&all, reader, STAGE).cause, 5);
	assert_false(opinion_of(&all, reader, STAGE).is_nobodys);
	assert_true(opinion_of(&all, reader, COMMIT).is_nobodys);
	weir_crosscause_fini(&all);
	weir_callfacts_fini(&facts);
	weir_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_counted_for_their_causes),
		cmocka_unit_test(causes_lead_to_outermost_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
