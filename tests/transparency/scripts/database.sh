#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Journals of both kinds, a transaction undone, a database locked.
set -e
sqlite3 rolled.db <<'END'
create table t(a integer primary key, b text);
begin;
insert into t(b) select hex(value) from (
	with recursive c(value) as
	(select 1 union all select value + 1 from c where value < 2000)
	select value from c);
commit;
begin;
delete from t where a % 3 = 0;
rollback;
create index i on t(b);
select count(*), sum(a), max(b) from t;
END
sqlite3 logged.db <<'END'
pragma journal_mode = wal;
create table t(a, b);
insert into t values (1, 'one'), (2, 'two');
pragma wal_checkpoint;
pragma integrity_check;
select * from t;
END
sqlite3 rolled.db .dump | wc -l
sqlite3 rolled.db 'vacuum into "vacuumed.db"'
sqlite3 rolled.db 'select nothing' 2>&1 || echo "status $?"
