# SPDX-License-Identifier: BSD-3-Clause
# What shell scripts do with descriptors.
cat >job.bash <<'BASH'
set -eu
exec 3>log 4<&0
echo one >&3
while read -r line; do
	echo "$line" >>copy
done < <(seq 1 50)
value=$(cat copy | wc -l)
[ "$value" -eq 50 ]
cat <<<"here" >>log
cat <<END >>log
there $value
END
mapfile -t rows <copy
(cd /; pwd)
for name in *; do
	[ -f "$name" ] && test -s "$name"
done
{ echo left; echo right; } | tee both | sort -r
exec 3>&- 4<&-
coproc cat
echo through >&"${COPROC[1]}"
read -r back <&"${COPROC[0]}"
[ "$back" = through ]
source /dev/stdin <<<'sourced=1'
trap 'echo caught' USR1
kill -USR1 $$
[[ $sourced = 1 ]]
BASH
bash job.bash
