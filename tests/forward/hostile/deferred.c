/* SPDX-License-Identifier: BSD-3-Clause */
/* A liar's deferred files. */
#include "deferred.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void deferred_begin(struct deferred *deferred, struct liar *liar)
{
	deferred->talk.place = liar->place;
	talk_attach(&deferred->talk);
	deferred->parent = open(liar->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (deferred->parent < 0)
		talk_fail("no folder", errno);
}

int deferred_try(struct deferred *deferred, const char *path, uint32_t flags)
{
	struct weir_op_create_deferred_in in = {
		.nonce = talk_random(),
		.flags = flags,
		.mode = 0600,
		.user = geteuid(),
		.group = getegid(),
	};
	struct weir_op_create_deferred_out out;
	int ret = talk_create_deferred(&deferred->talk, &in, deferred->parent,
				       path, &out, &deferred->memory);

	deferred->open = out.open;
	return ret;
}

void deferred_make(struct deferred *deferred, const char *name)
{
	int ret = deferred_try(deferred, name, O_RDWR | O_CREAT | O_EXCL);

	if (ret)
		talk_fail("an honest creation was refused", ret);
}

void deferred_close(struct deferred *deferred)
{
	struct weir_op_close_in in = {.open = deferred->open};

	talk_post(&deferred->talk, WEIR_OP_CLOSE, &in, sizeof(in), 0);
	close(deferred->memory);
}
