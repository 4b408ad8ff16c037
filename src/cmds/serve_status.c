/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the status of a service, which is JSON, for people. */
#include "cmds/serve_status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ERRORS 256

static const char *skip_blank(const char *at)
{
	return at + strspn(at, " \n\t");
}

/* Behind the string that begins here. */
static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* Behind the value that begins here, of whatever kind. */
static const char *skip_value(const char *at)
{
	int depth = 0;

	do {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at += *at != '\0';
	} while (*at && (depth || !strchr(",}]", *at)));
	return at;
}

/* The value of a key in the object that begins here; NULL: there is none. */
static const char *find_member(const char *object, const char *key)
{
	size_t length = strlen(key);
	const char *at = *object == '{' ? skip_blank(object + 1) : "", *name;

	while (*at == '"') {
		name = at + 1;
		at = skip_string(at);
		if (*at != ':')
			return NULL;
		if (!strncmp(name, key, length) && name[length] == '"')
			return skip_blank(at + 1);
		at = skip_value(skip_blank(at + 1));
		at = skip_blank(at + (*at == ','));
	}
	return NULL;
}

static uint64_t number(const char *object, const char *key)
{
	const char *at = find_member(object, key);

	return at ? strtoull(at, NULL, 10) : 0;
}

/* A string, with its escapes taken out; cut to the room. */
static const char *text(const char *object, const char *key, char *room,
			size_t size)
{
	const char *at = find_member(object, key);
	size_t used = 0;

	for (at = at && *at == '"' ? at + 1 : ""; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1])
			at++;
		if (used + 1 < size)
			room[used++] = *at;
	}
	room[used] = '\0';
	return room;
}

const char *weir_serve_status_size(uint64_t bytes, char room[32])
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
					    "TiB"};
	double value = (double)bytes;
	unsigned unit = 0;

	while (value >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	snprintf(room, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
	return room;
}

/* Objects of a list, one after the other. */
static const char *first_of(const char *json, const char *key)
{
	const char *at = find_member(json, key);

	at = at && *at == '[' ? skip_blank(at + 1) : "";
	return *at == '{' ? at : NULL;
}

static const char *next_of(const char *object)
{
	const char *at = skip_blank(skip_value(object));

	at = *at == ',' ? skip_blank(at + 1) : "";
	return *at == '{' ? at : NULL;
}

unsigned weir_serve_status_users(const char *json, FILE *out)
{
	const char *session = first_of(json, "sessions");
	unsigned count = 0;

	for (; session; session = next_of(session)) {
		if (out)
			fprintf(out, "%s%" PRIu64, count ? ", " : "process ",
				number(session, "pid"));
		count++;
	}
	return count;
}

static void print_sessions(const char *json, FILE *out)
{
	const char *session = first_of(json, "sessions");

	if (!session)
		fputs("  nobody uses it\n", out);
	for (; session; session = next_of(session))
		fprintf(out, "  process %" PRIu64 ": %" PRIu64 " open files, "
			"since %" PRIu64 " s\n", number(session, "pid"),
			number(session, "open_files"),
			number(session, "seconds"));
}

static void print_setup(const char *json, FILE *out)
{
	char place[4096], backend[4096], policy[32], on_close[32], size[32];

	fprintf(out, "service   %s, process %" PRIu64 ", %" PRIu64
		" restart%s\n", text(json, "place", place, sizeof(place)),
		number(json, "daemon"), number(json, "restarts"),
		number(json, "restarts") == 1 ? "" : "s");
	fprintf(out, "setup     cache %s, backend %s, policy %s, on close %s\n",
		weir_serve_status_size(number(json, "cache_bytes"), size),
		text(json, "backend", backend, sizeof(backend)),
		text(json, "policy", policy, sizeof(policy)),
		text(json, "on_close", on_close, sizeof(on_close)));
}

static void print_prefetch(const char *json, FILE *out)
{
	uint64_t brought = number(json, "prefetched_bytes");
	char size[32];

	fprintf(out, "prefetch  %s, of these used %.0f %%\n",
		weir_serve_status_size(brought, size),
		brought ? 100. * (double)number(json, "prefetched_used") /
				  (double)brought
			: 0.);
}

static void print_deferred(const char *json, FILE *out)
{
	char size[32];

	fprintf(out,
		"deferred  %" PRIu64 " files: %" PRIu64
		" not created yet, %" PRIu64 " with %s never%s\n",
		number(json, "deferred"), number(json, "deferred_now"),
		number(json, "never_created"),
		weir_serve_status_size(number(json, "never_created_bytes"),
				       size),
		number(json, "deferral_ended") ? "; no more are deferred" : "");
}

static void print_sums(const char *json, FILE *out)
{
	char in[32], sent[32], dirty[32], rate[32];
	uint64_t reads = number(json, "reads");

	fprintf(out, "written   %" PRIu64 " requests, %s\n",
		number(json, "requests_in"),
		weir_serve_status_size(number(json, "bytes_in"), in));
	fprintf(out, "stored    %" PRIu64 " requests, %s, lately %s/s\n",
		number(json, "requests_out"),
		weir_serve_status_size(number(json, "bytes_out"), sent),
		weir_serve_status_size(number(json, "stage_rate"), rate));
	fprintf(out, "dirty     %s of %" PRIu64 " files; %" PRIu64
		" were left to the kernel\n",
		weir_serve_status_size(number(json, "dirty_bytes"), dirty),
		number(json, "files"), number(json, "bypassed"));
	fprintf(out, "reads     %" PRIu64 ", of these from memory %.0f %%\n",
		reads, reads ? 100. * (double)number(json, "hits") /
				       (double)reads : 0.);
	print_prefetch(json, out);
	if (number(json, "deferred"))
		print_deferred(json, out);
	fprintf(out, "errors    %" PRIu64 " ranges not stored, %" PRIu64
		" requests refused\n", number(json, "unstored"),
		number(json, "refused"));
}

void weir_serve_status_print(const char *json, FILE *out)
{
	print_setup(json, out);
	print_sums(json, out);
	fprintf(out, "sessions  %u\n", weir_serve_status_users(json, NULL));
	print_sessions(json, out);
}

/* ENOSPC, in words. */
static const char *explain(const char *name)
{
	for (int i = 1; i < MOST_ERRORS; i++) {
		const char *other = strerrorname_np(i);

		if (other && !strcmp(other, name))
			return strerror(i);
	}
	return name;
}

static bool is_failure(const char *entry)
{
	char fate[32];

	text(entry, "fate", fate, sizeof(fate));
	return !strcmp(fate, "open") || !strcmp(fate, "rescued");
}

unsigned weir_serve_status_failures(const char *json, FILE *out)
{
	const char *entry = first_of(json, "entries");
	char path[4096], why[128];
	unsigned count = 0;

	for (; entry; entry = next_of(entry)) {
		uint64_t offset = number(entry, "offset");

		if (!is_failure(entry))
			continue;
		count++;
		if (out)
			fprintf(out, "%s: bytes %" PRIu64 "-%" PRIu64 ": %s\n",
				text(entry, "path", path, sizeof(path)),
				offset, offset + number(entry, "length") - 1,
				explain(text(entry, "error", why,
					     sizeof(why))));
	}
	return count;
}
