/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Enters what programs wrote and no daemon will store any more into the ledger.
 */
#ifndef WEIR_SUPERVISOR_ABANDONED_H
#define WEIR_SUPERVISOR_ABANDONED_H

/*
 * In the supervisor, when it gives up: each range that was acknowledged and is
 * not stored becomes an entry of the ledger.
 */
void weir_abandoned_tell(void);

#endif
