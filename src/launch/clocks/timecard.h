/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads DIR/clock: whom other hosts can ask for the time. */
#ifndef WEIR_CLOCKS_TIMECARD_H
#define WEIR_CLOCKS_TIMECARD_H

#include <limits.h>
#include <netinet/in.h>
#include <stdint.h>

struct weir_tracedir;

#define WEIR_TIMECARD_ADDRESSES 16
#define WEIR_TIMECARD_TOKEN	16

/*
 * The time of a trace is the monotonic clock of one host, so much ahead that
 * it began as that host's time of day: setting that later changes nothing.
 */
struct weir_timecard {
	uint64_t of;	/* names this time among all others */
	uint64_t ahead; /* to be added to CLOCK_MONOTONIC there, ns */
	uint8_t token[WEIR_TIMECARD_TOKEN]; /* who knows it is answered */
	char machine[80]; /* whose clock it is: equal ones need not ask */
	uint16_t port;
	uint32_t count;
	struct in6_addr addresses[WEIR_TIMECARD_ADDRESSES]; /* v4 as mapped */
};

/* One packet, asking or answering; numbers with the highest byte first. */
struct weir_timecard_packet {
	uint8_t token[WEIR_TIMECARD_TOKEN];
	uint64_t sent, address;	     /* the asker's; returned as they are */
	uint64_t received, answered; /* in the time of the trace */
};

/* A new time, of this machine and now. -ENODEV: it has no address. */
int weir_timecard_make(struct weir_timecard *card);

/* The machine whose clocks we read: a boot, and a time namespace of it. */
void weir_timecard_name_machine(char machine[80]);

/* Where it lies; -ENAMETOOLONG. */
int weir_timecard_path(const struct weir_tracedir *place, char path[PATH_MAX]);

/* For the owner's eyes alone; -EEXIST when there is one. */
int weir_timecard_write(const struct weir_timecard *card, const char *path);

/* -ENOENT; -EBADMSG; -EPERM when somebody else could have written it. */
int weir_timecard_read(const char *path, struct weir_timecard *ret_card);

/* The text of one, which is changed. -EBADMSG. */
int weir_timecard_parse(char *text, struct weir_timecard *ret_card);

#endif
