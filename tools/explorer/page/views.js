/* The views. Each draws one pane with a pen and says what can be clicked.
 * `at` is how many steps are done; between two whole numbers a step is under way. */
const stepUnderWay = (at) => Math.max(0, Math.ceil(at) - 1);
const ease = (x) => (x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x));

/* What a cell is painted with: how much of it is there. */
function cellColour(pane, count) {
  if (count === 0) return [palette.cell, 1];
  const full = pane.reduces ? pane.p : 1;
  return count >= full ? [palette.good, 1] : [palette.near, 0.25 + (0.6 * count) / full];
}

/* The cells of a rank as a bar from one point to another, `width` wide. */
function drawCells(pen, pane, hold, rank, x1, y1, x2, y2, width) {
  const length = Math.hypot(x2 - x1, y2 - y1), n = Math.min(pane.cells, Math.max(1, Math.floor(length / 1.5)));
  const ux = (x2 - x1) / n, uy = (y2 - y1) / n, gap = length / n > 4 ? 0.88 : 1;
  const wx = (-(y2 - y1) / length) * width / 2, wy = ((x2 - x1) / length) * width / 2;
  for (let k = 0; k < n; k++) {
    const first = Math.floor((k * pane.cells) / n), last = Math.max(first + 1, Math.floor(((k + 1) * pane.cells) / n));
    let least = Infinity, most = 0;
    for (let c = first; c < last; c++) {
      const v = hold[rank * pane.cells + c];
      least = Math.min(least, v);
      most = Math.max(most, v);
    }
    const [colour, alpha] = cellColour(pane, most === least ? most : Math.max(1, Math.floor((most + least) / 2)));
    const ax = x1 + ux * k, ay = y1 + uy * k, bx = ax + ux * gap, by = ay + uy * gap;
    pen.poly([[ax - wx, ay - wy], [bx - wx, by - wy], [bx + wx, by + wy], [ax + wx, ay + wy]], colour, alpha);
  }
}

function nodeLabel(pane, node) {
  if (state.negabinary && node.ranks.length === 1 && pane.rank2nb) return pane.rank2nb[node.ranks[0]];
  return node.label;
}
const isSelectedRank = (pane, node) => selection?.rank !== undefined && node.ranks.includes(selection.rank);
const isSelectedRow = (pane, row) => selection?.row === row && selection.pane === pane.number;

/* How strongly an arrow is drawn, given what is followed and selected. */
function arrowAlpha(pane, arrow, follow) {
  if (isSelectedRow(pane, arrow.row)) return 1;
  if (follow && !pane.graph.sets) return follow.has(arrow.row) ? 1 : 0.12;
  if (selection?.rank !== undefined && !pane.graph.sets)
    return pane.from(arrow.row) === selection.rank || pane.to(arrow.row) === selection.rank ? 1 : 0.18;
  return 0.85;
}
const followedRows = (pane) => (state.block === "" ? null : pane.following(Number(state.block)));

