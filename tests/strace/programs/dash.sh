# SPDX-License-Identifier: BSD-3-Clause
# The same shell that runs this, with what dash has.
cat >job.sh <<'DASH'
set -eu
exec 3>log
echo one >&3
seq 1 50 | while read -r line; do
	echo "$line" >>copy
done
value=$(wc -l <copy)
cat <<END >>log
there $value
END
for name in *; do
	test -f "$name"
done
( echo sub; exit 0 ) >>log 2>&1
. ./more.sh
trap 'echo caught' USR1
kill -USR1 $$
exec 3>&-
sleep 0.01 &
wait
DASH
echo 'more=1' >more.sh
dash job.sh
