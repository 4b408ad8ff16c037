/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a trace of processes that write to files and tell what became of a
 * plan there.
 * usage: make_told RAW PACKED < LINES
 *
 * The environment may have PLAN_BLOCK, what was counted of the plan.
 *
 * A line: PROCESS FILE SETTING ASKED VERDICT EFFECTIVE, with tabs between.
 * Of each one there is an open, the telling below it, and a write.
 */
#include "rawmaker.h"

#include "trace/layout/trace_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = 1, WRITE = 21, TOLD = 1920, PROCESSES = 4 };

static const char dictionary[] =
	"kind fd - handle fd\n"
	"kind path p detail quoted\n"
	"kind oflags u detail open_flags\n"
	"kind mode o detail octal\n"
	"kind size - size bytes\n"
	"kind count - result bytes\n"
	"kind newfd - result fd\n"
	"kind text t detail quoted\n"
	"kind verdict u detail verdict\n"
	"kind void - result none\n"
	"layer posix\n"
	"call 1 open newfd open path:path flags:oflags mode:mode\n"
	"call 21 write count write fd:fd len:size\n"
	"layer mark\n"
	"call 1920 plan_effect void mark setting:text asked:text "
	"verdict:verdict effective:text\n";

static void tell(struct rawmaker *to, uint32_t handle, char *fields)
{
	struct weir_event event = { .call = TOLD, .handle = handle,
				    .depth = 1, .start = to->clock,
				    .flags = WEIR_EVENT_NOOFF };
	struct rawmaker_detail detail = { .used = 0 };
	char *field;

	for (int i = 0; i < 4 && (field = strsep(&fields, "\t\n")); i++) {
		if (i == 2)
			rawmaker_number(&detail, strtoull(field, NULL, 10));
		else
			rawmaker_text(&detail, field);
	}
	rawmaker_put(to, event, &detail);
}

static void fill(struct weir_store *store)
{
	static struct rawmaker to[PROCESSES];
	uint32_t handle = 0;
	char line[4096];

	rawmaker_head(store, UINT64_C(1) << 32);
	rawmaker_block(store, WEIR_BLOCK_DICT, 0, dictionary);
	if (getenv("PLAN_BLOCK"))
		rawmaker_block(store, WEIR_BLOCK_PLAN, 0,
			       getenv("PLAN_BLOCK"));
	for (uint32_t i = 0; i < PROCESSES; i++) {
		rawmaker_proc(store, i + 1, 100 + i, "exited");
		rawmaker_start(&to[i], store, i + 1, 1, 1000000 + i);
	}
	while (fgets(line, sizeof(line), stdin)) {
		char *rest = line;
		struct rawmaker *by =
			&to[strtoul(strsep(&rest, "\t"), NULL, 10) %
			    PROCESSES];
		struct weir_event event = { .call = WRITE, .handle = ++handle,
					    .dur = 10, .size = 10,
					    .ret = 10 };

		rawmaker_open(by, handle, 3, 0, strsep(&rest, "\t"));
		tell(by, handle, rest);
		event.start = by->clock;
		rawmaker_add(by, &event);
	}
	for (uint32_t i = 0; i < PROCESSES; i++)
		rawmaker_flush(&to[i]);
}

int main(int argc, char **argv)
{
	return rawmaker_main(argc, argv, fill);
}
