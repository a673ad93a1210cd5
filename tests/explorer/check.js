// The page in a real browser, against the command: check.js CHROMIUM PAGE BINE [FOLDER for pictures]
// Ends with "N passed, M failed".
"use strict";
const { Browser } = require("./browser.js");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const zlib = require("node:zlib");

const [, , chromium, page, bine, pictures] = process.argv;
const url = "file://" + path.resolve(page);
let passed = 0, failed = 0;
function expect(name, got, wanted = true) {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return passed++;
  failed++;
  console.log(`FAILED: ${name}\n  expected ${JSON.stringify(wanted)?.slice(0, 600)}\n  got      ${JSON.stringify(got)?.slice(0, 600)}`);
}
const command = (...words) => execFileSync(bine, words, { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, BINE_MACHINES: "" } });
function table(text) {
  const [head, ...rows] = text.trimEnd().split("\n").map((line) => [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)].map((m) => m[2] ?? m[1]));
  return rows.map((r) => Object.fromEntries(head.map((name, k) => [name, r[k]])));
}

// Where ranks are: as the page has it, and as the command is told.
const places = [
  { state: "ranks=1&groups=", words: ["--ranks", "1"] },
  { state: "ranks=2&groups=1,1", words: ["--groups", "1,1"] },
  { state: "ranks=7&groups=", words: ["--ranks", "7"], root: 3 },
  { state: "groups=5,5,6", words: ["--groups", "5,5,6"], root: 5 },
  { state: "groups=&dims=4x4", words: ["--dims", "4x4"] },
  { state: "groups=&dims=2x3x2", words: ["--dims", "2x3x2"], root: 7 },
  { state: "groups=&machine=leonardo&hosts=" + encodeURIComponent("lrdn[0177-0184]"), words: ["--machine", "leonardo", "--hosts", "lrdn[0177-0184]"] },
];

// In the page: open every algorithm that this place takes; draw a view; say what is shown.
const openAll = (place, views) => `(() => {
  const out = [], place = ${JSON.stringify(place.state)}, root = ${place.root ?? 0}, views = ${JSON.stringify(views)};
  bine.setState("against=none&bytes=12K&" + place);
  bine.openState();
  for (const a of bine.catalogue().filter((a) => a.refused === "")) {
    bine.setState("against=none&bytes=12K&root=" + root + "&collective=" + a.collective + "&algorithm=" + a.name + "&" + place + "&view=" + views[out.length % views.length]);
    bine.openState();
    const pane = bine.panes()[0];
    bine.goTo(Math.ceil(pane.steps / 2));
    bine.goTo(pane.steps);
    const hold = pane.hold(pane.steps), own = (r, c) => hold[r * pane.cells + c], bad = [];
    // Blocks of uneven sizes go the ways of even ones. In a scan, rank r has the sum of those before it and its own; in an
    // exscan it may also hold what it passes on. Barriers move nothing.
    const kind = pane.collective.replace(/v$/, "");
    const everyone = ["bcast", "allreduce", "allgather", "alltoall", "scan", "exscan"].includes(kind);
    const full = r => (kind === "scan" ? r + 1 : kind === "exscan" ? r : pane.reduces ? pane.p : 1);
    for (let r = 0; r < pane.p; r++)
      for (let c = 0; c < pane.cells; c++) {
        const must = kind !== "barrier" &&
          (everyone || (["reduce", "gather"].includes(kind) ? r === pane.root : Math.floor(c / pane.parts) === r));
        const wrong = kind === "exscan" ? own(r, c) < full(r) : own(r, c) !== full(r);
        if (must && wrong) bad.push([r, c, own(r, c)]);
      }
    out.push({ collective: a.collective, name: a.name, shown: pane.collective + " " + pane.algorithm, problem: bine.problem(), pipeline: a.pipeline, rooted: pane.rooted, stuck: pane.stuck, bad: bad.slice(0, 3),
      messages: bine.messages(0), far: pane.crossed.at(-1), all: pane.sent.at(-1), bound: pane.bound, seconds: pane.seconds, layout: pane.layout });
  }
  return out;
})()`;

