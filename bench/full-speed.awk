# Tables of bench/full-speed: awk -v group=NAME -v flat=' NAME... ' -v list=FILE SYSTEM-NODES-SEED-COLLECTIVE-SIZE-busy|taper-VALUE.csv...
# FILE gets a row for each cell.
function bound(c, n, g) { return (c == "allreduce" ? 2 : 1) * n * (g - 1) }
function size(b) { return b >= 1048000 ? sprintf("%.0f MiB", b / 1048576) : sprintf("%.0f KiB", b / 1024) }
function add(key, r,     k) {
    k = key
    if (!(k in count)) order[++keys] = k
    count[k]++
    sum[k] += log(r)
    if (r > worst[k]) { worst[k] = r; where[k] = cell }
}
function row(title, key) {
    if (key in count)
        printf "| %s | %d | %.2f | %.2f | %s |\n", title, count[key], exp(sum[key] / count[key]), worst[key], where[key]
}
function close_cell(     of, over, chosen_time, name, r) {
    if (file == "" || best_flat == "" || own == "") {
        if (file != "") dropped++
        return
    }
    cell = machine " " nodes " nodes, seed " seed ", " groups " groups: " c " " size(bytes) ": " own_name " " us(own) ", " flat_name " " us(best_flat)
    of = groups > 1 ? own_global / bound(c, bytes, groups) : 1
    if (of > most_of) most_of = of
    over = own / best_flat
    chosen_time = (chosen in seconds) ? seconds[chosen] : ""
    best = own < best_flat ? own : best_flat
    for (name in seconds) if (seconds[name] < best) best = seconds[name]
    print machine, nodes, seed, c, bytes, groups, kind, value, own_name, own, own_global, of, copied, flat_name, best_flat, share[flat_name] + 0, chosen, chosen_time, best > list
    what = kind " " value
    if (kind == "busy") {
        add("all " value, over)
        add("system " value " " machine, over)
        add("collective " value " " c, over)
        add("nodes " value " " nodes, over)
        if (bytes >= 1000000) add("large " value, over)
        if (bytes >= 1000000 && groups <= 8) add("few " value, over)
        if (share[flat_name] >= 0.5) add("crossing " value, over)
    }
    if (chosen_time == "") { unknown[what]++; return }
    r = chosen_time / best
    cell = machine " " nodes " nodes, seed " seed ", " groups " groups: " c " " size(bytes) ": " chosen " " us(chosen_time) ", best " us(best)
    add("chosen " what, r)
    add("chosen " what " " c, r)
    for (a in assumed)
        if (assumed[a] in seconds) {
            r = seconds[assumed[a]] / best
            cell = machine " " nodes " nodes, " groups " groups: " c " " size(bytes) ", 1:" value ": " assumed[a] " " us(seconds[assumed[a]]) ", best " us(best)
            add("assumed " a, r)
            add("assumed " a " " value, r)
        }
}
# Of those that were asked for; what the library chooses besides is judged with all of them.
function is_flat(name) { sub(/:.*/, "", name); return name !~ /-group/ && (flat == " all " || index(flat, " " name " ")) }
function us(t) { return sprintf("%.0f us", 1e6 * t) }
FNR == 1 {
    close_cell()
    file = FILENAME
    split(file, f, "-")
    machine = f[1]; nodes = f[2]; seed = f[3]; c = f[4]; kind = f[6]; value = f[7]; sub(/\.csv$/, "", value)
    seen[kind] = seen[kind] (index(seen[kind] " ", " " value " ") ? "" : " " value)
    best_flat = own = own_global = chosen = copied = ""
    groups = 1
    split("", seconds); split("", share); split("", assumed)
}
/^# groups: / { groups = split($3, g, ",") }
/^# busiest: / { share[$3] = $4 }
/^# chosen: / { chosen = $3 }
/^# assumed: / { assumed[$3] = $4; tapers[$3] = 1 }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    bytes = f[6]
    seconds[f[2]] = f[8]
    if (f[2] == group || index(f[2], group ":") == 1) {
        if (own == "" || f[8] < own) { own = f[8]; own_name = f[2]; own_global = f[11]; copied = f[12] }
    } else if (is_flat(f[2]) && (best_flat == "" || f[8] < best_flat)) { best_flat = f[8]; flat_name = f[2] }
}
BEGIN {
    OFS = ","
    print "system,nodes,seed,collective,bytes,groups,kind,value,group,seconds,global_bytes,of_the_bound,copied_bytes,flat,seconds,busy_share,chosen,seconds,best" > list
}
END {
    close_cell()
    n = split(seen["busy"], b, " ")
    for (i = 1; i <= n; i++) {
        v = b[i]
        print "\n### " group " over the best flat algorithm, links between groups " (v == 1 ? "idle" : "at " v " of their rate") "\n"
        print "| cells | number | geometric mean | worst | which |"
        print "|---|---|---|---|---|"
        row("all", "all " v)
        row("from 1 MiB on", "large " v)
        row("from 1 MiB on, up to eight groups", "few " v)
        row("a link between groups is busy for half of the flat one's time", "crossing " v)
        for (k = 1; k <= keys; k++) {
            key = order[k]
            if (index(key, "system " v " ") == 1 || index(key, "collective " v " ") == 1 || index(key, "nodes " v " ") == 1) {
                title = key; sub("^[a-z]+ " v " ", "", title)
                row(title (index(key, "nodes") == 1 ? " nodes" : ""), key)
            }
        }
    }
    printf "\nBytes between groups of %s: at most %.3f times the bound.\n", group, most_of
    for (j = 1; j <= 2; j++) {
        kind = j == 1 ? "busy" : "taper"
        n = split(seen[kind], b, " ")
        if (n == 0) continue
        print "\n### The library's choice over the best of all: " (j == 1 ? "rates known" : "groups known, rates not; by taper") "\n"
        print "| " (j == 1 ? "links between groups" : "taper") " | cells | geometric mean | worst | which | not simulated |"
        print "|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++) {
            key = "chosen " kind " " b[i]
            if (key in count)
                printf "| %s | %d | %.2f | %.2f | %s | %d |\n", (j == 1 ? b[i] : "1:" b[i]), count[key], exp(sum[key] / count[key]), worst[key], where[key], unknown[kind " " b[i]]
        }
    }
    n = split(seen["taper"], b, " ")
    title = "\n### The same, if the choice assumed another taper: geometric mean, worst\n\n| assumed |"
    for (i = 1; i <= n; i++) title = title " 1:" b[i] " |"
    title = title " worst | which |\n|---|"
    for (i = 0; i <= n + 1; i++) title = title "---|"
    for (v = 1; v <= 16; v += 0.25) {
        if (!(v in tapers)) continue
        if (title) print title
        title = ""
        printf "| %g:1 |", v
        for (i = 1; i <= n; i++) { key = "assumed " v " " b[i]; printf " %.2f, %.2f |", exp(sum[key] / count[key]), worst[key] }
        printf " %.2f | %s |\n", worst["assumed " v], where["assumed " v]
    }
    if (dropped) print "\nCells without " group " or without a flat algorithm: " dropped "."
}
