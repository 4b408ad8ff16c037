/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscall() may return twice, or on another stack: the next function takes
 * our place and finds everything as the caller left it. The call that installs
 * a filter is told to us before; numbers that are calls of the tables go to
 * the function that records or diverts them, which gets them as we did.
 */
#if defined(__x86_64__)
	.text
	.globl syscall
	.type syscall, @function
syscall:
	.cfi_startproc
	endbr64
	cmp $317, %rdi /* SYS_seccomp */
	je 1f
	cmpb $0, weir_thread_recording(%rip)
	je 3f
4:	cmp $512, %rdi
	jae 2f
	lea weir_syscalls_known(%rip), %r11
	cmpb $0, (%r11, %rdi)
	jne weir_syscalls_record
2:	jmp *weir_forbid_syscall(%rip)
3:	cmpb $0, weir_link_is_on(%rip)
	jne 4b
	jmp *weir_forbid_syscall(%rip)
1:	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %r8
	push %r9
	sub $8, %rsp
	.cfi_adjust_cfa_offset 56
	call weir_forbid_seccomp
	add $8, %rsp
	pop %r9
	pop %r8
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	.cfi_adjust_cfa_offset -56
	jmp *weir_forbid_syscall(%rip)
	.cfi_endproc
	.size syscall, . - syscall
#elif defined(__aarch64__)
	.text
	.globl syscall
	.type syscall, %function
syscall:
	cmp x0, 277 /* SYS_seccomp */
	b.ne 2f
	stp x29, x30, [sp, -80]!
	stp x0, x1, [sp, 16]
	stp x2, x3, [sp, 32]
	stp x4, x5, [sp, 48]
	str x6, [sp, 64]
	bl weir_forbid_seccomp
	ldr x6, [sp, 64]
	ldp x4, x5, [sp, 48]
	ldp x2, x3, [sp, 32]
	ldp x0, x1, [sp, 16]
	ldp x29, x30, [sp], 80
1:	adrp x16, weir_forbid_syscall
	ldr x16, [x16, :lo12:weir_forbid_syscall]
	br x16
2:	adrp x16, weir_thread_recording
	ldrb w16, [x16, :lo12:weir_thread_recording]
	adrp x17, weir_link_is_on
	ldrb w17, [x17, :lo12:weir_link_is_on]
	orr w16, w16, w17
	cbz w16, 1b
	cmp x0, 512
	b.hs 1b
	adrp x16, weir_syscalls_known
	add x16, x16, :lo12:weir_syscalls_known
	ldrb w16, [x16, x0]
	cbz w16, 1b
	b weir_syscalls_record
	.size syscall, . - syscall
#elif defined(__s390x__)
	.text
	.globl syscall
	.type syscall, @function
syscall:
	.cfi_startproc
	cghi %r2, 348 /* SYS_seccomp */
	je 1f
	larl %r1, weir_thread_recording
	cli 0(%r1), 0
	jne 3f
	larl %r1, weir_link_is_on
	cli 0(%r1), 0
	je 2f
3:	clgfi %r2, 512
	jhe 2f
	larl %r1, weir_syscalls_known
	llgc %r1, 0(%r2, %r1)
	ltgr %r1, %r1
	jgne weir_syscalls_record
2:	larl %r1, weir_forbid_syscall
	lg %r1, 0(%r1)
	br %r1
1:	stmg %r2, %r15, 16(%r15)
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	brasl %r14, weir_forbid_seccomp
	lmg %r2, %r15, 176(%r15)
	.cfi_adjust_cfa_offset -160
	j 2b
	.cfi_endproc
	.size syscall, . - syscall
#endif
	.section .note.GNU-stack, "", %progbits
