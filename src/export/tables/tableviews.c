/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines indexes and views over the tables of a trace in SQL. */
#include "export/tables/tableviews.h"

#define SUMS "count(*) AS calls, count(err) AS failed, " \
	     "sum(e.bytes) AS bytes, sum(e.dur) AS time"

/* Events are numbered by their start, so that needs no index. */
const char weir_tableviews_sql[] =
	"CREATE UNIQUE INDEX thread_of ON threads(process, thread);"
	"CREATE INDEX events_of_file ON events(file) WHERE file IS NOT NULL;"
	"CREATE INDEX events_below ON events(parent) WHERE parent IS NOT NULL;"
	"CREATE INDEX arguments_of ON arguments(event);"
	"CREATE INDEX links_of ON links(event);"
	"CREATE INDEX links_to ON links(other) WHERE other IS NOT NULL;"
	"CREATE INDEX links_in ON links(node) WHERE node IS NOT NULL;"

	/* what every event is, in words */
	"CREATE VIEW event_list AS SELECT e.event, "
	"e.process || '.' || e.thread || '.' || e.idx AS id, "
	"h.name AS host, p.pid, p.rank, t.tid, e.start, e.dur, c.layer, "
	"c.name AS call, c.class, f.path, e.fd, e.size, e.off, e.ret, e.err, "
	"e.bytes, e.flags, e.depth, e.parent, e.link "
	"FROM events e JOIN calls c USING (call) "
	"LEFT JOIN files f USING (file) "
	"LEFT JOIN processes p ON p.process = e.process "
	"LEFT JOIN hosts h USING (host) "
	"LEFT JOIN threads t ON t.process = e.process "
	"AND t.thread = e.thread;"

	"CREATE VIEW per_file AS SELECT f.path, c.layer, c.class, " SUMS
	" FROM events e JOIN calls c USING (call) JOIN files f USING (file)"
	" GROUP BY e.file, c.layer, c.class;"

	"CREATE VIEW per_rank AS SELECT p.rank, p.process, h.name AS host, "
	"p.pid, c.layer, c.class, " SUMS
	" FROM events e JOIN calls c USING (call) "
	"LEFT JOIN processes p ON p.process = e.process "
	"LEFT JOIN hosts h USING (host) "
	"GROUP BY e.process, c.layer, c.class;"

	"CREATE VIEW per_layer AS SELECT c.layer, c.class, " SUMS
	" FROM events e JOIN calls c USING (call)"
	" GROUP BY c.layer, c.class;"

	/* time of its own is what its calls below did not take */
	"CREATE VIEW call_tree AS WITH RECURSIVE tree(event, top, level) AS ("
	"SELECT event, event, 0 FROM events WHERE parent IS NULL UNION ALL "
	"SELECT e.event, tree.top, tree.level + 1 FROM tree "
	"JOIN events e ON e.parent = tree.event) "
	"SELECT tree.top, tree.level, l.*, l.dur - coalesce("
	"(SELECT sum(below.dur) FROM events below "
	"WHERE below.parent = tree.event), 0) AS own_time "
	"FROM tree JOIN event_list l ON l.event = tree.event;"

	/* the callers too, which events name themselves */
	"CREATE VIEW every_link AS SELECT event, link AS kind, "
	"parent AS other, NULL AS node FROM events WHERE link IS NOT NULL "
	"UNION ALL SELECT event, kind, other, node FROM links "
	"WHERE kind <> 'above';";