async function everyAlgorithm(b) {
  const keys = ["ring", "tree", "butterfly", "torus", "time"];
  let count = 0;
  for (const [k, place] of places.entries()) {
    const all = await b.run(openAll(place, keys.slice(k % 5).concat(keys.slice(0, k % 5))));
    expect(`${place.state}: algorithms open`, all.length > 40);
    for (const x of all) {
      const name = `${x.collective} ${x.name} ${place.words.join(" ")}`;
      const root = x.rooted && place.root ? ["--root", String(place.root)] : [];
      expect(`${name}: opens`, [x.shown, x.problem, x.stuck], [`${x.collective} ${x.name}`, "", 0]);
      expect(`${name}: everyone ends with its data`, x.bad, []);
      const rows = table(command("show", x.collective, x.name, ...place.words, ...root, "--format", "csv"));
      const sent = rows.filter((r) => r.peer !== "" && !r.op.startsWith("recv"));
      const wanted = sent.map((r) => (r.op === "send" ? [+r.step, +r.rank, +r.peer, r.op] : [+r.step, +r.peer, +r.rank, r.op]).join(" "));
      expect(`${name}: messages are those of bine show`, x.messages.map((m) => m.join(" ")).sort(), wanted.sort());
      count++;
    }
    await checkFigures(place, all);
  }
  console.log(`${count} algorithms and places opened, their messages compared with bine show`);
}

// The command chooses the number of segments by size.
const isPipeline = (x) => x.pipeline;

// Bytes between groups, the least of them and the model's seconds are those of the command.
// (Of layouts the command's model takes the fastest, the page the one that a call would get.)
async function checkFigures(place, all) {
  if (place.words[0] === "--ranks") return;
  for (const c of [...new Set(all.map((x) => x.collective))]) {
    const own = all.filter((x) => x.collective === c), root = own[0].rooted ? ["--root", String(place.root ?? 0)] : [];
    const rows = table(command("traffic", c, ...place.words, "--bytes", "12K", ...root, "--format", "csv"));
    for (const r of rows) {
      const x = own.find((y) => y.name === r.algorithm);
      if (x && !isPipeline(x)) expect(`${c} ${x.name} ${place.words.join(" ")}: bytes`, [x.all, x.far, x.bound], [+r.total_bytes, +r.global_bytes, +r.lower_bound_bytes]);
    }
    const times = table(command("predict", c, ...place.words, "--bytes", "12K", ...root, "--format", "csv"));
    for (const r of times) {
      const x = own.find((y) => y.name === r.algorithm);
      if (x && !isPipeline(x) && x.layout === r.layout) expect(`${c} ${x.name}: seconds`, Number(x.seconds.toPrecision(4)), Number(r.seconds));
    }
  }
}

const read = (b) => b.run("({ step: bine.state.step, panes: bine.panes().map((x) => x.algorithm), problem: bine.problem(), ready: document.documentElement.dataset.ready })");

async function steps(b) {
  await b.open(url);
  expect("opens with Bine beside binomial", (await read(b)).panes, ["bine-large", "rabenseifner"]);
  await b.key("ArrowRight");
  await b.until("bine.state.step === '1'");
  await b.key("End");
  expect("End goes to the end", (await read(b)).step, "8");
  await b.key("Home");
  expect("Home goes to the start", (await read(b)).step, "0");
  await b.run("document.getElementById('speed').value = '4'; bine.changed('speed', '4')");
  await b.key(" ", "Space");
  await b.until("bine.position() > 0.2 && bine.position() < 8");
  await b.until("bine.state.step === '8' && document.getElementById('play').textContent === 'Play'");
  passed++;
  await b.key("c");
  expect("C: alone", (await read(b)).panes, ["bine-large"]);
  await b.key("c");
  expect("C: beside", (await read(b)).panes.length, 2);
  await b.key("4");
  expect("4: the fourth view", await b.run("bine.state.view"), "torus");
  expect("what is said aloud names the step", /Step 7 of 0 to 7: 16 messages/.test(await b.run("document.getElementById('live').textContent")));
  expect("the picture has a description", /torus view of allreduce bine-large with 16 ranks/i.test(await b.run("document.getElementById('canvas0').getAttribute('aria-label')")));
}

