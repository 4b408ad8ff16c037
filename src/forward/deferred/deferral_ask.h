/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the daemon to create, materialise and unlink deferred files. */
#ifndef WEIR_DEFERRED_DEFERRAL_ASK_H
#define WEIR_DEFERRED_DEFERRAL_ASK_H

#include "spec/forward.h"

/* Which are to be materialised: the words of the op. */
#define WEIR_DEFERRAL_NAME 0u
#define WEIR_DEFERRAL_IN   1u /* all in a directory */
#define WEIR_DEFERRAL_ALL  2u
#define WEIR_DEFERRAL_END  3u /* all, and none is made any more */

/* Each 0 or -errno; a descriptor that is given back is the caller's. */
int weir_deferral_ask_create(struct weir_op_create_deferred_in *in, int parent,
			     const char *path,
			     struct weir_op_create_deferred_out *ret_out,
			     int *ret_fd);
int weir_deferral_ask_materialise(uint32_t how, int parent, const char *path);
int weir_deferral_ask_unlink(int parent, const char *path);
/* Its numbers are on the board then. */
int weir_deferral_ask_number(uint32_t open);
int weir_deferral_ask_fetch(uint32_t open, bool grows,
			    struct weir_op_fetch_out *ret_out, int *ret_fd);

#endif
