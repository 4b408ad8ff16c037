/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out a process of a trace to users of the library. */
#include "api/weirtrace_process.h"

#include <weir/trace.h>

uint32_t weirtrace_process_number(const struct weirtrace_process *process)
{
	return process->info->number;
}

uint32_t weirtrace_process_pid(const struct weirtrace_process *process)
{
	return process->info->pid;
}

uint32_t weirtrace_process_parent(const struct weirtrace_process *process)
{
	return process->info->ppid;
}

uint32_t weirtrace_process_user(const struct weirtrace_process *process)
{
	return process->info->uid;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

const char *weirtrace_process_host(const struct weirtrace_process *process)
{
	return process->node ? process->node->host : "";
}

const char *weirtrace_process_program(const struct weirtrace_process *process)
{
	return or_empty(process->info->exe);
}

const char *
weirtrace_process_directory(const struct weirtrace_process *process)
{
	return or_empty(process->info->cwd);
}

const char *
weirtrace_process_argument(const struct weirtrace_process *process, size_t n)
{
	return n < process->info->arg_count ? process->info->args[n] : NULL;
}

const char *weirtrace_process_state(const struct weirtrace_process *process)
{
	return process->info->state;
}

uint64_t weirtrace_process_missing(const struct weirtrace_process *process)
{
	const struct weir_procinfo *info = process->info;

	return info->dropped + info->outside + info->lost;
}
