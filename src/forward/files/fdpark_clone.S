/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clone(CLONE_VM | CLONE_VFORK): it returns twice on one stack, so the return
 * address waits in a register while the child runs.
 */
#if defined(__x86_64__)
	.text
	.globl weir_fdpark_clone
	.hidden weir_fdpark_clone
	.type weir_fdpark_clone, @function
weir_fdpark_clone:
	.cfi_startproc
	endbr64
	pop %r9
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %r9
	mov $0x4100, %edi
	xor %esi, %esi
	xor %edx, %edx
	xor %r10d, %r10d
	xor %r8d, %r8d
	mov $56, %eax
	syscall
	push %r9
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rip, -8
	ret
	.cfi_endproc
	.size weir_fdpark_clone, . - weir_fdpark_clone
#elif defined(__aarch64__)
	.text
	.globl weir_fdpark_clone
	.hidden weir_fdpark_clone
	.type weir_fdpark_clone, %function
weir_fdpark_clone:
	mov x9, x30
	mov x8, 220
	mov x0, 0x4100
	mov x1, 0
	mov x2, 0
	mov x3, 0
	mov x4, 0
	svc 0
	mov x30, x9
	ret
	.size weir_fdpark_clone, . - weir_fdpark_clone
#elif defined(__s390x__)
	.text
	.globl weir_fdpark_clone
	.hidden weir_fdpark_clone
	.type weir_fdpark_clone, @function
weir_fdpark_clone:
	lghi %r2, 0
	lghi %r3, 0x4100
	lghi %r4, 0
	lghi %r5, 0
	svc 120
	br %r14
	.size weir_fdpark_clone, . - weir_fdpark_clone
#endif
	.section .note.GNU-stack, "", %progbits
