/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which file it is that is written. */
#include "base/hash.h"
#include "base/sys.h"
#include "capture/digests/digests.h"
#include "gate/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

#define IS_PLAIN(mode) (((mode)&0170000) == 0100000)

int weir_digest_file_look(int fd, const char *path,
			  struct weir_digest_file *ret_file)
{
	struct statx st;
	long err = weir_confined
			   ? -EPERM
			   : weir_sys6(SYS_statx, fd, path,
				       path[0] ? 0 : AT_EMPTY_PATH,
				       STATX_BASIC_STATS | STATX_BTIME, &st, 0);
	uint64_t which[4] = { 0 };

	if (err)
		return (int)err;
	if (!IS_PLAIN(st.stx_mode))
		return -EINVAL;
	which[0] = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
	which[1] = st.stx_ino;
	if (st.stx_mask & STATX_BTIME) {
		which[2] = (uint64_t)st.stx_btime.tv_sec;
		which[3] = st.stx_btime.tv_nsec;
	}
	ret_file->key = weir_hash_bytes(which, sizeof(which)) | 1;
	ret_file->size = st.stx_size;
	return 0;
}
