/* Pictures to take away: SVG, PNG, and a looping animation (APNG). All panes side by side. */
const EXPORT_WIDTH = 720, EXPORT_HEIGHT = 620;

/* One picture of all panes at a moment, by a pen. */
function drawPicture(pen, moment, width, height) {
  panes.forEach((pane, k) => {
    const at = Math.min(moment, pane.steps);
    const view = viewOf(state.view), g = view.geometry(pane, width, height - 70), f = figures(pane, at);
    const shifted = shiftPen(pen, k * width, 44);
    if (view.still) view.still(shifted, pane, g, Math.floor(at));
    view.draw(shifted, pane, g, at, null);
    pen.text(`${pane.collective} ${pane.algorithm}, ${plural(pane.p, "rank")}`, k * width + width / 2, 16, 16, palette.ink);
    pen.text(`step ${Math.max(0, Math.ceil(at) - 1)} of ${pane.steps}; ${formatBytes(f.far)} of ${formatBytes(f.total)} between ${betweenWord(pane)}, least possible ${formatBytes(f.bound)}`,
      k * width + width / 2, 35, 12, palette.soft);
    pen.text("Bine explorer", k * width + width - 8, height - 10, 10, palette.soft, "right", 0.8);
  });
}

/* The same pen with everything moved. */
function shiftPen(pen, dx, dy) {
  return {
    line: (a, b, c, d, ...rest) => pen.line(a + dx, b + dy, c + dx, d + dy, ...rest),
    curve: (a, b, c, d, e, f, ...rest) => pen.curve(a + dx, b + dy, c + dx, d + dy, e + dx, f + dy, ...rest),
    arc: (x, y, ...rest) => pen.arc(x + dx, y + dy, ...rest),
    circle: (x, y, ...rest) => pen.circle(x + dx, y + dy, ...rest),
    poly: (points, ...rest) => pen.poly(points.map(([x, y]) => [x + dx, y + dy]), ...rest),
    text: (words, x, y, ...rest) => pen.text(words, x + dx, y + dy, ...rest),
  };
}

const exportName = () => `bine-${panes.map((x) => x.algorithm).join("-")}-${panes[0].p}`;

function exportSvg() {
  const pen = new SvgPen(), width = EXPORT_WIDTH * panes.length;
  drawPicture(pen, position, EXPORT_WIDTH, EXPORT_HEIGHT);
  const title = panes.map((x) => `${x.collective} ${x.algorithm}`).join(" and ") + `, ${plural(panes[0].p, "rank")}`;
  return new Blob([pen.svg(width, EXPORT_HEIGHT, palette.page, title)], { type: "image/svg+xml" });
}

function drawCanvas(canvas, at, scale) {
  canvas.width = EXPORT_WIDTH * panes.length * scale;
  canvas.height = EXPORT_HEIGHT * scale;
  const c = canvas.getContext("2d", { alpha: false });
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.globalAlpha = 1;
  c.fillStyle = palette.page;
  c.fillRect(0, 0, canvas.width, canvas.height);
  const pen = new CanvasPen(c);
  drawPicture(pen, at, EXPORT_WIDTH, EXPORT_HEIGHT);
}
const pngOf = (canvas) => new Promise((resolve) => canvas.toBlob(resolve, "image/png"));

async function exportPng() {
  const canvas = document.createElement("canvas");
  drawCanvas(canvas, position, 2);
  return pngOf(canvas);
}

/* Chunks of a PNG. */
const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
function chunk(type, data) {
  const out = new Uint8Array(12 + data.length), view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < 8 + data.length; i++) crc = crcTable[(crc ^ out[i]) & 255] ^ (crc >>> 8);
  view.setUint32(8 + data.length, (crc ^ 0xffffffff) >>> 0);
  return out;
}
function* chunksOf(png) {
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    yield [String.fromCharCode(...png.subarray(at + 4, at + 8)), png.subarray(at + 8, at + 8 + length)];
    at += 12 + length;
  }
}
const numbers = (...pairs) => {
  const out = new Uint8Array(pairs.reduce((n, [size]) => n + size, 0)), view = new DataView(out.buffer);
  let at = 0;
  for (const [size, value] of pairs) {
    if (size === 4) view.setUint32(at, value);
    else if (size === 2) view.setUint16(at, value);
    else view.setUint8(at, value);
    at += size;
  }
  return out;
};

/* An animated PNG that loops: frames are PNGs of one size, delays in milliseconds. */
async function animatedPng(frames, width, height) {
  const signature = [137, 80, 78, 71, 13, 10, 26, 10], parts = [new Uint8Array(signature)];
  let sequence = 0;
  for (const [k, frame] of frames.entries()) {
    const all = [...chunksOf(new Uint8Array(await frame.png.arrayBuffer()))], data = all.filter(([type]) => type === "IDAT");
    if (k === 0) {
      parts.push(chunk("IHDR", all[0][1]), chunk("acTL", numbers([4, frames.length], [4, 0])));
    }
    parts.push(chunk("fcTL", numbers([4, sequence++], [4, width], [4, height], [4, 0], [4, 0], [2, frame.delay], [2, 1000], [1, 0], [1, 0])));
    for (const [, bytes] of data) {
      if (k === 0) parts.push(chunk("IDAT", bytes));
      else {
        const numbered = new Uint8Array(4 + bytes.length);
        new DataView(numbered.buffer).setUint32(0, sequence++);
        numbered.set(bytes, 4);
        parts.push(chunk("fdAT", numbered));
      }
    }
  }
  parts.push(chunk("IEND", new Uint8Array(0)));
  return new Blob(parts, { type: "image/png" });
}

const FRAMES_MOST = 160;
async function exportAnimation(progress) {
  const canvas = document.createElement("canvas"), steps = Math.max(...panes.map((x) => x.steps), 1);
  const perStep = Math.max(1, Math.min(12, Math.floor(FRAMES_MOST / steps))), total = Math.min(FRAMES_MOST, steps * perStep), frames = [];
  for (let k = 0; k <= total; k++) {
    const at = (steps * k) / total;
    drawCanvas(canvas, at, 1);
    frames.push({ png: await pngOf(canvas), delay: k === total ? 1800 : at % 1 === 0 ? 500 : Math.round(700 / perStep) });
    progress?.(k, total);
  }
  return animatedPng(frames, canvas.width, canvas.height);
}

function download(blob, name) {
  const link = element("a", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
