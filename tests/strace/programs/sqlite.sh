# SPDX-License-Identifier: BSD-3-Clause
# A database is written with a journal and with a log ahead, and read.
sqlite3 base.db <<'SQL'
create table t(a integer primary key, b text);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
insert into t select i, hex(i) from n;
commit;
create index x on t(b);
delete from t where a % 3 = 0;
vacuum;
pragma journal_mode = wal;
insert into t values (100000, 'end');
select count(*) from t;
SQL
sqlite3 base.db 'pragma integrity_check; select sum(a) from t;'
sqlite3 base.db .dump >dump.sql
sqlite3 copy.db <dump.sql
