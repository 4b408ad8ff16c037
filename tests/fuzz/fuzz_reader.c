/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the ways from a .weir file to its dump and to other programs. */
#include "base/hash.h"
#include "export/dump/dump.h"
#include "export/dump/lexicon.h"
#include "target.h"
#include "trace/read/reader.h"
#include "trace_shape.h"

#include <fcntl.h>
#include <stdio.h>
#include <weir/trace.h>

static void read_all(const char *path, int null)
{
	static const char *const formats[] = { "text", "jsonl", "csv",
					       "catamount" };
	struct weir_dump_filter filter = { .to = UINT64_MAX };
	uint32_t count;

	for (int i = 0; i < 4; i++) {
		struct weir_reader *reader;

		if (weir_reader_open(path, &reader))
			return;
		weir_dump_write(reader, weir_dump_format(formats[i]), &filter,
				null);
		if (weir_lexicon_format(formats[i]))
			weir_lexicon_write(reader,
					   weir_lexicon_format(formats[i]),
					   null, &count);
		weir_reader_close(reader);
	}
}

/* Keeps the compiler from leaving out what nobody else wants. */
static volatile uint64_t looked_at;

/* Looks at every byte that a value gives. */
static uint64_t sum_value(const struct weirtrace_value *value)
{
	const struct weirtrace_value *member;
	uint64_t sum = weirtrace_value_unsigned(value);
	size_t len;
	const char *text = weirtrace_value_text(value, &len);

	sum += weir_hash_bytes(text, len + 1);
	sum += strlen(weirtrace_value_name(value));
	sum += strlen(weirtrace_value_show(value));
	for (size_t i = 0; (member = weirtrace_value_member(value, i)); i++)
		sum += sum_value(member);
	return sum;
}

static void read_by_library(const char *path)
{
	const struct weirtrace_value *value;
	const struct weirtrace_event *event;
	struct weirtrace *trace;
	uint64_t sum = 0;

	if (weirtrace_open(path, &trace))
		return;
	while (weirtrace_next(trace, &event) > 0) {
		sum += strlen(weirtrace_event_name(event));
		for (size_t i = 0;
		     (value = weirtrace_event_argument(event, i)); i++)
			sum += sum_value(value);
	}
	looked_at = sum;
	weirtrace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int null = -1;
	int fd = sealed_file(data, size);
	char path[64];

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_all(path, null);
	read_by_library(path);
	close(fd);
	return 0;
}
