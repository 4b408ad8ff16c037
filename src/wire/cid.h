/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers what a recorded program has handed over, by which a trace says
 * what the daemon did for it: `cid` of the program's event, `for` of the
 * daemon's. It is made of what both sides know, so that the log need not have
 * it, and a daemon that comes later knows it too. Never 0: that is nobody's.
 */
#ifndef WEIR_WIRE_CID_H
#define WEIR_WIRE_CID_H

#include <stdint.h>

enum weir_cid_way {
	WEIR_CID_RECORD = 1, /* where: chunk, place in it */
	WEIR_CID_SLOT,	     /* number of the slot, 0 */
	WEIR_CID_OPEN,	     /* thread, 0 */
};

static inline uint64_t weir_cid_mix(uint64_t number)
{
	number = (number ^ number >> 32) * UINT64_C(0xd6e8feb86659fd93);
	number = (number ^ number >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return number ^ number >> 32;
}

struct weir_cid {
	uint32_t way; /* enum weir_cid_way */
	uint32_t session;
	uint32_t where, place;
	uint64_t stamp; /* CLOCK_MONOTONIC ns */
};

static inline uint64_t weir_cid_of(const struct weir_cid *cid)
{
	uint64_t number = weir_cid_mix((uint64_t)cid->session << 32 | cid->way);

	number = weir_cid_mix(number ^
			      ((uint64_t)cid->where << 32 | cid->place));
	number = weir_cid_mix(number ^ cid->stamp);
	return number ? number : 1;
}

#endif
