/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that share a name with others' and nothing else. */
#ifndef NAMESAKE_H
#define NAMESAKE_H

int io_submit(int number);
int namesake_submit(int number); /* calls the one above */

#endif
