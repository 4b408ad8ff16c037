/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps jumps, which may leave our own code for ever. */
#ifndef WEIR_PRELOAD_JUMP_H
#define WEIR_PRELOAD_JUMP_H

/* Find the functions behind ours; before the first jump, if possible. */
void weir_jump_resolve(void);

__attribute__((noreturn)) void longjmp(void *to, int value);
__attribute__((noreturn)) void _longjmp(void *to, int value);
__attribute__((noreturn)) void siglongjmp(void *to, int value);
__attribute__((noreturn)) void __longjmp_chk(void *to, int value);

#endif
