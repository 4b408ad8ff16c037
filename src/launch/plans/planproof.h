/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves settings that want it by the traces that the plan names. */
#ifndef WEIR_PLANS_PLANPROOF_H
#define WEIR_PLANS_PLANPROOF_H

struct weir_plan;

/*
 * Reads the traces that settings name as their proof, and adds what they prove
 * to the settings. 0; -EINVAL: one proves nothing, and why has been said;
 * -ENOMEM.
 */
int weir_planproof_add(struct weir_plan *plan);

#endif
