/* SPDX-License-Identifier: BSD-3-Clause */
/* All totals as one JSON object. */
#include "report/as_json.h"

#include <stdlib.h>
#include <string.h>

static void put_key(struct weir_text *out, const char *key, int first)
{
	if (!first)
		weir_text_char(out, ',');
	weir_text_char(out, '"');
	weir_text_string(out, key);
	weir_text_string(out, "\":");
}

static void put_number(struct weir_text *out, const char *key, uint64_t number)
{
	put_key(out, key, 0);
	weir_text_unsigned(out, number);
}

static void put_string(struct weir_text *out, const char *key,
		       const char *text)
{
	put_key(out, key, 0);
	if (text)
		weir_text_json(out, text, strlen(text));
	else
		weir_text_string(out, "null");
}

static void put_numbers(struct weir_text *out, const char *key,
			const uint64_t *numbers, int count)
{
	put_key(out, key, 0);
	for (int i = 0; i < count; i++) {
		weir_text_char(out, i ? ',' : '[');
		weir_text_unsigned(out, numbers[i]);
	}
	weir_text_char(out, ']');
}

/* What has no meaning for calls of this class is left out. */
static void put_cell(struct weir_text *out, const struct weir_cell *cell,
		     enum weir_callclass class)
{
	put_key(out, "calls", 1);
	weir_text_unsigned(out, cell->calls);
	put_number(out, "failed", cell->failed);
	put_number(out, "time", cell->time);
	put_number(out, "timed", cell->timed);
	put_number(out, "longest", cell->longest);
	if (weir_callclass_moves(class)) {
		put_number(out, "bytes", cell->bytes);
		put_number(out, "top", cell->top);
		put_number(out, "placed", cell->placed);
		put_number(out, "follow", cell->follow);
		put_number(out, "ahead", cell->ahead);
	}
	if (weir_callclass_has_size(class))
		put_numbers(out, "sizes", cell->sizes, WEIR_SUM_SIZES);
	put_numbers(out, "waits", cell->waits, WEIR_SUM_WAITS);
}

static void put_call_name(struct weir_text *out, const struct weir_call *call,
			  uint16_t id)
{
	weir_text_char(out, '"');
	if (call) {
		weir_text_string(out, call->name);
	} else {
		weir_text_string(out, "call#");
		weir_text_unsigned(out, id);
	}
	weir_text_char(out, '"');
}

static void put_calls(struct weir_text *out, const struct weir_totals *f,
		      const struct weir_row *row)
{
	put_key(out, "calls", 0);
	for (uint32_t i = 0; i < row->count; i++) {
		uint16_t id = row->entries[i].call;
		const struct weir_call *call = f->calls[id];
		enum weir_callclass class = f->classes[id];

		weir_text_char(out, i ? ',' : '{');
		put_call_name(out, call, id);
		weir_text_string(out, ":{");
		put_cell(out, &row->entries[i].cell, class);
		put_string(out, "class", weir_callclass_name(class));
		put_string(out, "layer", call ? call->layer : NULL);
		weir_text_char(out, '}');
	}
	weir_text_string(out, row->count ? "}" : "{}");
}

static void put_classes(struct weir_text *out, const struct weir_totals *f,
			const struct weir_row *row)
{
	int some = 0;

	put_key(out, "classes", 0);
	weir_text_char(out, '{');
	for (int class = 0; class < WEIR_CLASS_COUNT; class++) {
		struct weir_cell sum = weir_totals_sum(f, row, class);

		if (!sum.calls)
			continue;
		put_key(out, weir_callclass_name(class), !some);
		weir_text_char(out, '{');
		put_cell(out, &sum, class);
		weir_text_char(out, '}');
		some = 1;
	}
	weir_text_char(out, '}');
}

/* Moments count from the first of the trace. */
static void put_row(struct weir_text *out, const struct weir_totals *f,
		    const struct weir_row *row)
{
	struct weir_digest digest = weir_totals_digest(f, row);

	if (row->first) {
		put_number(out, "first", row->first - f->total.first);
		put_number(out, "last", row->last - f->total.first);
	}
	put_number(out, "read", digest.read);
	put_number(out, "written", digest.written);
	put_number(out, "time", digest.time);
	put_classes(out, f, row);
	put_calls(out, f, row);
}

static void put_files(struct weir_text *out, const struct weir_totals *f,
		      const struct weir_digest *files)
{
	put_key(out, "files", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < f->files.count; i++) {
		const struct weir_row *row = files[i].row;
		size_t len = 0;
		const char *name = weir_names_get(&f->names,
						  (uint32_t)row->key, &len);

		weir_text_string(out, i ? ",\n{" : "\n{");
		put_key(out, "name", 1);
		if (name)
			weir_text_json(out, name, len);
		else
			weir_text_string(out, "null");
		put_number(out, "processes", row->processes);
		put_row(out, f, row);
		weir_text_char(out, '}');
	}
	weir_text_string(out, "]");
}

