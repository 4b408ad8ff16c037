/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of all but events: hosts, processes, files, losses. */
#include "export/tables/tablefacts.h"

#include <string.h>

static int put_hosts(struct weir_tableout *out)
{
	const struct weir_nodeinfo *node;
	int err = 0;

	for (uint32_t i = 0; !err && (node = weir_reader_node(out->reader, i));
	     i++) {
		weir_tableout_row cells = {
			weir_tables_unsigned(i),
			weir_tables_name(node->host),
			weir_tables_name(node->version),
			weir_tables_unsigned(node->created),
		};

		err = weir_tableout_put(out, WEIR_TABLE_HOSTS, cells);
	}
	return err;
}

static void list_arguments(struct weir_text *line,
			   const struct weir_procinfo *process)
{
	line->used = 0;
	weir_text_char(line, '[');
	for (size_t i = 0; i < process->arg_count; i++) {
		weir_text_string(line, i ? "," : "");
		weir_text_json(line, process->args[i],
			       strlen(process->args[i]));
	}
	weir_text_char(line, ']');
}

static int put_process(struct weir_tableout *out,
		       const struct weir_procinfo *process)
{
	int64_t rank = weir_procinfo_rank(process);
	weir_tableout_row cells = {
		weir_tables_unsigned(process->number),
		weir_tables_unsigned(process->node),
		weir_tables_unsigned(process->pid),
		weir_tables_unsigned(process->ppid),
		weir_tables_unsigned(process->uid),
		rank < 0 ? weir_tables_none() : weir_tables_signed(rank),
		weir_tables_unsigned(process->image),
		weir_tables_name(process->exe),
		weir_tables_name(process->cwd),
		weir_tables_none(),
		weir_tables_text(process->state),
	};

	list_arguments(&out->line, process);
	if (!out->line.err)
		cells[9] = weir_tables_line(&out->line);
	out->line.err = 0;
	return weir_tableout_put(out, WEIR_TABLE_PROCESSES, cells);
}

int weir_tablefacts_thread(struct weir_tableout *out, uint32_t proc,
			   uint32_t thread, uint32_t tid)
{
	uint64_t key = (uint64_t)proc << 32 | thread;
	weir_tableout_row cells = {
		weir_tables_unsigned(proc),
		weir_tables_unsigned(thread),
		tid ? weir_tables_unsigned(tid) : weir_tables_none(),
	};
	int err;

	if (weir_map_get(&out->threads, key))
		return 0;
	err = weir_map_put(&out->threads, key, 1);
	return err ? err : weir_tableout_put(out, WEIR_TABLE_THREADS, cells);
}

static int put_processes(struct weir_tableout *out)
{
	uint32_t count = weir_reader_processes(out->reader);
	int err = 0;

	for (uint32_t i = 1; !err && i <= count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(out->reader, i);

		if (!process)
			continue;
		err = put_process(out, process);
		for (size_t k = 0; !err && k < process->thread_count; k++)
			err = weir_tablefacts_thread(out, i,
						     process->threads[k].number,
						     process->threads[k].tid);
	}
	return err;
}

static int put_files(struct weir_tableout *out)
{
	uint32_t count = weir_reader_names(out->reader);
	int err = 0;

	for (uint32_t i = 1; !err && i <= count; i++) {
		size_t len;
		const char *name = weir_reader_name(out->reader, i, &len);
		weir_tableout_row cells = { weir_tables_unsigned(i) };

		if (!name)
			continue;
		cells[1] = weir_tables_bytes(name, len);
		err = weir_tableout_put(out, WEIR_TABLE_FILES, cells);
	}
	return err;
}

int weir_tablefacts_before(struct weir_tableout *out)
{
	int err = put_hosts(out);

	if (!err)
		err = put_processes(out);
	return err ? err : put_files(out);
}

/* --- afterwards --------------------------------------------------------- */

static int put_loss(struct weir_tableout *out, const char *what,
		    const struct weir_procinfo *process, uint64_t count)
{
	weir_tableout_row cells = { weir_tables_text(what) };

	if (!count)
		return 0;
	if (process) {
		cells[1] = weir_tables_unsigned(process->node);
		cells[2] = weir_tables_unsigned(process->number);
	}
	cells[6] = weir_tables_unsigned(count);
	return weir_tableout_put(out, WEIR_TABLE_LOSSES, cells);
}

static int put_losses_of(struct weir_tableout *out,
			 const struct weir_procinfo *process)
{
	const struct {
		const char *what;
		uint64_t count;
	} losses[] = {
		{ "dropped", process->dropped },
		{ "outside", process->outside },
		{ "lost", process->lost },
		{ "overwritten", process->overwritten },
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(losses) / sizeof(*losses); i++)
		err = put_loss(out, losses[i].what, process, losses[i].count);
	for (int i = 0; !err && i < 4; i++)
		err = put_loss(out, weir_procinfo_hidden[i], process,
			       process->hidden[i]);
	return err;
}

static int put_damage(struct weir_tableout *out)
{
	struct weir_reader_losses losses;
	int err = 0;

	weir_reader_losses(out->reader, &losses);
	for (int i = 0; !err && i < WEIR_REASON_COUNT; i++)
		err = put_loss(out, weir_unrecorded_why(i), NULL,
			       losses.unrecorded.by[i].processes);
	if (!err)
		err = put_loss(out, "damaged calls", NULL,
			       losses.damaged_events);
	if (!err)
		err = put_loss(out, "damaged blocks", NULL,
			       losses.damaged_blocks);
	if (!err)
		err = put_loss(out, "damaged bytes", NULL,
			       losses.damaged_bytes);
	if (!err)
		err = put_loss(out, "files cut short", NULL, losses.unended);
	return err ? err
		   : put_loss(out, "files that are not traces", NULL,
			      losses.refused);
}

static int put_run(struct weir_tableout *out, const char *trace)
{
	uint64_t error;
	weir_tableout_row cells = {
		weir_tables_unsigned(1),
		weir_tables_name(trace),
		weir_tables_text(weir_reader_is_damaged(out->reader) ? "damaged"
								     : "whole"),
		weir_tables_unsigned(weir_reader_begin(out->reader)),
		weir_tables_unsigned(weir_reader_end(out->reader)),
		weir_tables_unsigned(out->events),
	};

	if (weir_reader_clocks(out->reader, &error))
		cells[6] = weir_tables_unsigned(error);
	cells[7] = weir_tables_text("weir " WEIR_VERSION);
	return weir_tableout_put(out, WEIR_TABLE_RUNS, cells);
}

int weir_tablefacts_after(struct weir_tableout *out, const char *trace)
{
	uint32_t count = weir_reader_processes(out->reader);
	int err = put_run(out, trace);

	for (uint32_t i = 1; !err && i <= count; i++) {
		const struct weir_procinfo *process =
			weir_reader_process(out->reader, i);

		if (process)
			err = put_losses_of(out, process);
	}
	return err ? err : put_damage(out);
}
