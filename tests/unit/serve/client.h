/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of the daemon's sessions in the same process, as simple as can be:
 * it writes the memory that both share, as the layout says. */
#ifndef CLIENT_H
#define CLIENT_H

#include "serve/service/sessions.h"

struct client {
	struct weir_sessions_welcome welcome;
	unsigned char *memory;
	struct weir_session_page *page;
	struct weir_session_slot *slots;
	struct weir_session_head *heads;
	unsigned char *lanes, *chunks;
	uint32_t chunk; /* that it fills; UINT32_MAX: none */
};

void client_attach(struct client *client);
struct weir_op_open_out client_open(struct client *client, const char *path,
				    int flags);

/* Data goes into the lane of the slot, and comes from there. */
unsigned char *client_lane(struct client *client, uint32_t slot);
struct client_call {
	uint32_t slot, op;
	const void *in;
	size_t in_size;
	uint32_t data;
};
int client_call(struct client *client, const struct client_call *call);

/* A record in a chunk of its own, if there is need; its place. */
struct client_record {
	uint32_t file, turn;
	uint64_t offset;
	const void *bytes;
	uint32_t length;
};
uint32_t client_fill(struct client *client, const struct client_record *record);
void client_count(struct client *client, uint32_t length);
void client_write(struct client *client, const struct client_record *record);
void client_seal(struct client *client);

#endif
