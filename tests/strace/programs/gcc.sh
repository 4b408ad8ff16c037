# SPDX-License-Identifier: BSD-3-Clause
# A small program is compiled, linked and run.
cat >hello.c <<'C'
#include <stdio.h>
#include "greeting.h"

int main(void)
{
	printf("%s\n", GREETING);
	return 0;
}
C
echo '#define GREETING "hello"' >greeting.h
gcc -O1 -pipe -c hello.c
gcc -o hello hello.o
./hello
ar rc libhello.a hello.o
cat >static.c <<'C'
/* No loader, so nobody can look inside. */
void _start(void)
{
	__asm__ volatile("mov $1, %eax; mov $1, %edi; lea word(%rip), %rsi;"
			 "mov $3, %edx; syscall;"
			 "mov $231, %eax; xor %edi, %edi; syscall;"
			 "word: .ascii \"hi\\n\"");
}
C
gcc -static -nostdlib -o static static.c
./static