static void put_args(struct weir_text *out,
		     const struct weir_procinfo *process)
{
	put_key(out, "args", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < process->arg_count; i++) {
		if (i)
			weir_text_char(out, ',');
		weir_text_json(out, process->args[i],
			       strlen(process->args[i]));
	}
	weir_text_char(out, ']');
}

static void put_process(struct weir_text *out, const struct weir_totals *f,
			const struct weir_row *row,
			const struct weir_reader *reader)
{
	uint32_t number = (uint32_t)row->key;
	const struct weir_procinfo *process =
		weir_reader_process(reader, number);
	const struct weir_nodeinfo *node = weir_reader_node_of(reader, number);

	put_key(out, "number", 1);
	weir_text_unsigned(out, number);
	if (node)
		put_string(out, "host", node->host);
	if (process) {
		put_number(out, "pid", process->pid);
		if (weir_procinfo_rank(process) >= 0)
			put_number(out, "rank",
				   (uint64_t)weir_procinfo_rank(process));
		put_string(out, "program", process->exe);
		put_string(out, "state", process->state);
		put_args(out, process);
	}
	put_row(out, f, row);
}

static void put_processes(struct weir_text *out, const struct weir_totals *f,
			  const struct weir_reader *reader,
			  const struct weir_digest *processes)
{
	put_key(out, "processes", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < f->processes.count; i++) {
		weir_text_string(out, i ? ",\n{" : "\n{");
		put_process(out, f, processes[i].row, reader);
		weir_text_char(out, '}');
	}
	weir_text_string(out, "]");
}

static void put_unseen(struct weir_text *out, const struct weir_totals *f)
{
	const struct weir_reader_losses *losses = &f->losses;
	struct weir_unrecorded_count none =
		weir_unrecorded_sum(&losses->unrecorded);

	put_key(out, "unseen", 0);
	weir_text_char(out, '{');
	put_key(out, "dropped", 1);
	weir_text_unsigned(out, losses->dropped);
	put_number(out, "lost", losses->lost);
	for (int i = 0; i < 4; i++)
		put_number(out, weir_procinfo_hidden[i], losses->hidden[i]);
	put_number(out, "never_returned", f->entered);
	put_number(out, "unrecorded_processes", none.processes);
	put_number(out, "unrecorded_calls", none.calls);
	put_number(out, "damaged_events", losses->damaged_events);
	put_number(out, "damaged_blocks", losses->damaged_blocks);
	put_number(out, "damaged_bytes", losses->damaged_bytes);
	put_number(out, "unended", losses->unended);
	put_number(out, "refused", losses->refused);
	weir_text_char(out, '}');
}

static void put_trace(struct weir_text *out, const struct weir_totals *f,
		      const struct weir_reader *reader)
{
	const struct weir_nodeinfo *node;

	put_key(out, "manner", 1);
	weir_text_string(out, f->has_sums ? "\"profile\"" : "\"calls\"");
	put_key(out, "hosts", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; (node = weir_reader_node(reader, i)); i++) {
		if (i)
			weir_text_char(out, ',');
		weir_text_json(out, node->host, strlen(node->host));
	}
	weir_text_char(out, ']');
	put_number(out, "begin", f->total.first);
	put_number(out, "span", f->total.last - f->total.first);
	put_number(out, "process_count", weir_reader_processes(reader));
	put_number(out, "threads", f->threads);
}

int weir_as_json_write(struct weir_text *out,
		       const struct weir_totals *totals,
		       const struct weir_reader *reader)
{
	struct weir_digest *files, *processes;
	int err = weir_totals_sort(totals, &totals->files,
				     WEIR_ORDER_BYTES, &files);

	if (err)
		return err;
	err = weir_totals_sort(totals, &totals->processes,
				 WEIR_ORDER_KEY, &processes);
	if (err) {
		free(files);
		return err;
	}
	weir_text_char(out, '{');
	put_trace(out, totals, reader);
	weir_text_string(out, ",\n\"total\":{\"files\":");
	weir_text_unsigned(out, totals->files.count);
	put_row(out, totals, &totals->total);
	weir_text_char(out, '}');
	put_files(out, totals, files);
	weir_text_string(out, ",\n\"others\":{\"files\":");
	weir_text_unsigned(out, totals->folded);
	put_row(out, totals, &totals->others);
	weir_text_char(out, '}');
	put_processes(out, totals, reader, processes);
	put_unseen(out, totals);
	weir_text_string(out, "}\n");
	free(files);
	free(processes);
	return 0;
}
