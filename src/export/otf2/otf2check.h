/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether an OTF2 archive that was written is whole. */
#ifndef WEIR_OTF2_OTF2CHECK_H
#define WEIR_OTF2_OTF2CHECK_H

#include <stdint.h>

/*
 * OTF2 does not notice when its last bytes find no place on the disk, so the
 * archive is read again. -EIO: it has not so many definitions and events.
 */
int weir_otf2check_read(const char *anchor, uint64_t definitions,
			uint64_t locations, uint64_t events);

#endif
