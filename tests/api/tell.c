/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells all that the library knows of a trace's events, as JSON lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <weir/trace.h>

/* In hexadecimal: nothing is left to how strings are written. */
static void tell_bytes(const char *bytes, size_t len)
{
	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf("%02x", (unsigned char)bytes[i]);
	putchar('"');
}

static void tell_value(const struct weirtrace_value *value)
{
	const struct weirtrace_value *member;
	int named = weirtrace_value_type(value) == WEIRTRACE_RECORD;
	const char *text;
	size_t len;

	switch (weirtrace_value_type(value)) {
	case WEIRTRACE_UNSIGNED:
		printf("%" PRIu64, weirtrace_value_unsigned(value));
		break;
	case WEIRTRACE_SIGNED:
		printf("%" PRId64, weirtrace_value_signed(value));
		break;
	case WEIRTRACE_TEXT:
		text = weirtrace_value_text(value, &len);
		tell_bytes(text, len);
		break;
	case WEIRTRACE_LIST:
	case WEIRTRACE_RECORD:
		putchar(named ? '{' : '[');
		for (size_t i = 0;
		     (member = weirtrace_value_member(value, i)); i++) {
			printf("%s", i ? "," : "");
			if (named)
				printf("\"%s\":", weirtrace_value_name(member));
			tell_value(member);
		}
		putchar(named ? '}' : ']');
		break;
	case WEIRTRACE_NONE:
		printf("null");
	}
}

static void tell_arguments(const struct weirtrace_event *event)
{
	const struct weirtrace_value *value;
	int some = 0;

	printf(",\"args\":{");
	for (int i = 0; i < weirtrace_event_arguments(event); i++) {
		value = weirtrace_event_argument(event, (size_t)i);
		if (weirtrace_value_type(value) == WEIRTRACE_NONE)
			continue;
		printf("%s\"%s\":", some++ ? "," : "",
		       weirtrace_value_name(value));
		tell_value(value);
	}
	printf("}");
}

static void tell_who(const struct weirtrace *trace,
		     const struct weirtrace_event *event)
{
	const struct weirtrace_process *process =
		weirtrace_nth_process(trace, weirtrace_event_process(event));

	printf("{\"start\":%" PRIu64 ",\"dur\":%" PRIu64,
	       weirtrace_event_start(event), weirtrace_event_duration(event));
	if (process) {
		printf(",\"host\":");
		tell_bytes(weirtrace_process_host(process),
			   strlen(weirtrace_process_host(process)));
		printf(",\"pid\":%" PRIu32, weirtrace_process_pid(process));
	}
	printf(",\"proc\":%" PRIu32 ",\"thread\":%" PRIu32,
	       weirtrace_event_process(event), weirtrace_event_thread(event));
	if (weirtrace_event_tid(event))
		printf(",\"tid\":%" PRIu32, weirtrace_event_tid(event));
	printf(",\"index\":%" PRIu64 ",\"depth\":%" PRIu32 ",\"call\":\"%s\"",
	       weirtrace_event_index(event), weirtrace_event_depth(event),
	       weirtrace_event_name(event));
	if (*weirtrace_event_layer(event))
		printf(",\"layer\":\"%s\"", weirtrace_event_layer(event));
}

static void tell_flags(uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ WEIRTRACE_FAILED, "failed" },
		{ WEIRTRACE_VFORK, "vfork" },
		{ WEIRTRACE_ENTERED, "entered" },
		{ WEIRTRACE_CUT, "cut" },
	};
	int some = 0;

	printf(",\"flags\":\"");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (flags & names[i].flag)
			printf("%s%s", some++ ? "|" : "", names[i].name);
	printf("\"");
}

static void tell_what(const struct weirtrace_event *event)
{
	uint32_t flags = weirtrace_event_flags(event);
	size_t len;
	const char *path = weirtrace_event_path(event, &len);

	if (weirtrace_event_fd(event) >= 0)
		printf(",\"fd\":%" PRId32, weirtrace_event_fd(event));
	if (path) {
		printf(",\"file\":");
		tell_bytes(path, len);
	}
	if (weirtrace_event_handle(event))
		printf(",\"handle\":%" PRIu32, weirtrace_event_handle(event));
	printf(",\"size\":%" PRIu64, weirtrace_event_size(event));
	if (!(flags & WEIRTRACE_NO_OFFSET))
		printf(",\"off\":%" PRId64, weirtrace_event_offset(event));
	if (!(flags & WEIRTRACE_ENTERED))
		printf(",\"ret\":%" PRId64, weirtrace_event_result(event));
	if (flags & WEIRTRACE_FAILED)
		printf(",\"err\":%" PRId32, weirtrace_event_error(event));
	tell_flags(flags);
}

int main(int argc, char **argv)
{
	const struct weirtrace_event *event;
	struct weirtrace *trace;
	int err = weirtrace_open(argv[argc - 1], &trace);

	if (err) {
		fprintf(stderr, "%s\n", weirtrace_strerror(err));
		return 1;
	}
	while ((err = weirtrace_next(trace, &event)) > 0) {
		tell_who(trace, event);
		tell_what(event);
		if (*weirtrace_event_role(event))
			tell_arguments(event);
		puts("}");
	}
	weirtrace_close(trace);
	return err < 0;
}