/* Ranks on a circle, in their groups; what they hold grows outwards. */
const ring = {
  name: "Ranks", key: "ring",
  geometry(pane, w, h) {
    const n = pane.graph.nodes.length, bars = pane.cells > 0;
    const half = Math.min(w, h) / 2, label = Math.max(8, Math.min(13, (half * 2.2) / n + 5));
    const outer = half - label * (pane.graph.sets ? 3.2 : state.negabinary ? 2.4 : 1.5), bar = bars ? outer * (n > 40 ? 0.3 : 0.26) : 0, r = outer - bar - 12;
    const cuts = pane.graph.nodes.filter((x, i) => x.group !== pane.graph.nodes[(i + 1) % n].group).length;
    const gaps = cuts > 1 && cuts <= n / 2 ? cuts : 0, slots = n + gaps * 0.7;
    let slot = 0;
    const node = pane.graph.nodes.map((x, i) => {
      const a = (2 * Math.PI * slot) / slots - Math.PI / 2;
      slot += 1 + (gaps && x.group !== pane.graph.nodes[(i + 1) % n].group ? 0.7 : 0);
      return { a, x: w / 2 + r * Math.cos(a), y: h / 2 + r * Math.sin(a) };
    });
    const size = Math.max(2.5, Math.min(16, (Math.PI * r) / slots * 0.72));
    return { cx: w / 2, cy: h / 2, r, bar, size, node, label, width: Math.max(1.5, Math.min(22, ((2 * Math.PI * (r + 14)) / slots) * 0.7)) };
  },
  curve(g, arrow) {
    const a = g.node[arrow.from], b = g.node[arrow.to];
    const mx = (a.x + b.x) / 2, my = (a.y + b.y) / 2;
    const near = Math.hypot(a.x - b.x, a.y - b.y) / (2 * g.r), pull = 0.25 + 0.35 * (1 - near);
    const side = 0.06; /* both directions between two ranks stay apart */
    return [a.x, a.y, mx + (g.cx - mx) * pull - (b.y - a.y) * side, my + (g.cy - my) * pull + (b.x - a.x) * side, b.x, b.y];
  },
  still(pen, pane, g, steps) {
    const hold = pane.hold(steps);
    pane.graph.nodes.forEach((node, i) => {
      const { a } = g.node[i], c = Math.cos(a), s = Math.sin(a), from = g.r + g.size + 3, to = from + g.bar;
      if (hold) drawCells(pen, pane, hold, i, g.cx + from * c, g.cy + from * s, g.cx + to * c, g.cy + to * s, g.width);
    });
  },
  draw(pen, pane, g, at, hits) {
    const time = stepUnderWay(at), part = at === 0 ? 0 : at - time, follow = followedRows(pane);
    if (pane.steps > 0 && part > 0)
      for (const arrow of arrowsOf(pane, time)) {
        if (arrow.from === arrow.to) continue;
        const c = ring.curve(g, arrow), alpha = arrowAlpha(pane, arrow, follow), colour = messageColour(pane, arrow.row);
        const width = arrowWidth(pane, arrow, g.size > 8 ? 1 : 0.6) * (arrow.far ? 1.15 : 1);
        if (part < 1) pen.curve(...c, colour, Math.max(0.6, width * 0.5), alpha * 0.25);
        const k = curvePart(...c, ease(part));
        pen.curve(...k, colour, width, alpha * (part < 1 ? 0.9 : 0.75));
        const length = Math.hypot(c[2] - c[0], c[3] - c[1]) + Math.hypot(c[4] - c[2], c[5] - c[3]);
        const edge = curvePart(...c, Math.max(0.1, 1 - (g.size + 1) / Math.max(1, length)));
        if (part < 1) pen.circle(k[4], k[5], 1.5 + width, colour, palette.page, 1, alpha);
        else arrowHead(pen, edge[2], edge[3], edge[4], edge[5], 4 + width * 1.6, colour, alpha);
        hits?.push({ row: arrow.row, arrow, points: [0.2, 0.35, 0.5, 0.65, 0.8].map((x) => curvePart(...c, x).slice(4)) });
      }
    pane.graph.nodes.forEach((node, i) => {
      const { x, y, a } = g.node[i], chosen = isSelectedRank(pane, node);
      pen.circle(x, y, g.size, palette.page, groupColour(pane, node.group), Math.max(1.5, g.size / 4));
      if (chosen) pen.circle(x, y, g.size * 0.55, palette.mark);
      const inside = g.size >= 9 && !pane.graph.sets && !state.negabinary, d = g.r + g.size + g.bar + 5 + g.label * 0.7;
      if (inside) pen.text(node.label, x, y, Math.min(g.size * 0.95, 13), chosen ? palette.page : palette.ink);
      else if ((pane.graph.nodes.length <= 72 && !pane.graph.sets) || i % Math.ceil(pane.graph.nodes.length / 16) === 0) {
        const align = Math.abs(Math.cos(a)) < 0.3 ? "center" : Math.cos(a) > 0 ? "left" : "right";
        const shift = align === "center" || !pane.graph.sets ? 0 : align === "left" ? -g.label * 0.6 : g.label * 0.6;
        pen.text(nodeLabel(pane, node), g.cx + d * Math.cos(a) + shift, g.cy + d * Math.sin(a), g.label, palette.soft, pane.graph.sets ? align : "center");
      }
      hits?.push({ node, x, y, r: g.size + 4 });
    });
    drawGroupNames(pen, pane, g);
  },
};

