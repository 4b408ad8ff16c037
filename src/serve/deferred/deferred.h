/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deferred files: files whose creation is put off. Each is a sealable file in
 * memory, which its clients read and write themselves: they have descriptors of
 * it where those of the file will be. It is *materialised* when somebody needs
 * the file, or when it is old or long: the memory is sealed, so that nothing is
 * written there any more, the file is created and gets its bytes, and who still
 * has the memory asks for the file (op fetch). One that is unlinked before that
 * is never created.
 */
#ifndef WEIR_DEFERRED_DEFERRED_H
#define WEIR_DEFERRED_DEFERRED_H

#include "serve/session/sessionparts.h"
#include "spec/forward.h"

/* After files.h and before sessions.h: what an earlier daemon left. */
void weir_deferred_begin(void);
/* After sessions.h has: what nobody has open is forgotten. */
void weir_deferred_settle(void);

/* At a restart: an open of one; false: it is gone. */
bool weir_deferred_reopen(const struct weir_state_open *kept);

/*
 * What is asked at the door. `fd` is the descriptor that came along, which
 * stays the caller's; so does what is given back, which is new.
 */
int weir_deferred_create(const struct weir_op_create_deferred_in *in,
			 const char *path, int fd,
			 struct weir_op_create_deferred_out *ret_out);
int weir_deferred_materialise_named(const struct weir_op_materialise_in *in,
				    const char *path, int fd);
int weir_deferred_unlink(const struct weir_op_unlink_deferred_in *in,
			 const char *path, int fd);
/* 0: it stays where it is. */
int weir_deferred_fetch(const struct weir_op_fetch_in *in,
			struct weir_op_fetch_out *ret_out);

/* The board has its numbers afterwards; else the client fetches the file. */
int weir_deferred_number(const struct weir_op_number_in *in);

/* Materialises all that can be; returns how many cannot. */
uint64_t weir_deferred_materialise_all(void);

/*
 * An open of one is closed. 0: that is all; 1: it is one of a file
 * that is created, to be closed as any; WEIR_SLOTCALL_LATER: it would have to
 * wait.
 */
int weir_deferred_close(struct weir_session *session, uint32_t open,
			bool may_wait);

/* Leaves what could not be materialised in files in a directory. */
void weir_deferred_rescue(const char *directory);

#endif
