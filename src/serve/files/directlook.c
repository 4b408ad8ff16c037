/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for files that clients have open without having handed them over. */
#include "serve/files/directlook.h"

#include "serve/files/backends.h"
#include "serve/state/state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

void weir_directlook_begin(void)
{
	bool serves = weir_backends_used->flags & WEIR_BACKEND_READS;

	atomic_store(&weir_state_direct->use, weir_state_direct->pids && !serves
						      ? WEIR_DIRECT_ON
						      : WEIR_DIRECT_OFF);
}

/* One that has ended is there for signals until it is waited for. */
static bool is_zombie(uint32_t pid)
{
	char path[64], text[512] = "", *end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	end = strrchr(text, ')');
	return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

static bool has_ended(uint32_t pid)
{
	return (kill((pid_t)pid, 0) && errno == ESRCH) || is_zombie(pid);
}

/* What a process has counted of the file there; 0: nothing, or it has ended. */
static uint64_t counts_in(struct weir_direct_slot *slot, uint64_t dev,
			  uint64_t ino)
{
	uint32_t pid = atomic_load(&slot->pid);
	uint64_t counts = atomic_load(&slot->counts);

	if (!pid || !counts || !weir_direct_is_of(slot, dev, ino))
		return 0;
	if (!has_ended(pid))
		return counts;
	weir_direct_clear(slot, counts);
	return 0;
}

/* Anybody whose counts are at least this. */
static bool has_any(uint64_t dev, uint64_t ino, uint64_t least)
{
	for (uint32_t i = 0; i < WEIR_DIRECT_PROBES; i++) {
		struct weir_direct_slot *slot =
			&weir_state_direct
				 ->slots[weir_direct_probe(dev, ino, i)];

		if (counts_in(slot, dev, ino) >= least)
			return true;
	}
	return false;
}

bool weir_directlook_has_kernels(uint64_t dev, uint64_t ino)
{
	return has_any(dev, ino, WEIR_DIRECT_KERNEL);
}

bool weir_directlook_has(uint64_t dev, uint64_t ino)
{
	return has_any(dev, ino, WEIR_DIRECT_OPEN);
}
