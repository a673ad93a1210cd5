#!/usr/bin/env bash
# The check of the layers finds what it is there to find, on trees made for it.
#   tests/layers/test.sh
set -uo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# tree NAME FILE=INCLUDE...: a tree of files with one include each
tree() {
    local name=$1 pair
    shift
    for pair in "$@"; do
        mkdir -p "$work/$name/$(dirname "${pair%%=*}")" "$work/$name/include"
        echo "#include \"${pair#*=}\"" >> "$work/$name/${pair%%=*}"
    done
    : > "$work/$name/include/bine.h"
}
# says CODE LAST-LINE NAME [LINE]
says() {
    local out code
    out=$("$check" -o "$work/$3.svg" "$work/$3")
    code=$?
    [ "$code" -eq "$1" ] && [ "$(tail -n 1 <<< "$out")" = "$2" ] && { [ -z "${4:-}" ] || grep -qxF "$4" <<< "$out"; } && return
    echo "FAILED: $3: exit code $code"
    echo "$out"
    failed=1
}
tree good src/base/a.h=stdio.h src/pattern/b.c=base/a.h tools/cli/c.c=base/a.h src/engine/transport/e.c=mpi.h
says 0 "2 includes, 2 arrows between layers, 0 upwards, 0 files in circles" good
tree up src/base/a.c=pattern/b.h src/pattern/b.h=stdio.h
says 1 "1 includes, 1 arrows between layers, 1 upwards, 0 files in circles" up 'src/base/a.c:1: pattern/b.h: src/pattern is above src/base'
grep -q '<path class="up"' "$work/up.svg" || { echo "FAILED: the picture has no red arrow"; failed=1; }
tree proof src/schedule/check/a.c=schedule/build/b.h src/schedule/build/b.h=stdio.h
says 1 "1 includes, 1 arrows between layers, 1 upwards, 0 files in circles" proof 'src/schedule/check/a.c:1: schedule/build/b.h: the proof asks nothing of the builder'
tree beside tools/draw/a.c=show/b.h tools/show/b.h=stdio.h
says 1 "1 includes, 1 arrows between layers, 1 upwards, 0 files in circles" beside 'tools/draw/a.c:1: show/b.h: what subcommands share is in tools/cli'
tree mpi src/select/a.c=mpi.h
says 1 "0 includes, 0 arrows between layers, 0 upwards, 0 files in circles" mpi 'src/select/a.c:1: includes mpi.h, which src/select must not'
tree ring src/base/a.c=base/b.h src/base/a.h=stdio.h src/base/b.h=base/c.h src/base/c.c=base/a.h src/base/c.h=stdio.h
says 1 "3 includes, 0 arrows between layers, 0 upwards, 3 files in circles" ring "in a circle: src/base/a, src/base/b, src/base/c"
# A picture of the tree as it is stays as it is; another one is refused with -c, and left alone.
"$check" -o "$work/good.svg" "$work/good" > /dev/null
touch -d @0 "$work/good.svg"
"$check" -o "$work/good.svg" "$work/good" > /dev/null && [ "$(stat -c %Y "$work/good.svg")" = 0 ] || { echo "FAILED: the picture was written again"; failed=1; }
"$check" -c "$work/good.svg" "$work/good" > /dev/null || { echo "FAILED: the picture is refused"; failed=1; }
tree other src/base/a.h=stdio.h tools/cli/c.c=base/a.h
"$check" -c "$work/good.svg" "$work/other" > /dev/null && { echo "FAILED: another tree's picture is taken"; failed=1; }
[ "$(stat -c %Y "$work/good.svg")" = 0 ] || { echo "FAILED: -c writes"; failed=1; }
# The map in docs/architecture.md: every file of a row is there, and every .c file is in a row. A word in capitals stands for
# any name, a header for the .c file of its name, too, a folder for all files in it.
cd "$(dirname "$check")/../.." || exit 2
while read -r pattern; do
    rows=$((${rows:-0} + 1))
    compgen -G "$pattern" > /dev/null || { echo "FAILED: docs/architecture.md: there is no $pattern"; failed=1; }
    case $pattern in
    */) compgen -G "$pattern*" ;;
    *.h) compgen -G "${pattern%h}c" ;;
    *) compgen -G "$pattern" ;;
    esac >> "$work/mapped"
done < <(awk -F'|' '/^## /{ on = /^## Where is/ } on && /^\| \*\*/ { gsub(/[*` ]/, "", $2); layer = $2; next }
    on && /^\| `/ { n = split($2, word, "`"); for (i = 2; i <= n; i += 2) { gsub(/[A-Z]+/, "*", word[i]); print layer "/" word[i] } }' docs/architecture.md)
[ "$rows" -ge 60 ] || { echo "FAILED: docs/architecture.md: only $rows files have a row"; failed=1; }
unmapped() { grep -vxFf "$work/mapped"; } # of the paths that are read
[ "$(printf 'src/base/text.c\nsrc/base/unheard_of.c\n' | unmapped)" = src/base/unheard_of.c ] || { echo "FAILED: the map finds any file"; failed=1; }
while read -r file; do
    echo "FAILED: docs/architecture.md: no row has $file"
    failed=1
done < <(find src tools \( -name '*.c' -o -name '*.cpp' \) | sort | unmapped)
# Features: every word behind a file stands in that file.
while read -r file word; do
    features=$((${features:-0} + 1))
    grep -qw "$word" "$file" || { echo "FAILED: docs/architecture.md: $file has no $word"; failed=1; }
done < <(awk -F'|' '/^## /{ on = /^## Finding a feature/ ? 3 : 0 } /^\| place \| decides for/ { on = 2 }
    on && /^\|/ { n = split($on, word, "`"); file = ""; for (i = 2; i <= n; i += 2) {
        if (word[i] ~ /^(src|tools)\/.*\.[ch]$/) { file = word[i]; print file, "." }
        else if (file != "" && word[i] ~ /^[A-Za-z_]+$/) print file, word[i] } }' docs/architecture.md)
[ "${features:-0}" -ge 40 ] || { echo "FAILED: docs/architecture.md: only ${features:-0} places of features"; failed=1; }
# A folder of src has at most 30 files: more of them are a heap.
while read -r count folder; do
    [ "$count" -le 30 ] || { echo "FAILED: $folder has $count files: expected at most 30"; failed=1; }
done < <(find src -type f | sed 's|/[^/]*$||' | sort | uniq -c)
[ "$failed" -eq 0 ] && echo "layers: passed"
exit "$failed"
