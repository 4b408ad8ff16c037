/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs zstd with its contexts kept, and trusts nothing on the way back. */
#include "trace/bytes/zip.h"

#include <errno.h>
#include <zstd.h>

/* Higher levels win nothing: what is left in the columns is noise. */
#define LEVEL 1

void weir_zip_fini(struct weir_zip *zip)
{
	ZSTD_freeCCtx(zip->squeezer);
	ZSTD_freeDCtx(zip->expander);
	*zip = (struct weir_zip){ 0 };
}

int weir_zip_squeeze(struct weir_zip *zip, const void *from, size_t len,
		     struct weir_bytes *to)
{
	size_t size;
	int err;

	if (!zip->squeezer)
		zip->squeezer = ZSTD_createCCtx();
	if (!zip->squeezer)
		return -ENOMEM;
	err = weir_bytes_reserve(to, ZSTD_compressBound(len));
	if (err)
		return err;
	size = ZSTD_compressCCtx(zip->squeezer, to->data + to->used,
				 to->room - to->used, from, len,
				 zip->level ? zip->level : LEVEL);
	if (ZSTD_isError(size))
		return -ENOMEM;
	if (size >= len)
		return -E2BIG;
	to->used += size;
	return 0;
}

int weir_zip_expand(struct weir_zip *zip, const void *from, size_t len,
		    void *to, size_t size)
{
	size_t got;

	if (!zip->expander)
		zip->expander = ZSTD_createDCtx();
	if (!zip->expander)
		return -ENOMEM;
	got = ZSTD_decompressDCtx(zip->expander, to, size, from, len);
	return got == size ? 0 : -EBADMSG;
}
