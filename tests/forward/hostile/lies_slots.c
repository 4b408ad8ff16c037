/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that cannot be meant. */
#include "liar.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

static const uint32_t by_slot[] = {
	WEIR_OP_CLOSE,	WEIR_OP_COMMIT,	  WEIR_OP_READ,	  WEIR_OP_WRITE,
	WEIR_OP_APPEND, WEIR_OP_EXTENT,	  WEIR_OP_TRUNCATE, WEIR_OP_BYPASS,
	WEIR_OP_UNLINKED, WEIR_OP_ASK,
};
#define BY_SLOT (sizeof(by_slot) / sizeof(*by_slot))

static uint32_t some_op(void)
{
	uint64_t any = talk_random();

	return any % 8 ? by_slot[(any >> 8) % BY_SLOT] : (uint32_t)talk_odd();
}

static void odd_arguments(unsigned char *args)
{
	for (size_t at = 0; at < WEIR_SESSION_ARGS; at += 8) {
		uint64_t value = talk_odd();

		if (talk_random() % 2)
			value = value << 32 | (uint32_t)talk_odd();
		if (talk_random() % 3 == 0)
			value &= 0xfff;
		memcpy(args + at, &value, sizeof(value));
	}
}

static uint32_t some_size(uint32_t op)
{
	if (op == WEIR_OP_WRITE && talk_random() % 4)
		return (uint32_t)(talk_random() % 5000);
	return talk_random() % 4 ? 0 : (uint32_t)talk_odd();
}

static void own_files(struct liar *liar, struct talk *talk)
{
	struct weir_op_open_out out;
	char path[4096];

	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/odd-%d", liar->folder, i);
		close(talk_own_file(talk, path, &out));
	}
}

void lie_odd_calls(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	unsigned char args[WEIR_SESSION_ARGS];

	talk_attach(&talk);
	own_files(liar, &talk);
	for (int i = 0; i < 20000; i++) {
		uint32_t op = some_op();

		odd_arguments(args);
		talk_post(&talk, op, args, sizeof(args), some_size(op));
	}
	talk_still_answers(&talk);
}

/* All slots at once, some in states that are none. */
void lie_all_slots(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	unsigned char args[WEIR_SESSION_ARGS];

	talk_attach(&talk);
	own_files(liar, &talk);
	for (int round = 0; round < 300; round++) {
		for (uint32_t slot = 0; slot < WEIR_SESSION_SLOTS; slot++) {
			uint32_t op = some_op();

			odd_arguments(args);
			talk_put(&talk, slot, op, args, some_size(op));
			if (slot % 5 == 4)
				atomic_store(&talk.slots[slot].state,
					     (uint32_t)talk_odd() | 4);
		}
		talk_ring(&talk);
		for (uint32_t slot = 0; slot < WEIR_SESSION_SLOTS; slot++)
			if (slot % 5 != 4)
				talk_wait(&talk, slot);
	}
	talk_still_answers(&talk);
}

static struct weir_op_commit_in victim_on_board(struct liar *liar,
						struct talk *talk)
{
	struct weir_op_commit_in in = { .how = 3 };
	struct stat status;
	int place;

	if (stat(liar->victim, &status))
		talk_fail("no victim", errno);
	place = weir_board_find(talk->board, status.st_dev, status.st_ino);
	if (place < 0)
		talk_fail("the victim is not on the board", 0);
	in.file = (uint32_t)place;
	in.turn = talk->board->files[place].turn;
	return in;
}

static void must_not_change(struct talk *talk, uint32_t open)
{
	struct weir_op_write_in write = { .open = open };
	struct weir_op_truncate_in cut = { .open = open };

	if (!talk_post(talk, WEIR_OP_WRITE, &write, sizeof(write), 9))
		talk_fail("wrote by an open that may not", open);
	if (!talk_post(talk, WEIR_OP_TRUNCATE, &cut, sizeof(cut), 0))
		talk_fail("cut by an open that may not", open);
}

/* The victim's file, opened to read, and opened to write but closed. */
static void use_rights_it_has_not(struct liar *liar, struct talk *talk)
{
	int fd = open(liar->victim, O_RDWR | O_CLOEXEC);
	struct weir_op_close_in done;
	struct weir_op_open_out out;

	if (talk_open(talk, fd, O_RDONLY, &out))
		talk_fail("an honest reader was refused", fd);
	talk->opens[out.open].flags = O_RDWR;
	must_not_change(talk, out.open);
	if (talk_open(talk, fd, O_RDWR, &out))
		talk_fail("an honest writer was refused", fd);
	done.open = out.open;
	talk_post(talk, WEIR_OP_CLOSE, &done, sizeof(done), 0);
	must_not_change(talk, out.open);
	close(fd);
}

