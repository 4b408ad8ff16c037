/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a query about a trace. */
#include "analyse/query/answer.h"

#include "analyse/calls/traffic.h"
#include "analyse/query/errornames.h"
#include "base/glob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef bool condition_test(const struct weir_answer *answer,
			    const struct weir_query_value *value,
			    const void *what);

/* Whether all conditions on a key are met by something. */
static bool meets(const struct weir_answer *answer,
		  enum weir_query_key key, condition_test *test,
		  const void *what)
{
	const struct weir_query *query = answer->query;

	for (unsigned i = 0; i < query->condition_count; i++) {
		const struct weir_query_condition *it = &query->conditions[i];
		bool met = it->key != key;

		for (unsigned k = 0; !met && k < it->count; k++)
			met = test(answer, &it->values[k], what);
		if (!met)
			return false;
	}
	return true;
}

static bool asks(const struct weir_query *query, enum weir_query_key key)
{
	for (unsigned i = 0; i < query->condition_count; i++)
		if (query->conditions[i].key == key)
			return true;
	return false;
}

/* An outermost call that is looked at. */
struct candidate {
	const struct weir_event *event;
	const struct weir_callunit *unit;
};

static bool is_id(const struct weir_answer *answer,
		  const struct weir_query_value *value, const void *what)
{
	const struct candidate *it = what;
	const struct weir_event *event = it->event;

	return value->id.proc == event->proc &&
	       value->id.thread == event->thread &&
	       value->id.index == event->index;
}

static bool is_called(const struct weir_answer *answer,
		      const struct weir_query_value *value, const void *what)
{
	const struct candidate *it = what;

	return weir_glob_matches(value->text, it->unit->call->name);
}

static bool is_then(const struct weir_answer *answer,
		    const struct weir_query_value *value, const void *what)
{
	uint64_t start = ((const struct candidate *)what)->unit->start;

	return start >= value->from && start < value->to;
}

static bool is_at_line(const struct weir_answer *answer,
		       const struct weir_query_value *value, const void *what)
{
	const struct candidate *it = what;

	return answer->means->is_at(answer->means->context, it->event, value);
}

/* Any of the regions that are open, or the phase. */
static bool is_in_segment(const struct weir_answer *answer,
			  const struct weir_query_value *value,
			  const void *what)
{
	const struct candidate *it = what;
	const struct weir_event *event = it->event;
	const struct weir_segments *all = &answer->units.segments;
	uint32_t number;
	size_t len;

	for (unsigned i = 0; (number = weir_segments_now(all, event->proc,
							 event->thread, i));
	     i++)
		if (weir_glob_matches(value->text,
				      weir_names_get(&all->names, number,
						     &len)))
			return true;
	return false;
}

static bool is_sized(const struct weir_answer *answer,
		     const struct weir_query_value *value, const void *what)
{
	const struct weir_callunit *unit = what;

	return unit->has_size && unit->size >= value->from &&
	       unit->size <= value->to;
}

static bool wants(void *context, const struct weir_event *root,
		  const struct weir_callunit *unit)
{
	static const struct {
		enum weir_query_key key;
		condition_test *test;
	} tests[] = {
		{ WEIR_QUERY_ID, is_id },     { WEIR_QUERY_CALL, is_called },
		{ WEIR_QUERY_TIME, is_then }, { WEIR_QUERY_LINE, is_at_line },
		{ WEIR_QUERY_SEGMENT, is_in_segment },
	};
	const struct weir_answer *answer = context;
	struct candidate it = { root, unit };

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		if (!meets(answer, tests[i].key, tests[i].test, &it))
			return false;
	return true;
}

static bool is_op(const struct weir_answer *answer,
		  const struct weir_query_value *value, const void *what)
{
	const struct weir_callunit *unit = what;

	return (unit->ways ? unit->ways : unit->ways_below) & value->ways;
}

static bool is_named(const struct weir_answer *answer,
		     const struct weir_query_value *value, const void *what)
{
	return weir_glob_matches(value->text, what);
}

static bool asks_or_groups(const struct weir_query *query,
			   enum weir_query_key key)
{
	return asks(query, key) || weir_queryparse_groups(query, key);
}

static const struct weir_mount *find_mount(const struct weir_answer *answer,
					   const struct weir_callunit *unit,
					   uint32_t file)
{
	const struct weir_procinfo *process =
		weir_reader_process(answer->reader, unit->id.proc);
	const struct weir_mounts *mounts =
		process ? weir_reader_mounts(answer->reader, process->node)
			: NULL;
	size_t len;
	const char *name = weir_reader_name(answer->reader, file, &len);

	return mounts && name ? weir_mounts_of(mounts, name) : NULL;
}

