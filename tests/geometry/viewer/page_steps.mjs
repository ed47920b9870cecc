// node page_steps.mjs PLAYWRIGHT CHROMIUM URL STEP...: opens a page in a browser
// and does as the steps say, each a word with '='; prints one line of JSON for
// each step that asks for something. A message of the page's script is an error.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [playwright, chromium, url, ...steps] = process.argv.slice(2);
const { chromium: browserType } = await import(pathToFileURL(playwright));
const browser = await browserType.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const context = await browser.newContext({
  viewport: { width: 480, height: 320 }, colorScheme: "light", offline: url.startsWith("file:"),
});
const page = await context.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(error.message));
const say = (value) => console.log(JSON.stringify(value));

// How far two pictures are apart: the mean difference of a channel, of 255.
async function difference(one, other) {
  return page.evaluate(async (sources) => {
    const pixels = await Promise.all(sources.map(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const brush = canvas.getContext("2d");
      brush.drawImage(image, 0, 0);
      return brush.getImageData(0, 0, image.width, image.height).data;
    }));
    if (pixels[0].length !== pixels[1].length) return 255;
    let sum = 0;
    for (let i = 0; i < pixels[0].length; ++i) sum += Math.abs(pixels[0][i] - pixels[1][i]);
    return sum / pixels[0].length;
  }, [one, other]);
}

try {
  await page.goto(url);
  for (const step of steps) {
    const [word, ...rest] = step.split("=");
    const value = rest.join("=");
    switch (word) {
      case "wait-for": // A path.
        await page.waitForFunction((path) => window.wyvern.tree.group(path), value, { timeout: 10000 });
        break;
      case "wait-for-text":
        await page.getByText(value).first().waitFor({ timeout: 10000 });
        break;
      case "position":
        say(await page.evaluate((path) => window.wyvern.tree.group(path)?.position.toArray() ?? null, value));
        break;
      case "wait-for-height": { // path:z
        const [path, z] = value.split(":");
        await page.waitForFunction(
          ([path, z]) => Math.abs((window.wyvern.tree.group(path)?.position.z ?? NaN) - z) < 1e-3,
          [path, Number(z)], { timeout: 20000 });
        break;
      }
      case "report": { // Curves and samples of the first plot, seconds of the replay.
        await page.waitForFunction(() => window.wyvernReport?.plots.length > 0, null, { timeout: 20000 });
        const frame = page.frames().find((one) => one !== page.mainFrame());
        await frame.waitForFunction(() => window.wyvern?.player(), null, { timeout: 20000 });
        const table = await page.evaluate(() => window.wyvernReport.plots[0].data.map((column) => column.length));
        say([table.length - 1, table[0], await frame.evaluate(() => window.wyvern.player().duration)]);
        break;
      }
      case "has-object": // 1 or 0.
        say([Number(await page.evaluate((path) => window.wyvern.tree.hasObject(path), value))]);
        break;
      case "positions": // How many differ: waits for four.
        say(await page.evaluate(async (path) => {
          const seen = new Set();
          for (const end = performance.now() + 20000; seen.size < 4 && performance.now() < end; ) {
            seen.add(window.wyvern.tree.group(path).position.z);
            await new Promise(requestAnimationFrame);
          }
          return [seen.size];
        }, value));
        break;
      case "slide": { // name:value
        const [name, to] = value.split(":");
        await page.locator(`input[type=range][aria-label="${name}"]`).fill(to);
        break;
      }
      case "press":
        await page.getByRole("button", { name: value }).click();
        break;
      case "key":
        await page.keyboard.press(value);
        break;
      case "scope": // The largest of a signal's first element, its last time, the axis.
        await page.locator("#scopes canvas").waitFor({ timeout: 10000 });
        say(await page.evaluate((path) => {
          const { scopes } = window.wyvern;
          return [scopes.largest(path, 0), scopes.last(path)[0], scopes.axis(path)];
        }, value));
        break;
      case "seek": // In the recording [s].
        await page.waitForFunction(() => window.wyvern.player(), null, { timeout: 10000 });
        await page.evaluate((time) => {
          const scrub = document.getElementById("scrub");
          scrub.value = time;
          scrub.dispatchEvent(new Event("input"));
        }, value);
        break;
      case "compare": { // With a kept picture; makes it, if it is not there.
        await page.waitForTimeout(500);
        const data = await page.evaluate(() => {
          window.wyvern.stage.draw();
          return document.querySelector("canvas").toDataURL("image/png");
        });
        const picture = Buffer.from(data.slice(data.indexOf(",") + 1), "base64");
        const kept = await readFile(value).catch(() => null);
        if (!kept) await writeFile(value, picture);
        say([kept ? await difference(picture.toString("base64"), kept.toString("base64")) : 255]);
        break;
      }
      default:
        throw new Error(`There is no step '${word}'.`);
    }
  }
  if (errors.length > 0) throw new Error(errors.join("; "));
} finally {
  await browser.close();
}
