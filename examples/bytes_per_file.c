/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the bytes that were read from and written to each file of a trace. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/trace.h>

/* Bytes go between program and kernel by these roles of calls. */
static int direction(const char *role)
{
	if (!strcmp(role, "read") || !strcmp(role, "fill"))
		return 0;
	return strcmp(role, "write") && strcmp(role, "drain") ? -1 : 1;
}

int main(int argc, char **argv)
{
	const struct weirtrace_event *event;
	struct weirtrace *trace;
	uint64_t(*bytes)[2];
	int more = weirtrace_open(argc > 1 ? argv[1] : "trace", &trace);

	if (more)
		errx(1, "%s", weirtrace_strerror(more));
	bytes = calloc(weirtrace_files(trace) + 1, sizeof(*bytes));
	while (bytes && (more = weirtrace_next(trace, &event)) > 0) {
		int way = direction(weirtrace_event_role(event));

		if (way >= 0 && weirtrace_event_result(event) > 0)
			bytes[weirtrace_event_file(event)][way] +=
				(uint64_t)weirtrace_event_result(event);
	}
	for (uint32_t i = 1; bytes && i <= weirtrace_files(trace); i++)
		if (bytes[i][0] || bytes[i][1])
			printf("%12" PRIu64 " %12" PRIu64 " %s\n", bytes[i][0],
			       bytes[i][1],
			       weirtrace_nth_file(trace, i, NULL));
	free(bytes);
	weirtrace_close(trace);
	return more < 0;
}
