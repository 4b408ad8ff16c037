#!/bin/dash
# SPDX-License-Identifier: BSD-3-Clause
# The same for the small shell, which uses vfork.
i=0
while [ $i -lt 30 ]; do
	/bin/echo "line $i" >>lines
	i=$((i + 1))
done
exec 3<lines
read -r first <&3
read -r second <&3
echo "$first, $second"
exec 3<&-
sort -r lines | sed -n 1,3p
x=$(sort lines | wc -l)
echo "$x"
trap 'echo ended' 0
set -- a b c
for word; do
	echo "$word" >"file-$word"
done
cat file-* not-there 2>&1
command -v nothing-of-this-name || echo "no such command: $?"
nothing-of-this-name
echo "status $?"
kill -9 $$