/* Looked for once for each file: where who used it first had it. */
static int tell_mount(struct weir_answer *answer,
		      const struct weir_callunit *unit, uint32_t file,
		      uint32_t *ret_mount)
{
	const struct weir_mount *mount;
	const char *point;
	int err = 0;

	if (!answer->mounts[file]) {
		mount = find_mount(answer, unit, file);
		point = mount ? mount->point : "";
		err = weir_names_add(&answer->rows.calls, point, strlen(point),
				     &answer->mounts[file]);
	}
	*ret_mount = answer->mounts[file];
	return err;
}

/* Whether it meets what is asked of its mount and its error; 1, 0 or -errno. */
static int tell_names(struct weir_answer *answer,
		      const struct weir_callunit *unit, uint32_t file,
		      struct weir_querykeys_told *ret_told)
{
	struct weir_names *names = &answer->rows.calls;
	const struct weir_query *query = answer->query;
	const char *call = unit->call->name, *error;
	char room[WEIR_ERRORNAMES_ROOM];
	size_t len;
	int err = weir_names_add(names, call, strlen(call), &ret_told->call);

	if (!err && answer->mounts) {
		err = tell_mount(answer, unit, file, &ret_told->mount);
		if (!err && !meets(answer, WEIR_QUERY_MOUNT, is_named,
				   weir_names_get(names, ret_told->mount,
						  &len)))
			return 0;
	}
	if (!err && asks_or_groups(query, WEIR_QUERY_ERRNO)) {
		error = weir_errornames_of(unit->call->layer, unit->error,
					   room);
		if (!meets(answer, WEIR_QUERY_ERRNO, is_named, error))
			return 0;
		err = weir_names_add(names, error, strlen(error),
				     &ret_told->error);
	}
	return err ? err : 1;
}

/* What is known of a call only when it is over. */
static int take_unit(void *context, const struct weir_callunit *unit)
{
	struct weir_answer *answer = context;
	struct weir_querykeys_told told = { 0 };
	uint32_t file = unit->file;
	int is_met;

	if (file > weir_reader_names(answer->reader))
		file = 0;
	if ((answer->files && !answer->files[file]) ||
	    !meets(answer, WEIR_QUERY_OP, is_op, unit) ||
	    !meets(answer, WEIR_QUERY_SIZE, is_sized, unit))
		return 0;
	is_met = tell_names(answer, unit, file, &told);
	return is_met > 0 ? weir_queryvalue_add(&answer->values, unit, &told)
			  : is_met;
}

/* --- who and what is wanted ------------------------------------------- */

static bool is_numbered(const struct weir_answer *answer,
			const struct weir_query_value *value, const void *what)
{
	uint64_t number = *(const uint64_t *)what;

	return number >= value->from && number <= value->to;
}

static bool is_path(const struct weir_answer *answer,
		    const struct weir_query_value *value, const void *what)
{
	return weir_glob_matches_path(value->text, what);
}

static bool is_same_text(const struct weir_answer *answer,
			 const struct weir_query_value *value, const void *what)
{
	return !strcmp(value->text, what);
}

/* Whether all that is asked of a client holds for a process. */
static bool is_client(const struct weir_answer *answer,
		      const struct weir_procinfo *process, uint64_t client)
{
	int64_t rank = process ? weir_procinfo_rank(process) : -1;
	uint64_t number = (uint64_t)rank, pid = process ? process->pid : 0;
	const char *program = process && process->exe ? process->exe : "";

	if (rank < 0 && asks(answer->query, WEIR_QUERY_RANK))
		return false;
	return meets(answer, WEIR_QUERY_CLIENT, is_numbered, &client) &&
	       meets(answer, WEIR_QUERY_RANK, is_numbered, &number) &&
	       meets(answer, WEIR_QUERY_PROCESS, is_numbered, &pid) &&
	       meets(answer, WEIR_QUERY_PROGRAM, is_path, program);
}

