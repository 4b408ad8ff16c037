/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps calls by which a program may forbid itself, and us, system calls. */
#ifndef WEIR_PRELOAD_FORBID_H
#define WEIR_PRELOAD_FORBID_H

/* Find the functions behind ours; before the first call, if possible. */
void weir_forbid_resolve(void);

/* Called by the assembly of syscall before it makes SYS_seccomp. */
void weir_forbid_seccomp(long number, long operation, long flags,
			 const void *program);

/* Where the assembly of syscall goes on. */
extern long (*weir_forbid_syscall)(long number, ...);

int prctl(int option, ...);

#endif