function drawGroupNames(pen, pane, g) {
  if (pane.graph.sets || pane.groups.length < 2 || pane.groups.length > 12 || g.r < 90) return;
  pane.groups.forEach((name, k) => {
    let x = 0, y = 0, n = 0;
    pane.graph.nodes.forEach((node, i) => {
      if (node.group !== k) return;
      x += Math.cos(g.node[i].a);
      y += Math.sin(g.node[i].a);
      n++;
    });
    const length = Math.hypot(x, y);
    if (length < 0.6 * n) return; /* its ranks are all around */
    const r = g.r - g.size - 12 - 26 * Math.abs(x / length);
    pen.text(/^\d/.test(name) ? `group ${name}` : name, g.cx + (r * x) / length, g.cy + (r * y) / length, 11, groupColour(pane, k), "center", 0.9);
  });
}

/* Ranks from left to right, time downwards: all messages, or those of one block. */
function columns(pane, w, h, first) {
  const n = pane.graph.nodes.length, left = 46, top = 34, cells = pane.cells > 0 ? Math.min(70, h * 0.16) : 0;
  const x = pane.graph.nodes.map((_, i) => left + ((w - left - 14) * (((i - first + n) % n) + 0.5)) / n);
  const bottom = h - cells - 16, y = (t) => top + ((bottom - top) * t) / Math.max(1, pane.steps);
  return { x, y, top, bottom, left, cells, gap: (w - left - 14) / n, w, h };
}

function drawColumns(pen, pane, g, at, rows, hits, isTree) {
  const dense = g.gap < 13;
  const every = Math.max(1, Math.ceil((state.negabinary ? 34 : 16) / g.gap)), size = Math.max(7, Math.min(13, g.gap * 0.55 + 4));
  pane.graph.nodes.forEach((node, i) => {
    if (!isTree) pen.line(g.x[i], g.top, g.x[i], g.bottom, palette.faint, 1);
    if (i % every === 0) pen.text(nodeLabel(pane, node), g.x[i], g.top - 13, size, isSelectedRank(pane, node) ? palette.mark : palette.soft);
    pen.line(g.x[i] - g.gap * 0.42, g.top - 4, g.x[i] + g.gap * 0.42, g.top - 4, groupColour(pane, node.group), 4);
    hits?.push({ node, x: g.x[i], y: g.top - 8, r: Math.max(8, g.gap / 2) });
  });
  const rowsEvery = Math.max(1, Math.ceil((14 * pane.steps) / (g.bottom - g.top)));
  for (let t = 0; t <= pane.steps; t++) {
    pen.line(g.left - 6, g.y(t), g.w - 10, g.y(t), palette.faint, 1, 0.7);
    if (t < pane.steps && t % rowsEvery === 0) pen.text(String(t), g.left - 14, (g.y(t) + g.y(t + 1)) / 2, 11, palette.soft, "right");
  }
  const follow = isTree ? null : followedRows(pane);
  for (let t = 0; t < pane.steps; t++) drawStepOfColumns(pen, pane, g, t, at, rows, follow, hits, isTree, dense);
}

/* What the ranks hold, below their columns. */
function drawHeld(pen, pane, g, steps) {
  const hold = pane.hold(steps), width = Math.max(1, Math.min(18, g.gap * 0.75));
  if (!hold) return;
  for (let i = 0; i < pane.p; i++) drawCells(pen, pane, hold, i, g.x[i], g.bottom + 10, g.x[i], g.bottom + 10 + g.cells, width);
}

