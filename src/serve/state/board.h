/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes, shows and clears places on the board. Callers see to it that only one
 * thread at a time changes a place.
 */
#ifndef WEIR_STATE_BOARD_H
#define WEIR_STATE_BOARD_H

#include <stdint.h>

/* The turn that it will have; until it is shown nobody believes it. */
uint32_t weir_board_take(uint32_t place, uint64_t dev, uint64_t ino);
void weir_board_show(uint32_t place, uint32_t turn, uint32_t flags);
void weir_board_tell(uint32_t place, uint32_t flags);
void weir_board_clear(uint32_t place);

#endif
