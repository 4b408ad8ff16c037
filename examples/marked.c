/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulation that says in its trace what it is doing.
 *
 *	cc marked.c -o marked
 *	weir run -o trace -- ./marked && weir dump trace
 */
#include <weir/mark.h>

#include <stdio.h>

#define STEPS 3

static int write_state(const char *name, int step)
{
	WEIR_MARK_SCOPE("write state"); /* up to each return */
	FILE *out = fopen(name, "a");

	if (!out)
		return -1;
	fprintf(out, "step %d\n", step);
	return fclose(out);
}

int main(void)
{
	weir_mark_phase("compute");
	for (int step = 0; step < STEPS; step++) {
		weir_mark_step(step);
		if (write_state("state.txt", step)) {
			perror("state.txt");
			return 1;
		}
	}
	weir_mark_phase("tidy up");
	return remove("state.txt") ? 1 : 0;
}
