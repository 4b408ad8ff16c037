/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints views for programs: CSV or JSON lines. */
#include "report/view/view_rows.h"

#include <string.h>

/* Names of figures: of bytes and of requests. */
static const char *const words[2][2] = {
	{ "read", "written" },
	{ "reads", "writes" },
};

static void put_rank(struct weir_fields *f, int64_t rank)
{
	if (rank < 0)
		weir_fields_none(f, "rank");
	else
		weir_fields_signed(f, "rank", rank);
}

static void put_process(struct weir_fields *f, const struct weir_view *view,
			uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(view->reader, proc);
	const struct weir_nodeinfo *node =
		weir_reader_node_of(view->reader, proc);

	weir_fields_text(f, "host", node ? node->host : NULL,
			 node ? strlen(node->host) : 0);
	weir_fields_number(f, "pid", process ? process->pid : 0);
	weir_fields_number(f, "proc", proc);
	put_rank(f, process ? weir_procinfo_rank(process) : -1);
}

static void put_who(struct weir_fields *f, const struct weir_view *view,
		    const struct weir_who *who, uint32_t group)
{
	const struct weir_who_group *it = &who->groups[group];

	if (who->by == WEIR_WHO_PROCESS)
		put_process(f, view, it->proc);
	if (who->by == WEIR_WHO_RANK)
		put_rank(f, it->rank);
	if (who->by == WEIR_WHO_HOST)
		weir_fields_text(f, "host", it->host ? it->host : "",
				 it->host ? strlen(it->host) : 0);
}

static void put_mark(struct weir_fields *f,
		     const struct weir_marksteps *marks, uint32_t row)
{
	const struct weir_markstep *step = &marks->rows[row];
	size_t len = 0;
	const char *name = weir_names_get(&marks->names, step->phase, &len);

	weir_fields_text(f, "phase", name, len);
	if (step->has_step)
		weir_fields_signed(f, "step", step->step);
	else
		weir_fields_none(f, "step");
}

static void put_cell(struct weir_fields *f, const struct weir_view *view,
		     const struct weir_series *series, uint32_t row,
		     uint32_t group)
{
	if (series->by_marks)
		put_mark(f, &series->marks, row);
	weir_fields_seconds(f, "start", weir_series_start(series, row));
	put_who(f, view, &series->who, group);
	for (int way = 0; way < 2; way++)
		if (weir_view_has(view, way))
			weir_fields_number(
				f, words[series->of_calls][way],
				f->heading ? 0 : weir_series_at(series, row,
								group, way));
	weir_fields_end(f);
}

void weir_view_rows_series(const struct weir_view *view,
			   enum weir_fields_form form,
			   const struct weir_series *series)
{
	struct weir_fields f = { .out = view->out, .form = form, .heading = 1 };

	put_cell(&f, view, series, 0, 0);
	f.heading = 0;
	for (uint32_t row = 0; row < series->rows; row++) {
		if (weir_view_is_void(series, row))
			continue;
		for (uint32_t i = 0; i < series->shown_count; i++)
			put_cell(&f, view, series, row, series->shown[i]);
	}
}

static void put_size(struct weir_fields *f, const struct weir_view *view,
		     const struct weir_sizes *sizes,
		     const struct weir_sizes_row *row)
{
	static const char *const percents[] = { "read_percent",
						"write_percent" };

	weir_fields_number(f, "from", row->from);
	weir_fields_number(f, "to", row->to);
	for (int way = 0; way < 2; way++) {
		if (!weir_view_has(view, way))
			continue;
		weir_fields_number(f, words[1][way], row->count[way]);
		weir_fields_percent(f, percents[way], row->count[way],
				    sizes->total[way]);
	}
	weir_fields_end(f);
}

void weir_view_rows_sizes(const struct weir_view *view,
			  enum weir_fields_form form,
			  const struct weir_sizes *sizes)
{
	static const struct weir_sizes_row none;
	struct weir_fields f = { .out = view->out, .form = form, .heading = 1 };

	put_size(&f, view, sizes, &none);
	f.heading = 0;
	for (uint32_t i = 0; i < sizes->count; i++)
		put_size(&f, view, sizes, &sizes->rows[i]);
}

static void put_known(struct weir_fields *f, const char *name, int is_known,
		      uint64_t number)
{
	if (is_known)
		weir_fields_number(f, name, number);
	else
		weir_fields_none(f, name);
}

void weir_view_rows_access(const struct weir_view *view,
			   enum weir_fields_form form,
			   const struct weir_access *access)
{
	static const struct weir_access none = { .call = "" };
	struct weir_fields f = { .out = view->out, .form = form,
				 .heading = !access };
	const struct weir_access *it = access ? access : &none;
	const char *op = it->way ? "write" : "read";

	weir_fields_number(&f, "order", it->order);
	weir_fields_seconds(&f, "start", it->start);
	put_process(&f, view, it->proc);
	weir_fields_text(&f, "op", op, strlen(op));
	weir_fields_text(&f, "call", it->call, strlen(it->call));
	put_known(&f, "off", it->has_off, it->off);
	weir_fields_number(&f, "size", it->size);
	put_known(&f, "moved", it->has_moved, it->moved);
	weir_fields_end(&f);
}