function drawStepOfColumns(pen, pane, g, t, at, rows, follow, hits, isTree, dense) {
  const part = Math.max(0, Math.min(1, at - t));
  for (const arrow of arrowsOf(pane, t)) {
    if ((rows && !rows.has(arrow.row)) || arrow.from === arrow.to) continue;
    const x1 = g.x[arrow.from], x2 = g.x[arrow.to], y1 = g.y(t) + 1, y2 = g.y(t + 1) - (isTree ? 7 : 2);
    const colour = messageColour(pane, arrow.row), strength = arrowAlpha(pane, arrow, follow);
    const width = arrowWidth(pane, arrow, dense ? 0.6 : 0.9), ex = x1 + (x2 - x1) * ease(part), ey = y1 + (y2 - y1) * ease(part);
    pen.line(x1, y1, x2, y2, colour, Math.max(0.6, width * 0.6), 0.16 * strength);
    if (part > 0) pen.line(x1, y1, ex, ey, colour, width, strength);
    if (part === 1 && !dense) arrowHead(pen, x1, y1, x2, y2, 5 + width, colour, strength);
    if (part > 0 && part < 1) pen.circle(ex, ey, 1.5 + width, colour, palette.page, 1, strength);
    hits?.push({ row: arrow.row, arrow, points: [0.25, 0.5, 0.75].map((k) => [x1 + (x2 - x1) * k, y1 + (y2 - y1) * k]) });
  }
}

const butterfly = {
  name: "Butterfly", key: "butterfly",
  geometry: (pane, w, h) => columns(pane, w, h, 0),
  still: drawHeld,
  draw(pen, pane, g, at, hits) { drawColumns(pen, pane, g, at, null, hits, false); },
};

const tree = {
  name: "Tree", key: "tree",
  rows(pane) { return pane.following(treeBlock(pane)); },
  geometry(pane, w, h) {
    const rows = tree.rows(pane) ?? pane.byTime.flat();
    return columns(pane, w, h, pane.graph.sets ? 0 : bestCut(pane, rows));
  },
  still: drawHeld,
  draw(pen, pane, g, at, hits) {
    const rows = tree.rows(pane);
    drawColumns(pen, pane, g, at, rows, hits, true);
    if (pane.graph.sets) return;
    const seen = new Map(); /* of each rank: where it is first, and last, in the tree */
    pane.byTime.forEach((list, t) => {
      for (const i of list) {
        if (rows && !rows.has(i)) continue;
        for (const [rank, y] of [[pane.from(i), g.y(t)], [pane.to(i), g.y(t + 1) - 6]]) {
          const s = seen.get(rank) ?? [y, y];
          seen.set(rank, [Math.min(s[0], y), Math.max(s[1], y)]);
        }
      }
    });
    const r = Math.max(3, Math.min(10, g.gap * 0.42));
    for (const [rank, [y1, y2]] of seen) {
      const shown = (y1 - g.top) / (g.bottom - g.top) <= at / Math.max(1, pane.steps) + 0.02;
      pen.line(g.x[rank], y1, g.x[rank], y2, palette.soft, 1.2, shown ? 0.8 : 0.2);
      pen.circle(g.x[rank], y1, r, palette.page, groupColour(pane, pane.group[rank]), 2, shown ? 1 : 0.3);
      if (r > 6) pen.text(String(rank), g.x[rank], y1, r, palette.ink, "center", shown ? 1 : 0.4);
      hits?.push({ node: pane.graph.nodes[rank], x: g.x[rank], y: y1, r: r + 3 });
    }
  },
};

