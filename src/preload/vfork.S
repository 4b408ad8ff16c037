/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vfork returns twice on one stack: the child may overwrite everything below
 * the caller's frame, so the return address waits in a register while the
 * child runs, and no C function may be on the stack.
 */
#if defined(__x86_64__)
	.text
	.globl vfork
	.globl __vfork
	.type vfork, @function
	.type __vfork, @function
vfork:
__vfork:
	.cfi_startproc
	endbr64
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call weir_by_hand_vfork_enter
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	mov $58, %eax
	syscall
	push %rdi
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rip, -8
	test %rax, %rax
	jz 1f
	mov %rax, %rdi
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call weir_by_hand_vfork_leave
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
1:	ret
	.cfi_endproc
	.size vfork, . - vfork
#elif defined(__aarch64__)
	.text
	.globl vfork
	.globl __vfork
	.type vfork, %function
	.type __vfork, %function
vfork:
__vfork:
	stp x29, x30, [sp, -16]!
	bl weir_by_hand_vfork_enter
	ldp x29, x30, [sp], 16
	mov x9, x30
	mov x8, 220 /* clone(CLONE_VM | CLONE_VFORK | SIGCHLD) */
	mov x0, 0x4111
	mov x1, 0
	mov x2, 0
	mov x3, 0
	mov x4, 0
	svc 0
	mov x30, x9
	cbz x0, 1f
	stp x29, x30, [sp, -16]!
	bl weir_by_hand_vfork_leave
	ldp x29, x30, [sp], 16
1:	ret
	.size vfork, . - vfork
#elif defined(__s390x__)
	.text
	.globl vfork
	.globl __vfork
	.type vfork, @function
	.type __vfork, @function
vfork:
__vfork:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	brasl %r14, weir_by_hand_vfork_enter
	lmg %r14, %r15, 272(%r15)
	.cfi_adjust_cfa_offset -160
	svc 190
	ltgr %r2, %r2
	ber %r14
	stmg %r14, %r15, 112(%r15)
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	brasl %r14, weir_by_hand_vfork_leave
	lmg %r14, %r15, 272(%r15)
	.cfi_adjust_cfa_offset -160
	br %r14
	.cfi_endproc
	.size vfork, . - vfork
#endif
	.section .note.GNU-stack, "", %progbits
