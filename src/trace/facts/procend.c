/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how a process ended: by itself, by a signal, in another program. */
#include "trace/facts/procend.h"

#include "trace/facts/props.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *const words[] = {
	[WEIR_PROCEND_UNKNOWN] = "unknown", [WEIR_PROCEND_EXIT] = "exit",
	[WEIR_PROCEND_SIGNAL] = "signal",   [WEIR_PROCEND_CORE] = "core",
	[WEIR_PROCEND_EXEC] = "exec",
};

struct weir_procend weir_procend_of(int status)
{
	struct weir_procend end = { WEIR_PROCEND_UNTOLD, 0 };

	if (WIFEXITED(status)) {
		end.how = WEIR_PROCEND_EXIT;
		end.number = WEXITSTATUS(status);
	} else if (WIFSIGNALED(status)) {
		end.how = WCOREDUMP(status) ? WEIR_PROCEND_CORE
					    : WEIR_PROCEND_SIGNAL;
		end.number = WTERMSIG(status);
	}
	return end;
}

bool weir_procend_is_signal(const struct weir_procend *end)
{
	return end->how == WEIR_PROCEND_SIGNAL || end->how == WEIR_PROCEND_CORE;
}

bool weir_procend_is_crash(const struct weir_procend *end)
{
	return weir_procend_is_signal(end) && end->number != SIGKILL &&
	       end->number != SIGTERM;
}

int weir_procend_put(const struct weir_procend *end, struct weir_props *props)
{
	char text[32];

	if (end->how == WEIR_PROCEND_UNTOLD)
		return 0;
	snprintf(text, sizeof(text), "%s %d", words[end->how], end->number);
	return weir_props_add_text(props, "end", text);
}

struct weir_procend weir_procend_parse(const char *text)
{
	struct weir_procend end = { WEIR_PROCEND_UNTOLD, 0 };

	for (int how = WEIR_PROCEND_UNKNOWN; how <= WEIR_PROCEND_EXEC; how++) {
		size_t length = strlen(words[how]);

		if (strncmp(text, words[how], length) || text[length] != ' ')
			continue;
		end.how = (enum weir_procend_how)how;
		end.number = atoi(text + length);
	}
	return end;
}

const char *weir_procend_signal_name(int number)
{
	static const struct {
		int number;
		const char *name;
	} signals[] = {
		{ SIGHUP, "SIGHUP" },	    { SIGINT, "SIGINT" },
		{ SIGQUIT, "SIGQUIT" },	    { SIGILL, "SIGILL" },
		{ SIGTRAP, "SIGTRAP" },	    { SIGABRT, "SIGABRT" },
		{ SIGBUS, "SIGBUS" },	    { SIGFPE, "SIGFPE" },
		{ SIGKILL, "SIGKILL" },	    { SIGUSR1, "SIGUSR1" },
		{ SIGSEGV, "SIGSEGV" },	    { SIGUSR2, "SIGUSR2" },
		{ SIGPIPE, "SIGPIPE" },	    { SIGALRM, "SIGALRM" },
		{ SIGTERM, "SIGTERM" },	    { SIGSTKFLT, "SIGSTKFLT" },
		{ SIGXCPU, "SIGXCPU" },	    { SIGXFSZ, "SIGXFSZ" },
		{ SIGVTALRM, "SIGVTALRM" }, { SIGPROF, "SIGPROF" },
		{ SIGIO, "SIGIO" },	    { SIGPWR, "SIGPWR" },
		{ SIGSYS, "SIGSYS" },
	};
	static __thread char other[24];

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (signals[i].number == number)
			return signals[i].name;
	snprintf(other, sizeof(other), "signal %d", number);
	return other;
}

const char *weir_procend_words(const struct weir_procend *end,
			       char text[WEIR_PROCEND_WORDS])
{
	if (!weir_procend_is_signal(end))
		return "was killed or crashed (signal not known)";
	snprintf(text, WEIR_PROCEND_WORDS, "was killed by %s%s",
		 weir_procend_signal_name(end->number),
		 end->how == WEIR_PROCEND_CORE ? " (core dumped)" : "");
	return text;
}
