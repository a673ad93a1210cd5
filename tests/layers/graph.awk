# From includes to arrows. Two inputs: the files that there are, then "FILE LINE INCLUDED".
NR == FNR { exists[$1] = 1; next }

# The file that an include means: beside the including one, or under src, tools or include.
function resolve(from, name,    folder, list, i, k) {
    folder = from
    sub(/\/[^\/]*$/, "", folder)
    k = split(folder "/" name " src/" name " tools/" name " tools/bench/" name " include/" name, list, " ")
    for (i = 1; i <= k; i++)
        if (list[i] in exists) return list[i]
    return ""
}
# A header and the file of the same name are one thing.
function unit(path) { sub(/\.[ch]$/, "", path); return path }

{
    a = layer_of($1)
    if ($3 == "mpi.h") {
        if (!(a in mpi)) { bad[++wrong] = $1 ":" $2 ": includes mpi.h, which " a " must not" }
        next
    }
    target = resolve($1, $3)
    if (target == "") next
    b = layer_of(target)
    includes++
    if (unit($1) != unit(target) && !((unit($1), unit(target)) in edge)) {
        edge[unit($1), unit(target)] = 1
        from[++edges] = unit($1)
        to[edges] = unit(target)
    }
    if (a == b) next
    if (!((a, b) in weight)) { arrow_from[++arrows] = a; arrow_to[arrows] = b }
    weight[a, b]++
    why = (a, b) in forbidden ? forbidden[a, b] : height[b] > height[a] ? b " is above " a : ""
    if ($1 ~ /\.c$/ && (a, b) in joins) why = ""
    if (why != "") {
        if (!((a, b) in up)) upward++
        up[a, b] = 1
        bad[++wrong] = $1 ":" $2 ": " $3 ": " why
    }
}

# Everything that a file includes, directly or not.
function walk(start,    stack, top, at, i, k, list) {
    stack[top = 1] = start
    while (top > 0) {
        at = stack[top--]
        k = split(next_of[at], list, " ")
        for (i = 1; i <= k; i++)
            if (!((start, list[i]) in reach)) { reach[start, list[i]] = 1; stack[++top] = list[i] }
    }
}

# Files that include each other in a circle: each reaches the others and itself.
function circles(    i, k, a, b, seen, text) {
    for (i = 1; i <= edges; i++) next_of[from[i]] = next_of[from[i]] " " to[i]
    for (i in next_of) walk(i)
    for (i = 1; i <= edges; i++) {
        a = from[i]
        if (a in seen || !((a, a) in reach)) continue
        text = a
        seen[a] = 1
        in_circles++
        for (k = 1; k <= edges; k++) {
            b = from[k]
            if (!(b in seen) && (a, b) in reach && (b, a) in reach) { seen[b] = 1; text = text ", " b; in_circles++ }
        }
        circle[++rings] = text
    }
}

END {
    circles()
    for (i = 1; i <= arrows; i++)
        printf "%-20s -> %-20s %3d%s\n", arrow_from[i], arrow_to[i], weight[arrow_from[i], arrow_to[i]],
            (arrow_from[i], arrow_to[i]) in up ? "  UPWARDS" : ""
    for (i = 1; i <= wrong; i++) print bad[i]
    for (i = 1; i <= rings; i++) print "in a circle: " circle[i]
    printf "%d includes, %d arrows between layers, %d upwards, %d files in circles\n", includes, arrows, upward, in_circles
    if (svg != "") picture(svg)
    exit (wrong > 0 || rings > 0)
}
