// The size of the page, the time to its first picture and the time of a frame: measure.js CHROMIUM PAGE
"use strict";
const { Browser } = require("./browser.js");
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const [, , chromium, page] = process.argv;
const url = "file://" + path.resolve(page);
const sorted = (list) => [...list].sort((a, b) => a - b);
const quantile = (list, q) => sorted(list)[Math.min(list.length - 1, Math.floor(q * list.length))];

(async () => {
  const bytes = fs.readFileSync(page), b = new Browser(chromium);
  console.log(`size: ${bytes.length} bytes, ${zlib.gzipSync(bytes).length} compressed`);
  for (const [name, hash] of [["16 ranks", ""], ["64 ranks", "#groups=21,21,22"], ["1,024 ranks", "#ranks=1024&groups="]]) {
    const times = [];
    for (let k = 0; k < 7; k++) {
      await b.open(url + hash);
      times.push(Number(await b.run("document.documentElement.dataset.ready")));
    }
    console.log(`first picture, ${name}: ${quantile(times, 0.5)} ms (least ${sorted(times)[0]}, most ${sorted(times).at(-1)}; 7 times)`);
  }
  for (const view of ["ring", "butterfly", "time"]) {
    await b.open(url + "#groups=21,21,22&speed=2&view=" + view);
    await b.run("bine.frameTimes.length = 0; window.gaps = []; window.last = 0; (function see(t) { if (window.last) gaps.push(t - window.last); window.last = t; requestAnimationFrame(see) })(0); bine.setPlaying(true)");
    await b.until("bine.frameTimes.length > 60 && document.getElementById('play').textContent === 'Play'", 60000);
    const [own, gaps] = [await b.run("bine.frameTimes"), await b.run("gaps.slice(5, -5)")];
    console.log(`frame, 64 ranks beside 64, ${view}: drawing ${quantile(own, 0.5).toFixed(1)} ms, 95 % below ${quantile(own, 0.95).toFixed(1)} ms; ` +
      `between frames ${quantile(gaps, 0.5).toFixed(1)} ms, 95 % below ${quantile(gaps, 0.95).toFixed(1)} ms (${own.length} frames)`);
  }
  await b.close();
})();
