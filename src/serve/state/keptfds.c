/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps descriptors that outlive a daemon: the supervisor has them. */
#include "serve/state/keptfds.h"

#include "serve/state/channel.h"
#include "serve/state/state.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#define PATIENCE_MS 1000

/*
 * The supervisor's table; a daemon has a copy of what it was as it started,
 * and the descriptors themselves. One more than the number: 0 is none.
 */
static int sessions[WEIR_STATE_SESSIONS], files[WEIR_BOARD_FILES];
static int deferred[WEIR_BOARD_DEFERRED], parents[WEIR_BOARD_DEFERRED];
static int inodes[WEIR_BOARD_DEFERRED];
static int channel = -1; /* of the daemon */
static pthread_mutex_t dropping = PTHREAD_MUTEX_INITIALIZER;

static const struct {
	int *held;
	uint32_t count;
} tables[WEIR_KEPTFDS_KINDS] = {
	[WEIR_KEPTFDS_SESSION] = {sessions, WEIR_STATE_SESSIONS},
	[WEIR_KEPTFDS_FILE] = {files, WEIR_BOARD_FILES},
	[WEIR_KEPTFDS_DEFERRED] = {deferred, WEIR_BOARD_DEFERRED},
	[WEIR_KEPTFDS_PARENT] = {parents, WEIR_BOARD_DEFERRED},
	[WEIR_KEPTFDS_INODE] = {inodes, WEIR_BOARD_DEFERRED},
};

static int *find_slot(uint32_t kind, uint32_t index)
{
	if (kind >= WEIR_KEPTFDS_KINDS || index >= tables[kind].count)
		return NULL;
	return &tables[kind].held[index];
}

void weir_keptfds_begin(int above)
{
	channel = above;
}

/*
 * What is sent is there even if we die now: the supervisor reads it all first.
 * Without a supervisor, and in the process that rescues what daemons left,
 * there will be no daemon that could want it.
 */
int weir_keptfds_keep(enum weir_keptfds_kind kind, uint32_t index, int fd)
{
	struct weir_channel_note note = {WEIR_CHANNEL_KEEP, kind, index, 0};
	int err;

	if (!find_slot(kind, index))
		return -EINVAL;
	if (channel < 0)
		return 0;
	err = weir_channel_send(channel, &note, fd);
	return err == -EPIPE || err == -ECONNRESET ? 0 : err;
}

/* A supervisor that somebody has stopped does not stop us. */
static void wait_for(uint32_t serial)
{
	struct pollfd answer = {channel, POLLIN, 0};
	struct weir_channel_note note = {0};
	int fd = -1, err = 0;

	while (!err && note.serial != serial) {
		if (poll(&answer, 1, PATIENCE_MS) <= 0)
			return;
		err = weir_channel_receive(channel, &note, &fd);
	}
}

void weir_keptfds_drop_later(enum weir_keptfds_kind kind, uint32_t index)
{
	struct weir_channel_note note = {WEIR_CHANNEL_DROP, kind, index, 0};
	int *place = find_slot(kind, index);

	if (!place)
		return;
	*place = 0;
	weir_channel_send(channel, &note, -1);
}

void weir_keptfds_drop(enum weir_keptfds_kind kind, uint32_t index)
{
	static uint32_t serial;
	struct weir_channel_note note = {WEIR_CHANNEL_DROP, kind, index, 0};
	int *place = find_slot(kind, index);

	if (!place)
		return;
	pthread_mutex_lock(&dropping);
	*place = 0;
	note.serial = ++serial;
	if (!weir_channel_send(channel, &note, -1))
		wait_for(note.serial);
	pthread_mutex_unlock(&dropping);
}

int weir_keptfds_inherited(enum weir_keptfds_kind kind, uint32_t index)
{
	int *place = find_slot(kind, index);

	return place ? *place - 1 : -1;
}

void weir_keptfds_replace(uint32_t kind, uint32_t index, int fd)
{
	int *place = find_slot(kind, index);

	if (!place) {
		if (fd >= 0)
			close(fd);
		return;
	}
	if (*place)
		close(*place - 1);
	*place = fd + 1;
}
