// node page_speed.mjs PLAYWRIGHT CHROMIUM URL [WIDTH HEIGHT]: opens a page of a
// Viewer, or a saved one, in a browser without a graphics card; prints its weight,
// the time to its first picture, and how many frames a second it draws of 200
// bodies that move, 5000 triangles each, once it has left out what it can.
import { pathToFileURL } from "node:url";

const [playwright, chromium, url, width = "1280", height = "720"] = process.argv.slice(2);
const { chromium: browserType } = await import(pathToFileURL(playwright));
const browser = await browserType.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
const answer = await page.goto(url);
const first = await page.evaluate(async () => {
  while (!window.wyvern) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now();
});
console.log(`page: ${((await answer.body()).length / 1e6).toFixed(2)} MB, first picture after ${first.toFixed(0)} ms`);

const result = await page.evaluate(async () => {
  const { tree, stage } = window.wyvern;
  // A sphere of 50 x 51 x 2 triangles.
  const rows = 50, columns = 51, vertices = [], faces = [];
  for (let i = 0; i <= rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const a = (Math.PI * i) / rows, b = (2 * Math.PI * j) / columns;
      vertices.push(0.1 * Math.sin(a) * Math.cos(b), 0.1 * Math.sin(a) * Math.sin(b), 0.1 * Math.cos(a));
      const k = i * columns + j, l = i * columns + ((j + 1) % columns);
      if (i < rows) faces.push(k, k + columns, l, l, k + columns, l + columns);
    }
  }
  const base64 = (array) => {
    let text = "";
    for (const byte of new Uint8Array(array.buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const object = {
    shape: "triangles", vertices: base64(new Float32Array(vertices)), faces: base64(new Uint32Array(faces)),
  };
  const count = 200;
  for (let i = 0; i < count; ++i) {
    tree.apply({ type: "object", path: `/speed/${i}`, color: [(i % 7) / 7, 0.5, 0.6, 1], wireframe: false, object });
  }
  stage.view("iso");
  const frames = async (seconds) => {
    let drawn = 0;
    const start = performance.now();
    while (performance.now() - start < 1000 * seconds) {
      for (let i = 0; i < count; ++i) {
        tree.setPose(`/speed/${i}`, [0.3 * (i % 20) - 3, 0.3 * Math.floor(i / 20) - 1.5, 0.3 + 0.1 * Math.sin(performance.now() / 300 + i), 1, 0, 0, 0]);
      }
      await new Promise(requestAnimationFrame);
      ++drawn;
    }
    return (1000 * drawn) / (performance.now() - start);
  };
  await frames(1);
  stage.view("iso");
  const early = await frames(2);
  await frames(5); // For the page to see that it is slow.
  return [early, await frames(4), stage.renderer.info.render.triangles, stage.renderer.getPixelRatio()];
});
const [early, late, triangles, ratio] = result;
console.log(`frames a second: ${early.toFixed(1)} at first, ${late.toFixed(1)} after it adapted (pixel ratio ${ratio}, ${triangles} triangles a frame)`);
await browser.close();