/* Ranks on the grid of their torus: the last dimension to the right, the one before it down, all others in planes. */
const torus = {
  name: "Torus", key: "torus",
  geometry(pane, w, h) {
    if (!pane.dims.length || pane.graph.sets) return { none: true, w, h };
    const d = pane.dims.length === 1 ? [1, ...pane.dims] : pane.dims, nx = d.at(-1), ny = d.at(-2);
    const planes = pane.p / (nx * ny), across = Math.ceil(Math.sqrt((planes * w * ny) / (h * nx)) - 0.001) || 1;
    const cols = Math.min(planes, across), lines = Math.ceil(planes / cols), unit = Math.min(w / (cols * (nx + 1)), h / (lines * (ny + 1)), 90);
    const ox = (w - unit * cols * (nx + 1)) / 2, oy = (h - unit * lines * (ny + 1)) / 2;
    const node = pane.graph.nodes.map((_, r) => {
      const x = r % nx, y = Math.floor(r / nx) % ny, plane = Math.floor(r / (nx * ny));
      return { x: ox + unit * ((plane % cols) * (nx + 1) + x + 1), y: oy + unit * (Math.floor(plane / cols) * (ny + 1) + y + 1), plane, cx: x, cy: y };
    });
    return { node, unit, nx, ny, planes, size: Math.max(3, Math.min(17, unit * 0.26)), w, h };
  },
  /* The ends of a message: once from the sender and, if it leaves the plane at its edge, once more to the receiver. */
  lines(g, a, b) {
    if (a.plane !== b.plane) return [[a.x, a.y, b.x, b.y]];
    const way = (from, to, n) => { let d = (to - from + n) % n; if (d > n / 2) d -= n; return d; };
    const dx = way(a.cx, b.cx, g.nx), dy = way(a.cy, b.cy, g.ny), wraps = dx !== b.cx - a.cx || dy !== b.cy - a.cy;
    if (!wraps) return [[a.x, a.y, b.x, b.y]];
    const out = (c, d, n) => (d > 0 ? (n - 0.45 - c) / d : d < 0 ? (-0.55 - c) / d : Infinity);
    const k = Math.min(1, out(a.cx, dx, g.nx), out(a.cy, dy, g.ny)), m = Math.min(1, out(b.cx, -dx, g.nx), out(b.cy, -dy, g.ny));
    return [[a.x, a.y, a.x + dx * k * g.unit, a.y + dy * k * g.unit], [b.x - dx * m * g.unit, b.y - dy * m * g.unit, b.x, b.y]];
  },
  draw(pen, pane, g, at, hits) {
    if (g.none) {
      const why = pane.graph.sets ? `The torus is drawn for up to ${NODES_MOST} ranks.` : "These ranks are on no torus: give its dimensions, as in 4x4.";
      pen.text(why, g.w / 2, g.h / 2, 14, palette.soft);
      return;
    }
    const time = stepUnderWay(at), part = at === 0 ? 0 : at - time, follow = followedRows(pane);
    for (const [i, n] of g.node.entries())
      for (const j of [n.cx + 1 < g.nx ? i + 1 : -1, n.cy + 1 < g.ny ? i + g.nx : -1])
        if (j >= 0) pen.line(n.x, n.y, g.node[j].x, g.node[j].y, palette.faint, 1);
    if (pane.steps > 0 && part > 0)
      for (const arrow of arrowsOf(pane, time)) {
        const a = g.node[arrow.from], b = g.node[arrow.to], colour = messageColour(pane, arrow.row), alpha = arrowAlpha(pane, arrow, follow);
        const width = arrowWidth(pane, arrow, 0.9), lines = torus.lines(g, a, b);
        lines.forEach(([x1, y1, x2, y2], k) => {
          const own = Math.max(0, Math.min(1, ease(part) * lines.length - k)), bend = 0.16;
          const c = [x1, y1, (x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend, x2, y2];
          pen.curve(...c, colour, width * 0.5, alpha * 0.25);
          if (own > 0) pen.curve(...curvePart(...c, own), colour, width, alpha);
          if (own === 1 && k === lines.length - 1) {
            const e = curvePart(...c, Math.max(0.05, 1 - g.size / Math.max(g.size, Math.hypot(x2 - x1, y2 - y1))));
            arrowHead(pen, e[2], e[3], e[4], e[5], 5 + width, colour, alpha);
          }
          hits?.push({ row: arrow.row, arrow, points: [curvePart(...c, 0.5).slice(4)] });
        });
      }
    const hold = pane.hold(Math.floor(at));
    pane.graph.nodes.forEach((node, i) => {
      const { x, y } = g.node[i];
      pen.circle(x, y, g.size, palette.page, groupColour(pane, node.group), 2);
      if (isSelectedRank(pane, node)) pen.circle(x, y, g.size * 0.6, palette.mark);
      if (g.size > 7) pen.text(nodeLabel(pane, node), x, y, g.size * 0.85, palette.ink);
      if (hold && g.unit > 34) drawCells(pen, pane, hold, i, x - g.unit * 0.3, y + g.size + 5, x + g.unit * 0.3, y + g.size + 5, 6);
      hits?.push({ node, x, y, r: g.size + 3 });
    });
  },
};

/* Ranks from top to bottom, the model's time to the right. */
const LINES_MOST = 20000;
const spaceTime = {
  name: "Space-time", key: "time",
  geometry(pane, w, h) {
    const left = 44, top = 12, bottom = h - 30, end = Math.max(...panes.map((x) => x.seconds), 1e-9);
    return { left, top, bottom, end, w, h, x: (s) => left + ((w - left - 16) * s) / end, y: (r) => top + ((bottom - top) * (r + 0.5)) / pane.p };
  },
  draw(pen, pane, g, at, hits) {
    const now = (pane.seconds * at) / Math.max(1, pane.steps), follow = followedRows(pane);
    const every = Math.ceil((12 * pane.p) / (g.bottom - g.top));
    for (let r = 0; r < pane.p; r++) {
      if (pane.p <= NODES_MOST) pen.line(g.left, g.y(r), g.w - 16, g.y(r), palette.faint, 1, 0.8);
      if (r % every === 0) pen.text(String(r), g.left - 14, g.y(r), 10, selection?.rank === r ? palette.mark : palette.soft, "right");
      if (pane.p <= NODES_MOST) pen.line(g.left - 7, g.y(r) - 3, g.left - 7, g.y(r) + 3, groupColour(pane, pane.group[r]), 4);
      if (pane.p <= NODES_MOST) hits?.push({ node: pane.graph.nodes[r], x: g.left - 14, y: g.y(r), r: 9 });
    }
    for (let k = 0; k <= 4; k++) {
      pen.line(g.x((g.end * k) / 4), g.bottom, g.x((g.end * k) / 4), g.bottom + 4, palette.soft);
      pen.text(k === 0 ? "0" : formatTime((g.end * k) / 4), g.x((g.end * k) / 4), g.bottom + 15, 11, palette.soft, k === 4 ? "right" : "center");
    }
    const rows = pane.byTime.flat().filter((i) => pane.left(i) >= 0), skip = Math.ceil(rows.length / LINES_MOST);
    for (let k = 0; k < rows.length; k += skip) {
      const i = rows[k], a = pane.left(i), b = pane.arrived(i), alpha = arrowAlpha(pane, { row: i }, follow);
      const x1 = g.x(a), y1 = g.y(pane.from(i)), x2 = g.x(b), y2 = g.y(pane.to(i)), gone = b > a ? Math.max(0, Math.min(1, (now - a) / (b - a))) : 1;
      const colour = messageColour(pane, i), many = rows.length > 600;
      pen.line(x1, y1, x2, y2, colour, 1, alpha * (many ? 0.06 : 0.18));
      if (gone > 0 && now >= a) pen.line(x1, y1, x1 + (x2 - x1) * gone, y1 + (y2 - y1) * gone, colour, many ? 0.8 : 1.4, alpha * (many ? 0.5 : 0.9));
      if (!many) hits?.push({ row: i, arrow: { row: i, count: 1 }, points: [0.25, 0.5, 0.75].map((q) => [x1 + (x2 - x1) * q, y1 + (y2 - y1) * q]) });
    }
    pen.line(g.x(now), g.top - 6, g.x(now), g.bottom, palette.mark, 1.5);
    pen.line(g.x(pane.seconds), g.top - 6, g.x(pane.seconds), g.bottom, palette.ink, 1, 0.5);
  },
};

const views = [ring, tree, butterfly, torus, spaceTime];
const viewOf = (key) => views.find((v) => v.key === key) ?? ring;
