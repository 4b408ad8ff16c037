/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the host where a trace was begun for the time. */
#include "launch/clocks/timeclient.h"

#include "base/clock.h"
#include "launch/clocks/timecard.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWERS	   16 /* are enough: the quickest is the best */
#define WAIT_MS	   50 /* before it is asked once more */
#define RESOLUTION 1000 /* ns: of clocks, and of reading two of them */

struct asking {
	const struct weir_timecard *card;
	struct pollfd sockets[2]; /* of old addresses and of new ones */
	uint64_t began;
	uint32_t answers;
	int64_t address; /* the one that answers; -1: not known yet */
	struct weir_timepoint best;
};

static uint64_t mono_now(void)
{
	return weir_clock_ns(CLOCK_MONOTONIC);
}

static void send_to(struct asking *asking, uint32_t number)
{
	const struct in6_addr *address = &asking->card->addresses[number];
	struct sockaddr_in6 to = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(asking->card->port),
		.sin6_addr = *address,
	};
	struct sockaddr_in old = {
		.sin_family = AF_INET,
		.sin_port = to.sin6_port,
	};
	bool is_old = IN6_IS_ADDR_V4MAPPED(address);
	struct weir_timecard_packet packet = { .address = htobe64(number) };

	memcpy(&old.sin_addr, address->s6_addr + 12, 4);
	memcpy(packet.token, asking->card->token, sizeof(packet.token));
	packet.sent = htobe64(mono_now());
	/* What cannot be sent is not answered. */
	if (sendto(asking->sockets[!is_old].fd, &packet, sizeof(packet), 0,
		   is_old ? (struct sockaddr *)&old : (struct sockaddr *)&to,
		   is_old ? sizeof(old) : sizeof(to)) < 0)
		return;
}

/* Where nobody has answered yet, all addresses are tried. */
static void ask_server(struct asking *asking)
{
	if (asking->address >= 0) {
		send_to(asking, (uint32_t)asking->address);
		return;
	}
	for (uint32_t i = 0; i < asking->card->count; i++)
		send_to(asking, i);
}

/* The way there and the way back may differ, by the whole at most. */
static void weigh(struct asking *asking,
		  const struct weir_timecard_packet *packet, uint64_t back)
{
	uint64_t sent = be64toh(packet->sent);
	uint64_t received = be64toh(packet->received);
	uint64_t there = be64toh(packet->answered) - received;
	uint64_t address = be64toh(packet->address);
	struct weir_timepoint point;

	if (sent < asking->began || sent > back || there > back - sent ||
	    address >= asking->card->count)
		return;
	point.mono = sent + (back - sent) / 2;
	point.day = received + there / 2;
	point.error = (back - sent - there) / 2 + RESOLUTION;
	if (!asking->answers++ || point.error < asking->best.error)
		asking->best = point;
	asking->address = (int64_t)address;
}

/* Late ones count as well: they say when they were sent. */
static void take_answer(struct asking *asking, int fd)
{
	struct weir_timecard_packet packet;
	uint64_t back;
	ssize_t got;

	while ((got = recv(fd, &packet, sizeof(packet), MSG_TRUNC)) >= 0) {
		back = mono_now();
		if (got == (ssize_t)sizeof(packet) &&
		    !memcmp(packet.token, asking->card->token,
			    sizeof(packet.token)))
			weigh(asking, &packet, back);
	}
}

static void listen_awhile(struct asking *asking)
{
	if (poll(asking->sockets, 2, WAIT_MS) <= 0)
		return;
	for (int i = 0; i < 2; i++)
		if (asking->sockets[i].revents)
			take_answer(asking, asking->sockets[i].fd);
}

static void open_sockets(struct asking *asking)
{
	int type = SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

	for (int i = 0; i < 2; i++)
		asking->sockets[i] = (struct pollfd){
			.fd = socket(i ? AF_INET6 : AF_INET, type, 0),
			.events = POLLIN,
		};
}

int weir_timeclient_ask(const struct weir_timecard *card, uint64_t patience,
			const atomic_int *stop,
			struct weir_timepoint *ret_point)
{
	struct asking asking = {
		.card = card, .began = mono_now(), .address = -1};

	open_sockets(&asking);
	while (asking.answers < ANSWERS &&
	       mono_now() - asking.began < patience &&
	       !(stop && atomic_load(stop))) {
		ask_server(&asking);
		listen_awhile(&asking);
	}
	for (int i = 0; i < 2; i++)
		if (asking.sockets[i].fd >= 0)
			close(asking.sockets[i].fd);
	if (!asking.answers)
		return -ETIMEDOUT;
	*ret_point = asking.best;
	return 0;
}
