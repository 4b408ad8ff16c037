/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what this process finds of the variables that a plan sets. */
#ifndef WEIR_ADJUST_VARIABLES_H
#define WEIR_ADJUST_VARIABLES_H

/*
 * The launcher has set them, but for those that the user had set. Counts how
 * that went for this process image, and images that could not take the plan
 * they were told of. To be called when the control file is there.
 */
void weir_variables_count(char *const *environment);

#endif