async function selecting(b) {
  await b.open(url + "#step=3");
  const at = await b.run("(() => { const c = document.getElementById('canvas0').getBoundingClientRect(); return [c.left + c.width / 2, c.top, c.height] })()");
  let found = false;
  for (let y = 20; y < 200 && !found; y += 6) {
    await b.click(at[0], at[1] + y);
    found = (await b.run("bine.state.selected")) === "r0";
  }
  expect("a click selects rank 0", found);
  const words = await b.run("document.getElementById('details').textContent");
  expect("its details", ["rank 0", "negabinary 0000", "nu 0000", "recv from 1", "send to 15", "sum of"].filter((x) => !words.includes(x)), []);
  await b.run("document.querySelector('#messages button').click()");
  const message = await b.run("document.getElementById('details').textContent");
  expect("a message's details", ["message from", "step 2", "distance", "send to", "recv from"].filter((x) => !message.includes(x)), []);
  await b.run("document.getElementById('canvas0').focus()");
  await b.key("Escape");
  await b.key("ArrowDown");
  await b.key("ArrowDown");
  expect("arrows choose a rank", await b.run("bine.state.selected"), "r1");
}

async function links(b) {
  const state = "collective=reduce&algorithm=bine-small&against=binomial-near&groups=3,4,2&root=4&view=butterfly&step=2&selected=r4&theme=dark&bytes=64K&speed=2&block=0";
  await b.open(url + "#" + state);
  const link = await b.run("bine.linkText()");
  const before = await b.run("JSON.stringify([bine.state, bine.messages(0), bine.messages(1), bine.position()])");
  await b.open(link);
  expect("a link holds the whole state", await b.run("JSON.stringify([bine.state, bine.messages(0), bine.messages(1), bine.position()])"), before);
  expect("and all of it came through", (await b.run("bine.stateText()")).split("&").sort(), state.split("&").map((x) => x.replace("3,4,2", "3%2C4%2C2")).sort());
  await b.run("navigator.clipboard ? (Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (t) => { window.copied = t } } }), document.getElementById('link').click()) : 0");
  expect("Copy link copies it", await b.until("window.copied"), link);
  await b.open(url + "#collective=allreduce&algorithm=nonsense&groups=4,4");
  expect("a bad link is refused in one line", /unknown algorithm 'nonsense'/.test((await read(b)).problem));
  expect("and the page still shows something", (await read(b)).panes.length, 2);
  await b.open(url + "#groups=x%25&ranks=y&dims=3x&step=z&view=q&selected=r99&block=-1");
  expect("nonsense does not break it", (await read(b)).problem !== "" && (await read(b)).panes.length > 0);
}

async function pasting(b) {
  const conf = "SwitchName=a Nodes=n[0-4]\nSwitchName=b Nodes=n[5-9]\nSwitchName=top Switches=a,b\n";
  await b.open(url + "#groups=&machine=" + encodeURIComponent(conf) + "&hosts=" + encodeURIComponent("n[0-9]"));
  expect("a pasted topology.conf gives groups", await b.run("[bine.problem(), bine.panes()[0].p, bine.panes()[0].groups]"), ["", 10, ["a", "b"]]);
  await b.open(url + "#groups=" + encodeURIComponent("x\nx\ny\nx\ny"));
  expect("pasted names give groups", await b.run("[bine.problem(), bine.panes()[0].group]"), ["", [0, 0, 1, 0, 1]]);
}

