/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes on how programs say that they will read, also to the kernel. */
#include "forward/divert/divert.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/link/link.h"
#include "forward/log/transfer.h"
#include "forward/prefetch/pattern.h"
#include "forward/prefetch/prefetch.h"

#include <fcntl.h>

static void want_range(uint32_t open, int64_t off, int64_t len)
{
	if (off >= 0 && len >= 0 && (uint64_t)off < WEIR_TRANSFER_FAR)
		weir_prefetch_want(open, (uint64_t)off, (uint64_t)len);
}

static void follow_advice(uint32_t open, int64_t off, int64_t len, int advice)
{
	switch (advice) {
	case POSIX_FADV_NORMAL:
		weir_prefetch_advise(open, WEIR_PATTERN_UNKNOWN);
		break;
	case POSIX_FADV_SEQUENTIAL:
		weir_prefetch_advise(open, WEIR_PATTERN_SEQUENTIAL);
		break;
	case POSIX_FADV_RANDOM:
		weir_prefetch_advise(open, WEIR_PATTERN_RANDOM);
		break;
	case POSIX_FADV_WILLNEED:
		want_range(open, off, len);
		break;
	case POSIX_FADV_DONTNEED:
		weir_prefetch_forget(open);
		break;
	default:
		break;
	}
}

int weir_divert_advice_before(struct weir_divert *hold, int fd, long off,
			      long len, int advice)
{
	int open = weir_lazyopen_look(fd);

	if (open >= 0 && weir_link.prefetch &&
	    !weir_openfiles_is_kernels((uint32_t)open, fd))
		follow_advice((uint32_t)open, off, len, advice);
	return 0;
}

long weir_divert_advice_after(struct weir_divert *hold, long ret)
{
	return ret;
}
