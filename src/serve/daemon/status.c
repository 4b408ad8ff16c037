/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what a daemon does just now, for `weir serve status`. */
#include "serve/daemon/status.h"

#include "serve/failures/unstored.h"
#include "serve/files/files.h"
#include "serve/log/sessionlist.h"
#include "serve/session/chunkpool.h"
#include "serve/staging/stage.h"
#include "serve/state/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void put_json_number(FILE *out, const char *key, uint64_t number)
{
	fprintf(out, ",\"%s\":%" PRIu64, key, number);
}

/* Names of files may hold anything; control characters do not matter. */
static void put_json_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, ",\"%s\":\"", key);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? '?' : *text, out);
	}
	fputc('"', out);
}

static void put_setup(FILE *out)
{
	put_json_text(out, "place", weir_setup_used->place);
	put_json_text(out, "backend", weir_setup_used->backend);
	put_json_text(out, "policy",
		      weir_setup_policies[weir_setup_used->policy]);
	put_json_text(out, "on_close",
		      weir_setup_on_close[weir_setup_used->on_close]);
	put_json_number(out, "cache_bytes", weir_setup_used->cache);
	put_json_number(out, "prefetch_bytes", weir_setup_used->prefetch);
}

static void count_file(struct weir_file *file, void *count)
{
	++*(uint64_t *)count;
}

static void put_now(FILE *out)
{
	uint64_t files = 0;

	weir_files_each(count_file, &files);
	put_json_number(out, "files", files);
	put_json_number(out, "dirty_bytes", weir_stage_dirty());
	put_json_number(out, "granted_bytes", weir_chunkpool_lent());
	put_json_number(out, "waiting_sessions", weir_chunkpool_waiting());
	put_json_number(out, "stage_rate", weir_stage_rate());
	put_json_number(out, "unstored", weir_unstored_count());
	put_json_number(out, "deferred_now",
			atomic_load(&weir_state_board->deferred_count));
	put_json_number(out, "deferral_ended",
			atomic_load(&weir_state->deferral_ended));
}

static void put_sums(FILE *out)
{
	const struct weir_state *s = weir_state;
	const struct {
		const char *key;
		const _Atomic uint64_t *sum;
	} sums[] = {
		{"served", &s->served},
		{"requests_in", &s->requests_in},
		{"requests_out", &s->requests_out},
		{"bytes_in", &s->bytes_in},
		{"bytes_out", &s->bytes_out},
		{"reads", &s->reads},
		{"hits", &s->hits},
		{"prefetched_bytes", &s->prefetched_bytes},
		{"prefetched_used", &s->prefetched_used},
		{"prefetch_hits", &s->prefetch_hits},
		{"prefetch_misses", &s->prefetch_misses},
		{"refused", &s->refused},
		{"bypassed", &s->bypassed},
		{"deferred", &s->deferrals},
		{"materialised", &s->materialised},
		{"materialised_bytes", &s->materialised_bytes},
		{"never_created", &s->never_created},
		{"never_created_bytes", &s->never_created_bytes},
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		put_json_number(out, sums[i].key, atomic_load(sums[i].sum));
}

static uint32_t count_opens(const struct weir_state_session *session)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i++)
		count += atomic_load(&session->opens[i].live) != 0;
	return count;
}

static void put_sessions(FILE *out)
{
	struct timespec now;
	const char *comma = "";

	clock_gettime(CLOCK_MONOTONIC, &now);
	fprintf(out, ",\"sessions\":[");
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++) {
		const struct weir_state_session *s = &weir_state->sessions[i];

		if (!atomic_load(&s->live) || !weir_sessionlist_is_used(i))
			continue;
		fprintf(out, "%s{\"session\":%u,\"pid\":%d,\"seconds\":%u,"
			"\"open_files\":%u}", comma, i, (int)s->pid,
			(uint32_t)now.tv_sec - s->started, count_opens(s));
		comma = ",";
	}
	fputc(']', out);
}

char *weir_status_json(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "{\"weir_status\":1");
	put_json_number(out, "daemon", (uint64_t)getpid());
	put_json_number(out, "restarts", weir_state->epoch - 1);
	put_setup(out);
	put_now(out);
	put_sums(out);
	put_sessions(out);
	fputs("}\n", out);
	return fclose(out) ? NULL : text;
}
