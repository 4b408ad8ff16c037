/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of the daemon for files that are not born. */
#ifndef WEIR_FORWARD_UNBORN_TALK_H
#define WEIR_FORWARD_UNBORN_TALK_H

#include "spec/forward.h"

/* Which are to be born: the words of the op. */
#define WEIR_UNBORN_NAME 0u
#define WEIR_UNBORN_IN	 1u /* all in a directory */
#define WEIR_UNBORN_ALL	 2u
#define WEIR_UNBORN_END	 3u /* all, and none is made any more */

/* Each 0 or -errno; a descriptor that is given back is the caller's. */
int weir_unborn_talk_conceive(struct weir_op_create_deferred_in *in, int parent,
			      const char *path,
			      struct weir_op_create_deferred_out *ret_out,
			      int *ret_fd);
int weir_unborn_talk_bear(uint32_t how, int parent, const char *path);
int weir_unborn_talk_miss(int parent, const char *path);
/* Its numbers are on the board then. */
int weir_unborn_talk_number(uint32_t open);
int weir_unborn_talk_fetch(uint32_t open, bool grows,
			   struct weir_op_fetch_out *ret_out, int *ret_fd);

#endif
