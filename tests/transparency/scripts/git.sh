#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A small history, merged, packed and cloned.
set -e
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z'
export GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE"
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD" GIT_PAGER=cat
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q -b main project
cd project
for i in 1 2 3 4 5; do
	seq 1 $((i * 100)) >"file-$i"
	git add .
	git commit -q -m "step $i"
done
git checkout -q -b side
echo more >>file-1
git commit -q -a -m side
git checkout -q main
echo other >>file-2
git commit -q -a -m main
git merge -q -m merged side
git log --oneline --graph
git diff --stat HEAD~2
git gc -q
git fsck
cd ..
git clone -q project copy
git -C copy status --short --branch
git -C copy show --stat HEAD~1
