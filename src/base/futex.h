/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeps on a word of memory that processes share. errno stays. */
#ifndef WEIR_BASE_FUTEX_H
#define WEIR_BASE_FUTEX_H

#include "base/sys.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define WEIR_FUTEX_FOREVER UINT64_MAX

/*
 * As long as the word has this value. 0: woken, -EAGAIN: it has another one,
 * -ETIMEDOUT, -EINTR; whatever it says, the caller looks again.
 */
static inline int weir_futex_wait(_Atomic uint32_t *word, uint32_t value,
				  uint64_t ns)
{
	struct timespec time = {
		.tv_sec = (time_t)(ns / UINT64_C(1000000000)),
		.tv_nsec = (long)(ns % UINT64_C(1000000000)),
	};

	return (int)weir_sys4(SYS_futex, word, FUTEX_WAIT, value,
			      ns == WEIR_FUTEX_FOREVER ? NULL : &time);
}

static inline void weir_futex_wake(_Atomic uint32_t *word, int count)
{
	weir_sys3(SYS_futex, word, FUTEX_WAKE, count);
}

#endif
