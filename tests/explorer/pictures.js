// The pictures of docs/explorer.md: pictures.js CHROMIUM PAGE FOLDER
"use strict";
const { Browser } = require("./browser.js");
const path = require("node:path");

const [, , chromium, page, folder] = process.argv;
const pictures = [
  ["explorer", "step=3&selected=r5", 1200, 860],
  ["explorer-tree", "collective=bcast&algorithm=bine-small&view=tree&step=4&theme=dark&groups=5,5,6", 1200, 860],
  ["explorer-time", "view=time&step=6", 1200, 860],
];
(async () => {
  const b = new Browser(chromium);
  for (const [name, state, width, height] of pictures) {
    await b.open("file://" + path.resolve(page) + "#" + state, width, height);
    await new Promise((r) => setTimeout(r, 300));
    await b.screenshot(path.join(folder, name + ".png"));
  }
  await b.close();
})();
