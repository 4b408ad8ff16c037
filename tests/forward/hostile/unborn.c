/* SPDX-License-Identifier: BSD-3-Clause */
/* A liar's files that are not born. */
#include "unborn.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void unborn_begin(struct unborn *unborn, struct liar *liar)
{
	unborn->talk.place = liar->place;
	talk_attach(&unborn->talk);
	unborn->parent = open(liar->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (unborn->parent < 0)
		talk_fail("no folder", errno);
}

int unborn_try(struct unborn *unborn, const char *path, uint32_t flags)
{
	struct weir_op_conceive_in in = {
		.nonce = talk_random(),
		.flags = flags,
		.mode = 0600,
		.user = geteuid(),
		.group = getegid(),
	};
	struct weir_op_conceive_out out;
	int ret = talk_conceive(&unborn->talk, &in, unborn->parent, path, &out,
				&unborn->memory);

	unborn->open = out.open;
	return ret;
}

void unborn_make(struct unborn *unborn, const char *name)
{
	int ret = unborn_try(unborn, name, O_RDWR | O_CREAT | O_EXCL);

	if (ret)
		talk_fail("an honest creation was refused", ret);
}

void unborn_close(struct unborn *unborn)
{
	struct weir_op_close_in in = { .open = unborn->open };

	talk_post(&unborn->talk, WEIR_OP_CLOSE, &in, sizeof(in), 0);
	close(unborn->memory);
}