async function proving(b) {
  await b.open(url + "#collective=allreduce&algorithm=bine-large&ranks=64&groups=");
  await b.key("p");
  const words = await b.run("document.getElementById('proof').textContent");
  expect("Prove it proves both", (words.match(/proved, in place and not/g) ?? []).length, 2);
}

// Chunks of a PNG, each with the right check sum.
function chunksOf(png) {
  const out = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) out.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))]);
  return out;
}

async function exporting(b) {
  await b.open(url + "#step=3");
  const get = async (kind) => Buffer.from(await b.run(`Promise.resolve(bine.${kind}()).then(read); async function read(x) { return btoa(Array.from(new Uint8Array(await x.arrayBuffer()), (c) => String.fromCharCode(c)).join("")) }`), "base64");
  const svg = (await get("exportSvg")).toString();
  expect("SVG", [svg.startsWith("<svg"), svg.trimEnd().endsWith("</svg>"), svg.includes("allreduce bine-large, 16 ranks"), (svg.match(/<circle/g) ?? []).length >= 32], [true, true, true, true]);
  const parsed = await b.run(`new DOMParser().parseFromString(${JSON.stringify(svg)}, "image/svg+xml").querySelector("parsererror") === null`);
  expect("SVG is well-formed", parsed);
  const png = chunksOf(await get("exportPng"));
  expect("PNG", [png[0][0], png[0][1].readUInt32BE(0), png.at(-1)[0]], ["IHDR", 2880, "IEND"]);
  await b.open(url + "#collective=bcast&algorithm=bine-small");
  const file = await get("exportAnimation"), animation = chunksOf(file), frames = animation.filter(([t]) => t === "fcTL").length;
  const control = animation.find(([t]) => t === "acTL")[1];
  expect("the animation has frames and loops for ever", [frames > 40, control.readUInt32BE(0) === frames, control.readUInt32BE(4)], [true, true, 0]);
  const numbers = animation.filter(([t]) => t === "fcTL" || t === "fdAT").map(([, d]) => d.readUInt32BE(0));
  expect("its chunks are numbered", numbers.every((n, k) => n === k));
  const [width, height] = [animation[0][1].readUInt32BE(0), animation[0][1].readUInt32BE(4)];
  const colours = { 2: 3, 6: 4 }[animation[0][1][9]];
  let pixels = [], good = 0;
  for (const [type, data] of [...animation, ["fcTL"]])
    if (type === "IDAT") pixels.push(data);
    else if (type === "fdAT") pixels.push(data.subarray(4));
    else if (type === "fcTL" && pixels.length) {
      good += zlib.inflateSync(Buffer.concat(pixels)).length === height * (1 + width * colours);
      pixels = [];
    }
  expect("every frame is a whole picture", good, frames);
  if (pictures) fs.writeFileSync(path.join(pictures, "animation.png"), file);
  await b.run("document.getElementById('svg').click()");
  expect("the button saves", /^Saved/.test(await b.until("/^Saved/.test(document.getElementById('said').textContent) && document.getElementById('said').textContent")));
}

async function manyRanks(b) {
  await b.open(url + "#ranks=1024&groups=" + Array(16).fill(64).join(",") + "&step=3");
  expect("1,024 ranks draw, and it is said what is left out", await b.run("[bine.problem(), bine.panes()[0].p, /each circle stands for several/.test(document.getElementById('notes').textContent)]"), ["", 1024, true]);
  for (const view of ["tree", "butterfly", "torus", "time"]) await b.run(`bine.setView("${view}")`);
  await b.open(url + "#collective=allreduce&algorithm=ring&against=none&ranks=1024&groups=");
  expect("more messages than can be shown are refused in one line", /^ring with 1024 ranks: \d+ messages, and the explorer shows at most/.test((await read(b)).problem));
}

