/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up the calls of a layer. */
#include "analyse/facts/layersum.h"

#include "analyse/calls/callviews.h"

void weir_layersum_add(struct weir_layer_sum *layers,
		       const struct weir_call *call,
		       const struct weir_cell *cell, bool is_channel)
{
	enum weir_callclass class = weir_callclass_of(call);
	uint8_t number = weir_callviews_layer_of(call);
	struct weir_layer_sum *layer = &layers[number];

	if (weir_callclass_is_inner(class) || class == WEIR_CLASS_LIBRARY ||
	    class == WEIR_CLASS_PROCESS ||
	    (is_channel && number != WEIR_CALLVIEW_ASYNC))
		return;
	layer->calls += cell->calls;
	layer->time += cell->time;
	layer->read += cell->done[0];
	layer->written += cell->done[1];
	if (class == WEIR_CLASS_READ || class == WEIR_CLASS_GET)
		layer->read += cell->bytes;
	if (class == WEIR_CLASS_WRITE || class == WEIR_CLASS_PUT)
		layer->written += cell->bytes;
}