static int know_process(struct weir_answer *answer, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(answer->reader, proc);
	const struct weir_nodeinfo *node =
		weir_reader_node_of(answer->reader, proc);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;
	const char *host = node ? node->host : "";
	uint64_t client = rank < 0 ? proc : (uint64_t)rank;
	uint64_t server = answer->causes.servers[proc];
	int err;

	answer->values.client_of[proc] =
		rank < 0 || client >= WEIR_QUERYROWS_NO_RANK
			? WEIR_QUERYROWS_NO_RANK | proc
			: client;
	if (answer->clients)
		answer->clients[proc] = is_client(answer, process, client);
	server -= !!server;
	if (answer->values.servers)
		answer->values.servers[proc] =
			meets(answer, WEIR_QUERY_SERVER, is_numbered, &server);
	if (answer->values.where)
		answer->values.where[proc] =
			meets(answer, WEIR_QUERY_HOST, is_named, host);
	err = weir_names_add(&answer->hosts, host, strlen(host),
			     &answer->values.host_of[proc]);
	if (err || !process || !process->exe)
		return err;
	return weir_names_add(&answer->programs, process->exe,
			      strlen(process->exe),
			      &answer->values.program_of[proc]);
}

/* NULL where nobody asks: no table to look into at each call. */
static uint8_t *choice_of(bool is_asked, size_t count, int *err)
{
	uint8_t *made;

	if (!is_asked)
		return NULL;
	made = calloc(count, 1);
	if (!made)
		*err = -ENOMEM;
	return made;
}

static bool asks_client(const struct weir_query *query)
{
	return asks(query, WEIR_QUERY_CLIENT) ||
	       asks(query, WEIR_QUERY_RANK) ||
	       asks(query, WEIR_QUERY_PROCESS) ||
	       asks(query, WEIR_QUERY_PROGRAM);
}

static int know_processes(struct weir_answer *answer)
{
	const struct weir_query *query = answer->query;
	size_t count = (size_t)answer->causes.processes + 1;
	int err = 0;

	answer->values.client_of =
		calloc(count, sizeof(*answer->values.client_of));
	answer->values.host_of = calloc(count, sizeof(*answer->values.host_of));
	answer->values.program_of =
		calloc(count, sizeof(*answer->values.program_of));
	answer->clients = choice_of(asks_client(query), count, &err);
	answer->values.servers =
		choice_of(asks(query, WEIR_QUERY_SERVER), count, &err);
	answer->values.where =
		choice_of(asks(query, WEIR_QUERY_HOST), count, &err);
	if (err || !answer->values.client_of || !answer->values.host_of ||
	    !answer->values.program_of)
		return -ENOMEM;
	for (uint32_t proc = 1; !err && proc < count; proc++)
		err = know_process(answer, proc);
	return err;
}

static int know_files(struct weir_answer *answer)
{
	size_t count = (size_t)weir_reader_names(answer->reader) + 1;
	size_t len;
	int err = 0;

	answer->files =
		choice_of(asks(answer->query, WEIR_QUERY_FILE), count, &err);
	if (!err && asks_or_groups(answer->query, WEIR_QUERY_MOUNT)) {
		answer->mounts = calloc(count, sizeof(*answer->mounts));
		err = answer->mounts ? 0 : -ENOMEM;
	}
	for (uint32_t i = 1; answer->files && i < count; i++) {
		const char *name = weir_reader_name(answer->reader, i, &len);

		answer->files[i] = name && meets(answer, WEIR_QUERY_FILE,
						 is_path, name);
	}
	return err;
}

static void know_layers(struct weir_answer *answer)
{
	for (unsigned i = 0; i < answer->facts.layer_count; i++)
		if (meets(answer, WEIR_QUERY_LAYER, is_same_text,
			  answer->facts.layers[i].name))
			answer->values.layers |= UINT64_C(1) << i;
}

/* --- what the trace may not have -------------------------------------- */

static bool has_layer(const struct weir_answer *answer, const char *name)
{
	int layer = weir_callfacts_find(&answer->facts, name);

	return layer >= 0 && answer->facts.layers[layer].is_used;
}

static int lack_layer(struct weir_answer *answer, const char *name)
{
	answer->lack = WEIR_QUERY_LACKS_LAYER;
	answer->lacks = name;
	return -ENODATA;
}

static int check_metric(struct weir_answer *answer)
{
	static const char *const needs[WEIR_QUERY_METRICS][2] = {
		[WEIR_QUERY_IO_NODES] = { "server" },
		[WEIR_QUERY_DISK_ACCESSES] = { "disk" },
		[WEIR_QUERY_POWER] = { "server", "disk" },
		[WEIR_QUERY_ENERGY] = { "server", "disk" },
	};
	const struct weir_query *query = answer->query;

	for (int i = 0; i < 2; i++)
		if (needs[query->metric][i] &&
		    !has_layer(answer, needs[query->metric][i]))
			return lack_layer(answer, needs[query->metric][i]);
	if (query->metric == WEIR_QUERY_COMM_TIME &&
	    !has_layer(answer, "comm") && !has_layer(answer, "mpiio"))
		return lack_layer(answer, "comm");
	if (asks(query, WEIR_QUERY_SERVER) && !answer->causes.server_count)
		return lack_layer(answer, "server");
	return 0;
}

