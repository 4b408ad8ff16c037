/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of sessions, and what is asked of all of them. */
#ifndef WEIR_LOG_SESSIONLIST_H
#define WEIR_LOG_SESSIONLIST_H

#include "serve/files/file.h"
#include "serve/session/sessionparts.h"

#include <sys/types.h>

/* NULL: there is none, or it is another's. */
struct weir_session *weir_sessionlist_borrow(uint32_t number,
					     const uint64_t token[2]);
void weir_sessionlist_put(struct weir_session *session);
/* Those that may write a file, or all (NULL); how many. */
uint32_t
weir_sessionlist_borrow_all(const struct weir_file *file,
			    struct weir_session *ret_all[WEIR_STATE_SESSIONS]);

/* Takes in all that was acknowledged so far to a file, by any session. */
void weir_sessionlist_ingest(struct weir_file *file);
/* The same to all files. */
void weir_sessionlist_ingest_all(void);

bool weir_sessionlist_is_used(uint32_t number); /* maybe */
uint32_t weir_sessionlist_count(void); /* that may be used by somebody */
/* The image that attached has ended; maybe its children have not. */
void weir_sessionlist_look(pid_t pid);

/* A number for a session that is to be made; -EUSERS: there is none left. */
int weir_sessionlist_take_number(void);
void weir_sessionlist_free_number(uint32_t number);

/* At a restart, before there are threads: one that there was; the one there. */
void weir_sessionlist_restore(struct weir_session *session);
struct weir_session *weir_sessionlist_at(uint32_t number);

/* Its thread begins; 0 or -errno: then it is not on the list. */
int weir_sessionlist_start(struct weir_session *session, void *(*run)(void *));
/* Off the list; returns when nobody has it any more. */
void weir_sessionlist_retire(struct weir_session *session);
/* A thread ends; `is_free`: the number can be another's. */
void weir_sessionlist_end_thread(uint32_t number, bool is_free);
/* Wakes all threads, and returns when all have ended. */
void weir_sessionlist_join(void);

#endif