/* Opens that were never given, places that are somebody else's. */
void lie_foreign(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_commit_in in;

	talk_attach(&talk);
	in = victim_on_board(liar, &talk);
	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i += 5) {
		struct weir_op_read_in read = { .open = i, .length = 100 };

		talk.opens[i].file = in.file;
		talk.opens[i].turn = in.turn;
		talk.opens[i].flags = O_RDWR;
		must_not_change(&talk, i);
		if (!talk_post(&talk, WEIR_OP_READ, &read, sizeof(read), 0))
			talk_fail("read by an open it has not", i);
	}
	use_rights_it_has_not(liar, &talk);
	in.turn += 2;
	talk_post(&talk, WEIR_OP_COMMIT, &in, sizeof(in), 0);
	talk_post(&talk, WEIR_OP_BYPASS, &in, sizeof(in), 0);
	talk_post(&talk, WEIR_OP_UNLINKED, &in, sizeof(in), 0);
	in.turn -= 2;
	talk_post(&talk, WEIR_OP_UNLINKED, &in, sizeof(in), 0);
	talk_still_answers(&talk);
}

/* A record that would end behind its chunk, and none at all. */
static void append_too_much(struct talk *talk,
			    const struct weir_op_open_out *own)
{
	static const uint32_t lengths[] = { 0, WEIR_SESSION_CHUNK, UINT32_MAX };
	uint32_t chunk = talk_take_chunk(talk);
	struct weir_session_record *record = (void *)talk_chunk(talk, chunk);
	struct weir_op_append_in in = { own->open, chunk, 0, UINT32_MAX };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		*record = (struct weir_session_record){
			.length = lengths[i],
			.file = own->file,
			.turn = own->turn,
		};
		if (!talk_post(talk, WEIR_OP_APPEND, &in, sizeof(in), 0))
			talk_fail("appended a record of a wrong length",
				  lengths[i]);
	}
}

/* Chunks that there are not. */
static void append_beyond(struct talk *talk, uint32_t open)
{
	for (uint32_t i = talk->welcome.chunks; i < WEIR_SESSION_CHUNKS_MOST;
	     i += 97) {
		struct weir_op_append_in in = { open, i, 0, 64 };

		if (!talk_post(talk, WEIR_OP_APPEND, &in, sizeof(in), 0))
			talk_fail("appended beyond all chunks", i);
	}
}

void lie_appends(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out own;
	char path[4096];
	int refused = 0;

	snprintf(path, sizeof(path), "%s/appended", liar->folder);
	talk_attach(&talk);
	close(talk_own_file(&talk, path, &own));
	talk_take_chunk(&talk);
	append_beyond(&talk, own.open);
	append_too_much(&talk, &own);
	for (int i = 0; i < 3000; i++) {
		struct weir_op_append_in in = {
			.open = talk_random() % 4 ? own.open :
						    (uint32_t)talk_odd(),
			.chunk = talk_random() % 2 ? (uint32_t)talk_odd() : 0,
			.place = (uint32_t)talk_odd(),
			.total = talk_odd(),
		};

		refused += talk_post(&talk, WEIR_OP_APPEND, &in, sizeof(in),
				     0) != 0;
	}
	if (refused < 1000)
		talk_fail("hardly any append was refused", refused);
	talk_still_answers(&talk);
}

static _Atomic int is_over;

static void *change_arguments(void *arg)
{
	struct weir_session_slot *slot = arg;

	while (!is_over) {
		uint32_t value = (uint32_t)talk_odd();

		memcpy(slot->args + (value % 12) * 8, &value, sizeof(value));
		slot->data = (uint32_t)(value * 7);
		slot->op = value % 30;
	}
	return NULL;
}

/* What was checked is changed before it is used. */
void lie_changing_calls(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out own;
	pthread_t thread;
	char path[4096];

	snprintf(path, sizeof(path), "%s/changing", liar->folder);
	talk_attach(&talk);
	close(talk_own_file(&talk, path, &own));
	if (pthread_create(&thread, NULL, change_arguments, &talk.slots[0]))
		talk_fail("no thread", 0);
	for (int i = 0; i < 5000; i++) {
		struct weir_op_write_in in = { .open = own.open };

		talk_post(&talk, WEIR_OP_WRITE, &in, sizeof(in), 100);
	}
	is_over = 1;
	pthread_join(thread, NULL);
	talk_still_answers(&talk);
}
