/* What is said in words: figures under each pane, the selected rank or message, the proof, what is left out. */
const $ = (id) => document.getElementById(id);
const element = (tag, words = "", attributes = {}) => {
  const e = document.createElement(tag);
  e.textContent = words;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};
let selection = null; /* { rank } or { pane, row } */

const betweenWord = (pane) => (pane.dims.length && pane.groups.length === pane.p ? "nodes" : "groups");
const times = (x) => (x >= 100 ? x.toFixed(0) : x.toFixed(2));

/* Bytes between groups: so far, in all, and the least that any algorithm can do with. */
function figures(pane, at) {
  const done = Math.floor(at), total = pane.crossed.at(-1), most = Math.max(...panes.map((x) => x.crossed.at(-1)), pane.bound, 1);
  const shown = Math.ceil(at) > 0 ? pane.byTime[Math.ceil(at) - 1] : [];
  const far = shown.filter((i) => pane.get(i, CROSSES)).length, reads = shown.filter((i) => pane.get(i, ROLE) === READS).length;
  const counted = reads === 0 ? plural(shown.length, "message") : reads === shown.length ? `${plural(reads, "read")} of boards` : `${plural(shown.length - reads, "message")}, ${plural(reads, "read")} of boards`;
  return {
    far: pane.crossed[done], total, bound: pane.bound, most, done,
    shown: `${counted}, ${far.toLocaleString("en")} between ${betweenWord(pane)}`,
    ratio: pane.bound > 0 ? `${times(total / pane.bound)} × the least` : total > 0 ? "" : "nothing to save",
  };
}

function showFigures(pane, at) {
  const box = $("figures" + pane.number), f = figures(pane, at), percent = (x) => (100 * x) / f.most + "%";
  box.querySelector(".step").textContent = Math.ceil(at) === 0 ? `Start of ${plural(pane.steps, "step")}` : `Step ${Math.ceil(at) - 1} of 0 to ${pane.steps - 1}: ${f.shown}`;
  box.querySelector(".so-far").textContent = `${formatBytes(f.far)} of ${formatBytes(f.total)} between ${betweenWord(pane)}`;
  box.querySelector(".least").textContent = `least possible ${formatBytes(f.bound)}${f.ratio ? "; in all " + f.ratio : ""}`;
  box.querySelector(".all").style.width = percent(f.total);
  box.querySelector(".now").style.width = percent(f.far);
  box.querySelector(".bound").style.left = percent(f.bound);
  const busy = pane.seconds > 0 ? Math.round((100 * pane.busy) / pane.seconds) : 0;
  box.querySelector(".time").textContent = `${pane.measured ? "measured" : "model"}: ${formatTime(pane.seconds)}` + (busy >= 50 ? `; ${pane.busiest} is busy ${busy} % of it` : "");
}

/* The shape of a rank or message in words. */
function showSelection() {
  const box = $("details");
  box.replaceChildren();
  if (!selection) {
    box.append(element("p", "Click a rank or a message, or choose one from the table below."));
    return;
  }
  for (const pane of panes) {
    if (selection.rank !== undefined && selection.rank < pane.p) box.append(rankDetails(pane, selection.rank));
    if (selection.pane === pane.number && selection.row < pane.count) box.append(messageDetails(pane, selection.row));
  }
}

function rankDetails(pane, rank) {
  const part = element("section"), steps = Math.ceil(position);
  part.append(element("h3", `${pane.algorithm}: rank ${rank}`));
  const facts = [`group ${pane.groups[pane.group[rank]]}`];
  if (pane.rank2nb) facts.push(`negabinary ${pane.rank2nb[rank]}`, `nu ${pane.nu[rank]}`);
  if (pane.dims.length) facts.push(`at ${coordinates(pane, rank).join(", ")} of the torus`);
  part.append(element("p", facts.join("; ")));
  const held = pane.cells ? pane.holds(rank, steps) : [];
  if (pane.cells) {
    const words = pane.collective === "alltoall" ? "blocks for it, by sender" : "blocks";
    part.append(element("p", `After ${plural(steps, "step")} it holds ${held.length} of ${plural(pane.cells, words)}:`));
    const list = element("ul", "", { class: "blocks" });
    for (const [cell, from] of held.slice(0, 40)) {
      const name = pane.collective === "alltoall" ? `from ${pane.parts > 1 ? cell / pane.parts : cell}` : `block ${cell}`;
      list.append(element("li", pane.reduces ? `${name}: sum of ${from}` : pane.collective === "alltoall" ? name : `${name} of rank ${from}`));
    }
    if (held.length > 40) list.append(element("li", `and ${held.length - 40} more`));
    part.append(list);
  }
  const lines = [];
  for (let i = 0; i < pane.count && lines.length < 400; i++) {
    if (pane.get(i, RANK) === rank) lines.push([pane.get(i, TIME), pane.line(rank, pane.get(i, OP))]);
    if (pane.get(i, PEER) === rank && pane.get(i, OTHER_OP) >= 0) lines.push([pane.get(i, TIME), pane.line(rank, pane.get(i, OTHER_OP))]);
  }
  lines.sort((a, b) => a[0] - b[0]);
  part.append(element("pre", lines.map((x) => x[1]).join("\n") || "nothing to do", { tabindex: "0", "aria-label": `the schedule of rank ${rank}` }));
  return part;
}

function coordinates(pane, rank) {
  const at = [];
  for (let k = pane.dims.length - 1; k >= 0; k--) {
    at.unshift(rank % pane.dims[k]);
    rank = Math.floor(rank / pane.dims[k]);
  }
  return at;
}

function distance(pane, from, to) {
  const up = (to - from + pane.p) % pane.p;
  return Math.min(up, pane.p - up);
}

