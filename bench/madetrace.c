/* SPDX-License-Identifier: BSD-3-Clause */
/* What made traces have in common: heads, processes and some chance. */
#include "madetrace.h"

#include "trace/facts/props.h"
#include "trace/live/salvage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MONO UINT64_C(5000000000)
#define REAL UINT64_C(1700000000000000000)

void made_check(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		strerror(-err));
	exit(1);
}

static void put_text(struct weir_store *store, uint32_t type, uint32_t proc,
		     struct weir_props *props)
{
	struct weir_block head = { .type = type, .proc = proc,
				   .stored = (uint32_t)props->used };

	made_check(weir_store_append(store, &head, props->text), "append");
	weir_props_fini(props);
}

static void add_number(struct weir_props *props, const char *key,
		       uint64_t value)
{
	made_check(weir_props_add_number(props, key, value), key);
}

static void add_text(struct weir_props *props, const char *key,
		     const char *value)
{
	made_check(weir_props_add_text(props, key, value), key);
}

/* Clocks of hosts differ: each was started at another time. */
uint64_t made_moment(uint32_t host, uint64_t ns)
{
	return MONO * (host + 1) + ns;
}

void made_head(struct weir_store *store, uint32_t host)
{
	struct weir_props props;
	char name[32];

	snprintf(name, sizeof(name), "node%05u", host);
	weir_props_init(&props);
	add_number(&props, "format", WEIR_FORMAT_VERSION);
	add_text(&props, "weir", WEIR_VERSION);
	add_text(&props, "host", name);
	add_number(&props, "created", REAL);
	add_text(&props, "clock", "ns");
	add_number(&props, "tick0", made_moment(host, 0));
	add_number(&props, "mono0", made_moment(host, 0));
	add_number(&props, "real0", REAL);
	add_number(&props, "mult", UINT64_C(1) << 32);
	put_text(store, WEIR_BLOCK_HEAD, 0, &props);
	made_check(weir_salvage_put_dict(store), "dictionary");
}

static void add_threads(struct weir_props *props,
			const struct made_process *process)
{
	char text[64];

	for (uint32_t i = 0; i < process->threads; i++) {
		snprintf(text, sizeof(text), "%u %u 0 0", i + 1,
			 1000 + process->rank + i);
		add_text(props, "thread", text);
	}
}

void made_process(struct weir_store *store,
		  const struct made_process *process, const char *state)
{
	struct weir_props props;

	weir_props_init(&props);
	add_number(&props, "pid", 1000 + process->rank);
	add_number(&props, "ppid", 1);
	add_number(&props, "uid", 1000);
	add_number(&props, "start", 4242 + process->rank);
	add_number(&props, "image", 0);
	add_text(&props, "exe", "/apps/solver/bin/solver");
	add_text(&props, "cwd", "/scratch/user/run");
	add_text(&props, "arg", "solver");
	add_text(&props, "arg", "--input=setup.h5");
	add_number(&props, "tick0", process->begin);
	add_threads(&props, process);
	if (process->ranks) {
		add_number(&props, "trait.rank", process->rank);
		add_number(&props, "trait.size", process->ranks);
	}
	add_number(&props, "dropped", 0);
	add_number(&props, "outside", 0);
	add_number(&props, "lost", 0);
	add_text(&props, "stop", "none");
	add_text(&props, "state", state);
	put_text(store, WEIR_BLOCK_PROC, process->proc, &props);
}

void made_stat(struct rawmaker_detail *detail, uint32_t file)
{
	rawmaker_number(detail, 1);
	for (uint64_t i = 0; i < 13; i++)
		rawmaker_number(detail, i < 8 ? file + i : REAL / i);
}
