/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked for deferred files. */
#include "talk.h"

#include <string.h>
#include <unistd.h>

/* A frame, and a descriptor (-1: none); the answer in the same room. */
struct question {
	unsigned char room[2 * WEIR_FRAME_SMALL];
	size_t size;
	int fd; /* that comes with the answer; -1: none */
};

static void ask(struct talk *talk, struct question *question, int64_t size,
		int along)
{
	int fds[2] = { -1, -1 };
	int socket = talk_connect(talk->place, "door");
	ssize_t got;

	if (size < 0)
		talk_fail("no frame could be made", size);
	talk_send(socket, question->room, (size_t)size, &along, along >= 0);
	got = talk_hear(socket, question->room, sizeof(question->room), fds);
	close(socket);
	if (fds[1] >= 0)
		talk_fail("two descriptors came", fds[1]);
	question->size = got > 0 ? (size_t)got : 0;
	question->fd = fds[0];
}

int talk_create_deferred(struct talk *talk,
			 struct weir_op_create_deferred_in *in, int parent,
			 const char *path,
			 struct weir_op_create_deferred_out *ret_out,
			 int *ret_memory)
{
	struct question question;
	int ret;

	in->session = talk->welcome.session;
	in->token0 = talk->welcome.token0;
	in->token1 = talk->welcome.token1;
	ask(talk, &question,
	    weir_frame_put_create_deferred(question.room, sizeof(question.room),
					   in, path, (uint32_t)strlen(path)),
	    parent);
	ret = weir_frame_result_create_deferred(question.room, question.size,
						ret_out, NULL, NULL);
	if (!ret && question.fd < 0)
		talk_fail("no memory came", 0);
	if (ret && question.fd >= 0)
		talk_fail("memory came with a refusal", ret);
	*ret_memory = question.fd;
	return ret;
}

int talk_materialise(struct talk *talk, uint32_t how, int parent,
		     const char *path)
{
	struct weir_op_materialise_in in = {.how = how};
	struct weir_op_materialise_out out;
	struct question question;

	ask(talk, &question,
	    weir_frame_put_materialise(question.room, sizeof(question.room),
				       &in, path, (uint32_t)strlen(path)),
	    parent);
	return weir_frame_result_materialise(question.room, question.size, &out,
					     NULL, NULL);
}

int talk_unlink_deferred(struct talk *talk, uint64_t nonce, int parent,
			 const char *path)
{
	struct weir_op_unlink_deferred_in in = {.nonce = nonce,
						.user = geteuid()};
	struct weir_op_unlink_deferred_out out;
	struct question question;

	ask(talk, &question,
	    weir_frame_put_unlink_deferred(question.room, sizeof(question.room),
					   &in, path, (uint32_t)strlen(path)),
	    parent);
	return weir_frame_result_unlink_deferred(question.room, question.size,
						 &out, NULL, NULL);
}

int talk_fetch(struct talk *talk, uint32_t open, bool grows, int *ret_fd)
{
	struct weir_op_fetch_in in = {
		.session = talk->welcome.session,
		.token0 = talk->welcome.token0,
		.token1 = talk->welcome.token1,
		.open = open,
		.grows = grows,
	};
	struct weir_op_fetch_out out;
	struct question question;
	int ret;

	ask(talk, &question,
	    weir_frame_put_fetch(question.room, sizeof(question.room), &in,
				 NULL, 0),
	    -1);
	ret = weir_frame_result_fetch(question.room, question.size, &out, NULL,
				      NULL);
	if (!ret && (question.fd < 0) != (out.stays == 1))
		talk_fail("a file came, or not, as was not said", out.stays);
	*ret_fd = question.fd;
	return ret;
}
