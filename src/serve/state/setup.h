/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the user said of a service, the same for all its parts. */
#ifndef WEIR_STATE_SETUP_H
#define WEIR_STATE_SETUP_H

#include <limits.h>
#include <stdint.h>

enum weir_setup_on_close {
	WEIR_ON_CLOSE_STORE, /* stored when close returns */
	WEIR_ON_CLOSE_LATER, /* later; errors are in the ledger */
	WEIR_ON_CLOSE_FSYNC, /* and kept by the file system */
};

enum weir_setup_policy {
	WEIR_POLICY_IDLE,    /* above half, and what is idle or old */
	WEIR_POLICY_HALF,    /* only above half, and at close */
	WEIR_POLICY_THROUGH, /* no cache: writes wait for the file system */
};

struct weir_setup {
	char place[PATH_MAX - 64]; /* the runtime directory, 0700 */
	uint64_t cache;		   /* bytes, of all sessions' chunks */
	uint64_t prefetch;	   /* bytes, of all sessions' blocks; 0: none */
	enum weir_setup_on_close on_close;
	enum weir_setup_policy policy;
	char backend[PATH_MAX];	   /* posix, null, throttle, faulty, FILE.so */
	char backend_options[256];
	char rescue[PATH_MAX]; /* where to put what could not be stored */
	uint32_t stagers;	   /* threads */
	uint32_t idle_ms, age_ms;  /* of IDLE: 50, 5000 */
	uint32_t answer_ms;	   /* a daemon that takes longer is replaced */
};

/* As the user says them. */
extern const char *const weir_setup_policies[];
extern const char *const weir_setup_on_close[];

/* In the daemon: set before any of its parts begins. */
extern const struct weir_setup *weir_setup_used;

#endif
