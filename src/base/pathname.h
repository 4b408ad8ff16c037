/* SPDX-License-Identifier: BSD-3-Clause */
/* Spells names of files that mean the same in the same way. */
#ifndef WEIR_BASE_PATHNAME_H
#define WEIR_BASE_PATHNAME_H

/*
 * Takes out what does not matter: //, /./, and /x/.. (x may be a link: that
 * is not looked at). For patterns too: x with a * in it may be several, and
 * stays. What does not begin at the root keeps .. at its beginning.
 */
void weir_pathname_tidy(char *path);

#endif
