/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the daemon patiently, also one that is being replaced. */
#include "forward/link/link_ask.h"

#include "base/clock.h"
#include "base/sys.h"
#include "forward/link/link.h"
#include "forward/link/link_complain.h"
#include "forward/link/link_talk.h"

#include <errno.h>

#define RETRY	UINT64_C(10000000) /* ns between attempts */
#define RETRIES 500 /* that end soon, one after the other: no service */
#define SOON	(WEIR_LINK_WAIT / 2) /* ns: nobody was waited for */

void weir_link_ask_later(void)
{
	struct timespec time = {.tv_nsec = (long)RETRY};

	weir_sys2(SYS_nanosleep, &time, NULL);
}

bool weir_link_ask_may_pass(int err)
{
	return err == -EAGAIN || err == -ECONNRESET || err == -EINTR;
}

/* All attempts ended soon: then there is one for each file, no more. */
static _Atomic bool has_given_up;

/*
 * As long as there is a service it is waited for, however long that takes: who
 * went to the kernel instead would write beside what others have written, and
 * read what is old. A daemon that dies or hangs meanwhile is replaced, and the
 * next one is asked. Who hangs is told of, as nobody else may be waiting. One
 * that gives up has its socket until it has stored what it can.
 */
int weir_link_ask(struct weir_link_talk *talk)
{
	int ret = -EAGAIN,
	    in_vain = atomic_load(&has_given_up) ? RETRIES - 1 : 0;
	uint64_t waited = 0, from;

	talk->directory = weir_link_directory();
	talk->name = WEIR_LINK_DOOR;
	for (; in_vain < RETRIES; in_vain++) {
		from = weir_clock_ns(CLOCK_MONOTONIC);
		ret = weir_link_talk(talk);
		if (!weir_link_ask_may_pass(ret))
			break;
		if (weir_clock_ns(CLOCK_MONOTONIC) - from < SOON) {
			weir_link_ask_later();
			continue;
		}
		in_vain = 0; /* somebody is there, and slow */
		waited += WEIR_LINK_WAIT;
		weir_link_complain(waited);
	}
	atomic_store(&has_given_up, weir_link_ask_may_pass(ret));
	return ret;
}
