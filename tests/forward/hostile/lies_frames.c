/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames that are none, end too early, or never. */
#include "liar.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

static size_t attach_frame(unsigned char *room)
{
	struct weir_op_attach_in in = { WEIR_OP_INTERFACE, (uint32_t)getpid() };

	return (size_t)weir_frame_put_attach(room, WEIR_FRAME_SMALL, &in, NULL,
					     0);
}

void lie_noise(struct liar *liar)
{
	static unsigned char bytes[5000];

	for (int i = 0; i < 300; i++) {
		size_t size = talk_random() % sizeof(bytes);

		talk_fill(bytes, sizeof(bytes));
		if (i % 3 == 1)
			memcpy(bytes, "weir\1", 5);
		if (i % 3 == 2)
			attach_frame(bytes + 9);
		if (talk_ask(liar->place, bytes, size, NULL, 0) == 0)
			talk_fail("noise was understood", i);
	}
}

static void refused(struct liar *liar, const struct weir_frame *head, int want)
{
	unsigned char room[WEIR_FRAME_SMALL];
	size_t size = attach_frame(room);
	int status;

	memcpy(room, head, sizeof(*head));
	status = talk_ask(liar->place, room, size, NULL, 0);
	if (status == 0 || (want && status != want))
		talk_fail("a head was not refused as it should", status);
}

void lie_heads(struct liar *liar)
{
	static const uint16_t ops[] = { 0,  3,	10, 11, 19, 50,
					77, 94, 95, 96, 255, 65535 };
	unsigned char room[WEIR_FRAME_SMALL];
	struct weir_frame good, head;

	attach_frame(room);
	memcpy(&good, room, sizeof(good));
	head = good, head.magic ^= 0x100, refused(liar, &head, 0);
	head = good, head.version++, refused(liar, &head, -EPROTONOSUPPORT);
	head = good, head.interface++, refused(liar, &head, -EPROTONOSUPPORT);
	head = good, head.length = WEIR_FRAME_BODY + 1, refused(liar, &head, 0);
	head = good, head.length = UINT32_MAX, refused(liar, &head, 0);
	head = good, head.length = 3, refused(liar, &head, 0);
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		head = good, head.op = ops[i], refused(liar, &head, 0);
}

/* Each beginning of a frame, with a descriptor; then nobody is there. */
void lie_halves(struct liar *liar)
{
	unsigned char room[WEIR_FRAME_SMALL];
	size_t size = attach_frame(room);

	for (int round = 0; round < 4; round++)
		for (size_t i = 0; i < size; i++) {
			int fd = talk_connect(liar->place, "door");
			int some = 0;

			talk_send(fd, room, i, &some, i > 0 && round % 2);
			close(fd);
		}
}

/* Connections that say half of something, or nothing, and stay. */
void lie_silence(struct liar *liar)
{
	struct weir_frame head;
	unsigned char room[WEIR_FRAME_SMALL];
	int fds[300];

	attach_frame(room);
	for (size_t i = 0; i < 300; i++) {
		fds[i] = talk_connect(liar->place, "door");
		talk_send(fds[i], room, i % sizeof(head), NULL, 0);
	}
	for (int i = 0; i < 20; i++) {
		struct talk talk = { .place = liar->place };

		talk_attach(&talk);
		talk_still_answers(&talk);
		talk_leave(&talk);
	}
	for (size_t i = 0; i < 300; i++)
		close(fds[i]);
}

void lie_crowd(struct liar *liar)
{
	unsigned char room[WEIR_FRAME_SMALL];
	size_t size = attach_frame(room);

	for (size_t i = 0; i < 3000; i++) {
		int fd = talk_connect(liar->place, i % 7 ? "door" : "above");

		if (i % 3)
			talk_send(fd, room, i % size, NULL, 0);
		close(fd);
	}
}

/* Names without an end, with more than one, too long. */
void lie_texts(struct liar *liar)
{
	static unsigned char room[WEIR_FRAME_MOST];
	struct weir_frame head;
	size_t size = (size_t)weir_frame_put_discard(room, sizeof(room), NULL,
						     "/no/such", 8);

	memcpy(&head, room, sizeof(head));
	room[size - 1] = 'x';
	if (talk_ask(liar->place, room, size, NULL, 0) == 0)
		talk_fail("a text without an end was taken", 0);
	room[size - 1] = 0;
	room[size - 4] = 0;
	if (talk_ask(liar->place, room, size, NULL, 0) == 0)
		talk_fail("a text with two ends was taken", 0);
	memset(room + sizeof(head), 'a', sizeof(room) - sizeof(head));
	for (head.length = 4097; head.length <= WEIR_FRAME_BODY;
	     head.length *= 2) {
		memcpy(room, &head, sizeof(head));
		room[sizeof(head) + head.length - 1] = 0;
		if (talk_ask(liar->place, room, sizeof(head) + head.length,
			     NULL, 0) == 0)
			talk_fail("a long text was taken", (long)head.length);
		room[sizeof(head) + head.length - 1] = 'a';
	}
}

static void say_above(struct liar *liar, const void *bytes, size_t size)
{
	unsigned char room[WEIR_FRAME_SMALL];
	int fds[2], fd = talk_connect(liar->place, "above");

	talk_send(fd, bytes, size, NULL, 0);
	shutdown(fd, SHUT_WR);
	talk_hear(fd, room, sizeof(room), fds);
	close(fd);
}

/* The supervisor is told all kinds of things, and that the daemon is slow. */
void lie_complaints(struct liar *liar)
{
	unsigned char room[WEIR_FRAME_SMALL];

	for (int i = 0; i < 400; i++) {
		struct weir_op_complain_in in = { (uint32_t)talk_odd(),
						  talk_odd() };
		int64_t size = weir_frame_put_complain(room, sizeof(room), &in,
						       NULL, 0);

		say_above(liar, room, (size_t)size);
		talk_fill(room, sizeof(room));
		say_above(liar, room, talk_random() % sizeof(room));
		say_above(liar, room, attach_frame(room));
	}
}