static int check_layers(struct weir_answer *answer)
{
	const struct weir_query *query = answer->query;
	int layer;

	for (unsigned i = 0; i < query->condition_count; i++)
		if (query->conditions[i].key == WEIR_QUERY_LAYER &&
		    !answer->values.layers)
			return lack_layer(answer,
					  query->conditions[i].values->text);
	if (!query->of)
		return 0;
	layer = weir_callfacts_find(&answer->facts, query->of);
	if (layer < 0)
		return lack_layer(answer, query->of);
	if (answer->facts.layers[layer].place.role <= WEIR_STACK_JOINT)
		return 0;
	answer->lack = WEIR_QUERY_LACKS_CLIENT;
	answer->lacks = query->of;
	return -ENODATA;
}

/* After the first reading. */
static int check_query(struct weir_answer *answer)
{
	int err;

	if (has_layer(answer, "recent")) {
		answer->lack = WEIR_QUERY_LACKS_TIMES;
		return -ENODATA;
	}
	err = check_metric(answer);
	return err ? err : check_layers(answer);
}

/* And after the second. */
static int check_found(struct weir_answer *answer)
{
	if (asks(answer->query, WEIR_QUERY_SEGMENT) &&
	    !answer->units.segments.marks)
		answer->lack = WEIR_QUERY_LACKS_MARKS;
	else if (asks(answer->query, WEIR_QUERY_LINE) && !answer->units.sited)
		answer->lack = WEIR_QUERY_LACKS_SITES;
	else if (answer->units.has_sums)
		answer->lack = WEIR_QUERY_LACKS_CALLS;
	return answer->lack ? -ENODATA : 0;
}

static int prepare_answer(struct weir_answer *answer)
{
	int err = weir_callfacts_init(&answer->facts);

	if (!err)
		err = weir_crosscause_gather(&answer->causes, answer->reader,
					     &answer->facts, answer->query->of);
	if (err)
		return err;
	know_layers(answer);
	err = check_query(answer);
	err = err ? err : know_processes(answer);
	return err ? err : know_files(answer);
}

int weir_answer_gather(struct weir_answer *ret_answer,
		      struct weir_reader *reader,
		      const struct weir_query *query,
		      const struct weir_query_means *means)
{
	struct weir_answer *answer = ret_answer;
	struct weir_queryrows_names names;
	int err;

	*answer = (struct weir_answer){ .query = query, .means = means,
					      .reader = reader };
	answer->values = (struct weir_queryvalue){
		.query = query,
		.facts = &answer->facts,
		.causes = &answer->causes,
		.disk = means->disk,
		.rows = &answer->rows,
	};
	names = (struct weir_queryrows_names){ &answer->facts, reader,
					       &answer->hosts,
					       &answer->programs };
	weir_queryrows_init(&answer->rows, query, &names);
	if (weir_reader_has_profiles(reader)) {
		answer->lack = WEIR_QUERY_LACKS_CALLS;
		return -ENODATA;
	}
	err = prepare_answer(answer);
	if (err)
		return err;
	weir_reader_rewind(reader);
	answer->wish = (struct weir_callunits_wish){
		.of = query->of, .clients = answer->clients, .wants = wants,
		.take = take_unit, .context = answer,
	};
	err = weir_callunits_gather(&answer->units, reader, &answer->causes,
				    &answer->facts, &answer->wish);
	if (err)
		return err;
	weir_queryrows_sort(&answer->rows);
	return check_found(answer);
}

void weir_answer_fini(struct weir_answer *answer)
{
	answer->units.err = -ECANCELED; /* nothing is told any more */
	weir_callunits_fini(&answer->units);
	weir_queryrows_fini(&answer->rows);
	weir_queryvalue_fini(&answer->values);
	weir_crosscause_fini(&answer->causes);
	weir_callfacts_fini(&answer->facts);
	weir_names_fini(&answer->hosts);
	weir_names_fini(&answer->programs);
	free(answer->mounts);
	free(answer->clients);
	free(answer->files);
	*answer = (struct weir_answer){ 0 };
}
