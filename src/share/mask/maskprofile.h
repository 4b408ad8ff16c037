/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides the names of files in the sums of a process. */
#ifndef WEIR_MASK_MASKPROFILE_H
#define WEIR_MASK_MASKPROFILE_H

#include "share/mask/mask.h"

/*
 * Appends what stands for the payload of a PROFILE block of so many rows. 0,
 * -ENOMEM, or -EBADMSG when it is not as it should be.
 */
int weir_maskprofile_write(const struct weir_mask *mask, uint32_t rows,
			   const struct weir_bytes *payload,
			   struct weir_bytes *to);

#endif