async function opening() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "explore-")), file = path.join(folder, "x.html"), groups = path.join(folder, "groups");
  fs.writeFileSync(groups, "<!--<script>\nb\n<!--<script>\nb\n");
  const said = command("explore", "bcast", "bine-small", "--against", "binomial-far", "--groups", groups, "--root", "1", "--view", "tree", "--bytes", "8K", "-o", file);
  return { folder, file, said };
}

async function commandPage(b) {
  const { folder, file, said } = await opening();
  expect("bine explore says what it wrote", said, `${file}: open it in a browser\n`);
  await b.open("file://" + file);
  expect("the page opens with what was asked for", await b.run("[bine.problem(), bine.panes().map((x) => x.algorithm), bine.panes()[0].group, bine.panes()[0].groups, bine.panes()[0].root, bine.state.view, bine.panes()[0].bytes]"),
    ["", ["bine-small", "binomial-far"], [0, 1, 0, 1], ["<!--<script>", "b"], 1, "tree", 8192]);
  fs.rmSync(folder, { recursive: true });
}

// The example of docs/timeline.md; the times are those that tests/cli/timeline.py finds in it.
async function recordedCall(b) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "explore-")), file = path.join(folder, "x.html"), data = path.join(__dirname, "../../docs/data/timeline-example.");
  command("explore", "--timeline", data + "json", "--call", "0", "--machine", data + "machine", "--hosts", "h[0-5]", "-o", file);
  await b.open("file://" + file);
  const read = "bine.panes().map((x) => [x.algorithm, Boolean(x.measured), Math.round(x.seconds * 1e6)])";
  const shown = await b.run(`[bine.problem(), bine.state.view, ${read}]`);
  expect("a call as it ran stands beside the model", shown, ["", "time", [["bine-large", false, 98313], ["bine-large", true, 101475]]]);
  expect("all of it is drawn at once", await b.run("[bine.position(), bine.panes()[1].steps]"), [6, 6]);
  const last = "bine.panes().map((x) => x.byTime.flat()).map((list, k) => [list.length, list.filter((i) => bine.panes()[k].left(i) >= 0).length, Math.round(1e6 * Math.max(...list.map((i) => bine.panes()[k].arrived(i))))])";
  const drawn = await b.run(last);
  expect("all messages of six ranks in six steps are there", [drawn[1], drawn[0].slice(0, 2)], [[36, 36, 101472], [36, 36]]);
  await b.run("bine.changed('bytes', '1M')");
  expect("another call than that is the model's again", await b.run("bine.panes().map((x) => Boolean(x.measured))"), [false, false]);
  fs.rmSync(folder, { recursive: true });
}

async function looks(b) {
  for (const [width, height] of [[360, 740], [1280, 900], [2560, 1440]]) {
    await b.open(url + "#step=3", width, height);
    expect(`${width} wide: nothing sticks out`, await b.run("document.documentElement.scrollWidth <= window.innerWidth"));
  }
  await b.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await b.open(url);
  expect("dark where the system is", await b.run("document.documentElement.dataset.theme"), "dark");
  await b.run("document.getElementById('theme').click()");
  expect("and light by a button", await b.run("document.documentElement.dataset.theme"), "light");
  await b.send("Emulation.setEmulatedMedia", { features: [] });
  const unnamed = await b.run("[...document.querySelectorAll('button, input, select, textarea')].filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).map((e) => e.id)");
  expect("every control has a name", unnamed, []);
}

(async () => {
  const b = new Browser(chromium);
  try {
    for (const part of [steps, everyAlgorithm, selecting, links, pasting, proving, exporting, manyRanks, commandPage, recordedCall, looks]) {
      const begin = Date.now();
      if (part === everyAlgorithm) await b.open(url);
      await part(b);
      console.log(`${part.name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    }
    expect("no errors in the page", b.problems, []);
    expect("nothing is loaded from anywhere", [...new Set(b.requests.filter((x) => !/^(file|data|blob|about):/.test(x)))], []);
  } catch (e) {
    failed++;
    console.log("FAILED: " + (e.stack ?? e), b.problems.slice(0, 3));
  }
  await b.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
})();
