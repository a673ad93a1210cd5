/* Where things stand: nodes, which are ranks or, of many ranks, sets of them; and the colours. */
const NODES_MOST = 128; /* ranks that are drawn one by one; see BINE_HOLD_RANKS */
const SETS_MOST = 64;

let palette = {};
function readPalette() {
  const css = getComputedStyle(document.documentElement);
  palette = {};
  for (const name of ["page", "ink", "soft", "faint", "near", "far", "board", "good", "mark", "cell"])
    palette[name] = css.getPropertyValue("--" + name).trim();
}
const groupColour = (pane, g) => `hsl(${Math.round((360 * g) / Math.max(1, pane.groups.length) + 205) % 360} 45% 55%)`;
function messageColour(pane, i) {
  if (pane.get(i, ROLE) === READS) return palette.board;
  return pane.get(i, CROSSES) ? palette.far : palette.near;
}

/* Each rank a node, or groups, or runs of ranks. */
function makeNodes(pane) {
  const p = pane.p, nodeOf = new Int32Array(p);
  let nodes;
  if (p <= NODES_MOST) {
    nodes = Array.from({ length: p }, (_, r) => ({ ranks: [r], label: String(r), group: pane.group[r] }));
    for (let r = 0; r < p; r++) nodeOf[r] = r;
    return { nodes, nodeOf, sets: false };
  }
  const byGroup = pane.groups.length > 1 && pane.groups.length <= SETS_MOST;
  const length = Math.ceil(p / SETS_MOST);
  nodes = Array.from({ length: byGroup ? pane.groups.length : Math.ceil(p / length) }, () => ({ ranks: [] }));
  for (let r = 0; r < p; r++) {
    nodeOf[r] = byGroup ? pane.group[r] : Math.floor(r / length);
    nodes[nodeOf[r]].ranks.push(r);
  }
  for (const n of nodes) {
    n.group = pane.group[n.ranks[0]];
    n.label = byGroup ? pane.groups[n.group] : `${n.ranks[0]}-${n.ranks.at(-1)}`;
  }
  return { nodes, nodeOf, sets: true };
}

/* The arrows of one step between nodes: one a message, or all messages between two sets together. */
function arrowsOf(pane, time) {
  const made = (pane.arrows ??= new Map());
  if (made.has(time)) return made.get(time);
  const { nodeOf, sets } = pane.graph;
  let list = [];
  if (!sets) list = pane.byTime[time].map((i) => ({ row: i, from: pane.from(i), to: pane.to(i), bytes: pane.bytesOf(i), count: 1, far: pane.get(i, CROSSES) }));
  else {
    const joined = new Map();
    for (const i of pane.byTime[time]) {
      const from = nodeOf[pane.from(i)], to = nodeOf[pane.to(i)], key = from * 4096 + to;
      const a = joined.get(key) ?? { row: i, from, to, bytes: 0, count: 0, far: 0 };
      a.bytes += pane.bytesOf(i);
      a.count++;
      a.far |= pane.get(i, CROSSES);
      joined.set(key, a);
    }
    list = [...joined.values()];
  }
  made.set(time, list);
  return list;
}

function thickest(pane) {
  if (!pane.thickest) {
    pane.thickest = 1;
    for (let t = 0; t < pane.steps; t++) for (const a of arrowsOf(pane, t)) pane.thickest = Math.max(pane.thickest, a.bytes);
  }
  return pane.thickest;
}
function arrowWidth(pane, arrow, scale) {
  return (0.8 + 3.2 * Math.sqrt(arrow.bytes / thickest(pane))) * scale;
}

/* Which rank stands leftmost, so that arrows are short: where the fewest arrows pass over. */
function bestCut(pane, rows) {
  const p = pane.p;
  if (p > NODES_MOST) return 0;
  const over = new Float64Array(p + 1);
  for (const i of rows) {
    const from = pane.from(i), to = pane.to(i), up = (to - from + p) % p;
    const [begin, length] = up <= p - up ? [from, up] : [to, p - up];
    for (let k = 1; k <= length; k++) over[(begin + k) % p]++; /* a cut before that rank would cross it */
  }
  let best = 0;
  for (let r = 1; r < p; r++) if (over[r] < over[best]) best = r;
  return best;
}

/* The block whose tree is shown: the one that is followed, or the first. */
function treeBlock(pane) {
  const wanted = state.block === "" ? null : Number(state.block);
  if (wanted !== null) return wanted < pane.blocks ? wanted : null;
  return ["scatter", "gather", "alltoall"].includes(pane.collective) ? null : 0;
}

const formatBytes = (n) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let u = 0;
  while (n >= 1024 && u < 4) { n /= 1024; u++; }
  return (u === 0 || n % 1 === 0 ? String(Math.round(n)) : n.toFixed(n < 10 ? 2 : 1)) + " " + units[u];
};
const formatTime = (s) => (s >= 1 ? s.toPrecision(3) + " s" : s >= 1e-3 ? (s * 1e3).toPrecision(3) + " ms" : (s * 1e6).toPrecision(3) + " µs");
const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