function messageDetails(pane, i) {
  const part = element("section"), from = pane.from(i), to = pane.to(i);
  const name = pane.get(i, ROLE) === READS ? "read of a board" : "message";
  part.append(element("h3", `${pane.algorithm}: ${name} from ${from} to ${to}, step ${pane.get(i, TIME)}`));
  const facts = [formatBytes(pane.bytesOf(i)), `distance ${distance(pane, from, to)}`,
    pane.get(i, CROSSES) ? `from group ${pane.groups[pane.group[from]]} to ${pane.groups[pane.group[to]]}` : "inside its group"];
  if (pane.rank2nb) facts.push(`negabinary ${pane.rank2nb[from]} to ${pane.rank2nb[to]}`);
  if (pane.left(i) >= 0) facts.push(`${pane.measured ? "measured" : "model"}: leaves at ${formatTime(pane.left(i))}, there at ${formatTime(pane.arrived(i))}`);
  part.append(element("p", facts.join("; ")));
  let lines = `rank ${pane.get(i, RANK)}  ${pane.line(pane.get(i, RANK), pane.get(i, OP))}`;
  if (pane.get(i, OTHER_OP) >= 0) lines += `\nrank ${to}  ${pane.line(to, pane.get(i, OTHER_OP))}`;
  part.append(element("pre", lines, { tabindex: "0", "aria-label": "the lines of the schedule" }));
  return part;
}

/* The messages of the step as a table, for eyes and screen readers. */
const TABLE_MOST = 200;
function showTable() {
  const box = $("messages");
  box.replaceChildren();
  for (const pane of panes) {
    const t = Math.ceil(position) - 1, list = t >= 0 && t < pane.steps ? pane.byTime[t] : [], other = pane.other[t + 1] ?? [];
    const table = element("table");
    table.append(element("caption", `${pane.algorithm}, ${t < 0 ? "before the first step" : "step " + t}: ${plural(list.length + other.length, "operation")}`));
    const head = table.createTHead().insertRow();
    for (const name of ["from", "to", "operation", "bytes", "between " + betweenWord(pane)]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const i of [...list, ...other].slice(0, TABLE_MOST)) {
      const row = body.insertRow(), isMessage = pane.get(i, ROLE) <= READS;
      const from = isMessage ? pane.from(i) : pane.get(i, RANK), kind = pane.get(i, OTHER_KIND) >= 0 ? `${pane.kind(i)}, ${about.kinds[pane.get(i, OTHER_KIND)]}` : pane.kind(i);
      const button = element("button", String(from), { type: "button", "data-pane": pane.number, "data-row": i, "aria-label": `operation of rank ${from}: details` });
      row.insertCell().append(button);
      for (const words of [isMessage ? pane.to(i) : "", kind, formatBytes(pane.bytesOf(i)), isMessage ? (pane.get(i, CROSSES) ? "yes" : "no") : ""]) row.insertCell().textContent = words;
    }
    box.append(table);
    if (list.length + other.length > TABLE_MOST) box.append(element("p", `The table leaves out ${list.length + other.length - TABLE_MOST} more.`));
  }
}

/* What a reader might miss otherwise. */
function showNotes() {
  const notes = [];
  const first = panes[0];
  if (panes.some((x) => x.graph.sets)) notes.push(`More than ${NODES_MOST} ranks: each circle stands for several, each arrow for all messages between two of them (messages inside one circle are not drawn), and what ranks hold is not shown.`);
  if (state.view === "tree") {
    for (const pane of panes) {
      const block = treeBlock(pane);
      notes.push(block === null ? `${pane.algorithm}: the messages of all blocks.` : `${pane.algorithm}: only messages with block ${block} are shown.`);
    }
  }
  if (state.view === "time") {
    if (isMeasured()) notes.push("On the right is one call as it was recorded (BINE_TIMELINE), from when its last rank came: a message leaves when it is posted, and is there when the receiver finds it.");
    notes.push("Times are the model's, for choosing between algorithms: measure before you claim. They run on the machine's rates or, where none are known, on those of a network of 100 Gbit/s.");
    for (const pane of panes) {
      const n = pane.byTime.flat().length;
      if (n > LINES_MOST) notes.push(`${pane.algorithm}: one message in ${Math.ceil(n / LINES_MOST)} is drawn.`);
      if (pane.byTime.flat().some((i) => pane.left(i) < 0)) notes.push(pane.measured ? `${pane.algorithm}: of some messages nothing was recorded; they are not drawn.` : `${pane.algorithm}: the model says nothing about reads of boards here; they are not drawn.`);
    }
  } else notes.push("Steps are drawn in lockstep. Real ranks do not wait for each other between steps; the space-time view shows the model's times.");
  if (first.collective === "alltoall" && state.block !== "") notes.push("The blocks of an alltoall lie in slots without numbers: none can be followed.");
  notes.push("Schedules are not in place. Messages inside ranks (copies, permutations) are in the table, not in the picture.");
  $("notes").replaceChildren(...notes.map((n) => element("li", n)));
}

/* The real proof, in the page. */
function proveAll() {
  const box = $("proof");
  box.replaceChildren();
  for (const pane of panes) {
    const begin = performance.now(), v = pane.prove(), ms = performance.now() - begin;
    const where = v.rank >= 0 ? ` (rank ${v.rank}, step ${v.time})` : "";
    const words = v.proved
      ? `${pane.algorithm}: proved, in place and not, in ${ms.toFixed(ms < 10 ? 1 : 0)} ms. ${plural(v.messages, "transfer")}, ${plural(v.pieces, "piece")} received: every rank ends with exactly its data, each contribution once, without deadlock.`
      : `${pane.algorithm}: NOT proved${where}: ${v.message}`;
    box.append(element("p", words, { class: v.proved ? "proved" : "wrong" }));
  }
}
