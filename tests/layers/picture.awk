# The layers as boxes, the highest on top. Arrows go from who includes to what is included: those downwards bow out on the
# right, those upwards, in red, on the left. The subcommands are one box. There are no counts in it: the picture changes
# only where a layer begins or ceases to know another.
function box_of(name) { return name ~ /^tools/ && name != "tools/cli" ? "tools" : name }

function draw_arrow(file, a, b, class,    edge, reach_out, sign) {
    sign = class == "up" ? -1 : 1
    edge = sign > 0 ? left + width : left
    reach_out = (place[b] > place[a] ? place[b] - place[a] : place[a] - place[b]) * 26 + 26
    printf "<path class=\"%s\" stroke-width=\"1.5\" marker-end=\"url(#%s)\" d=\"M%d %.1fC%d %.1f %d %.1f %d %.1f\"><title>%s includes %s</title></path>\n",
        class, class, edge, y[a] + h / 2 + 4, edge + sign * reach_out, y[a] + h / 2,
        edge + sign * reach_out, y[b] + h / 2, edge + sign * 2, y[b] + h / 2 - 4, a, b > file
}

function picture(file,    i, k, a, b, total, shown, used, known, bad_one) {
    h = 34; gap = 20; left = 150; width = 200
    for (i = 1; i <= arrows; i++) {
        a = box_of(arrow_from[i]); b = box_of(arrow_to[i])
        used[a] = used[b] = 1
        known[a, b] = 1
        if ((arrow_from[i], arrow_to[i]) in up) bad_one[a, b] = 1
    }
    for (i = n; i >= 1; i--)
        if (layer[i] == box_of(layer[i]) && layer[i] in used) { place[layer[i]] = shown; y[layer[i]] = 20 + shown++ * (h + gap) }
    total = 20 + shown * (h + gap) + 20
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 %d\" font-family=\"sans-serif\" font-size=\"15\">\n", total > file
    print "<style>.page{fill:#fff}.box{fill:#eef4fa;stroke:#446}.ink{fill:#222}.down,.up{fill:none;opacity:.8}.down{stroke:#0072b2}" > file
    print ".up{stroke:#d02020}.tip-down{fill:#0072b2}.tip-up{fill:#d02020}@media(prefers-color-scheme:dark){.page{fill:#15181c}" > file
    print ".box{fill:#22303c;stroke:#89a}.ink{fill:#e2e4e7}.down{stroke:#56a8de}.up{stroke:#ff6a5a}.tip-down{fill:#56a8de}.tip-up{fill:#ff6a5a}}</style>" > file
    for (i = 1; i <= 2; i++)
        printf "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip-%s\" d=\"M0 0L8 4L0 8z\"/></marker>\n",
            i == 1 ? "down" : "up", i == 1 ? "down" : "up" > file
    printf "<rect class=\"page\" width=\"760\" height=\"%d\"/>\n", total > file
    for (i = n; i >= 1; i--)
        for (k = n; k >= 1; k--)
            if (i != k && (layer[i], layer[k]) in known)
                draw_arrow(file, layer[i], layer[k], (layer[i], layer[k]) in bad_one ? "up" : "down")
    for (i = 1; i <= n; i++)
        if (layer[i] in place) {
            printf "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n", left, y[layer[i]], width, h > file
            printf "<text class=\"ink\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left + width / 2, y[layer[i]] + 22, layer[i] > file
        }
    print "</svg>" > file
    close(file)
}
