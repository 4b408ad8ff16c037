/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does what takes time and nobody asks for: begins the daemon, ends sessions
 * that nobody uses, stores everything, ends. Other threads do it, one thing at
 * a time; a descriptor tells the first thread when there is news.
 */
#ifndef WEIR_DAEMON_UPKEEP_H
#define WEIR_DAEMON_UPKEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Files, sessions and stagers; *ret_fd: news. 0 or -errno. */
int weir_upkeep_begin(int *ret_fd);

/* This program has ended. */
void weir_upkeep_look(pid_t pid);
/* Some session may have ended. */
void weir_upkeep_stir(void);
/* Whether somebody is to look again after a while; looks. */
bool weir_upkeep_sweep(void);
/* Ends what sessions it can, by the caller, unless somebody is about it. */
void weir_upkeep_tidy(void);
/* Ends what sessions it can and stores all there is. */
void weir_upkeep_settle(void);
/* The same, whoever uses it, and lets go of all. */
void weir_upkeep_end(void);
bool weir_upkeep_is_ending(void);

/*
 * Without a daemon, by the calling thread: what is in memory goes into files
 * for `weir serve recover`. The ledger has it all already.
 */
void weir_upkeep_rescue(void);

struct weir_upkeep_news {
	bool begun, failed, settled, ended;
	uint32_t sessions; /* that are in use now */
};
struct weir_upkeep_news weir_upkeep_hear(void);

#endif
