#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What bash does with descriptors, processes and signals.
set -o pipefail
exec 7>seven 8<>eight
echo to seven >&7
cat <<<"a string" >&8
exec 7>&- 8>&-
diff <(seq 1 10) <(seq 2 11)
echo "diff: $?"
false | true
echo "pipe: $?"
coproc BACK { while read -r line; do echo "back: $line"; done; }
echo hello >&"${BACK[1]}"
read -r -u "${BACK[0]}" answer
echo "$answer"
eval "exec ${BACK[1]}>&-"
wait
trap 'echo trapped' USR1
kill -USR1 $$
(exit 3)
echo "subshell: $?"
(kill -TERM "$BASHPID")
echo "killed: $?"
for i in 1 2 3 4 5; do
	(sleep "0.0$i"; echo "$i" >>order) &
done
wait
sort -o order order
cat order
echo "jobs: $(jobs -r | wc -l)"
cat <<END >document
here is $(printf '%s' "a document") of $((6 * 7)) words
END
mapfile -t lines <order
echo "${#lines[@]} lines, limit $(ulimit -n)"
umask
trap 'rm -f document; echo bye' EXIT
exit 11
