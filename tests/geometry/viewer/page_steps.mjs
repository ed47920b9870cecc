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
// Pictures and sizes are those of fixed detail, however few frames a loaded machine draws.
const isMeasured = steps.some((step) => step === "canvas" || step.startsWith("compare="));
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

// Returns the pixel at which the origin of a path is seen, or a point `rise`
// metres above it.
async function placeOf(path, rise = 0) {
  return page.evaluate(([path, rise]) => {
    const { tree, stage } = window.wyvern;
    const group = tree.group(path);
    group.updateWorldMatrix(true, false);
    const at = group.getWorldPosition(group.position.clone());
    at.z += rise;
    const [x, y] = stage.project(at);
    const around = document.querySelector("#stage canvas").getBoundingClientRect();
    return [x + around.x, y + around.y];
  }, [path, rise]);
}

async function dragFrom(path, dx, dy) {
  const [x, y] = await placeOf(path);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 5 });
}

try {
  await page.goto(isMeasured ? `${url}#detail=fixed` : url);
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
      case "wait-for-time": // That the page shows, at least [s].
        await page.waitForFunction(
          (time) => parseFloat(document.getElementById("clock").textContent) >= Number(time), value, { timeout: 20000 });
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
      case "wait-until-above": { // path:z
        const [path, z] = value.split(":");
        await page.waitForFunction(
          ([path, z]) => window.wyvern.tree.group(path).position.z > z, [path, Number(z)], { timeout: 20000 });
        break;
      }
      case "wait-for-pressable":
        await page.getByRole("button", { name: value, exact: true }).waitFor({ timeout: 10000 });
        break;
      case "click-on": // A selector.
        await page.locator(value).first().click();
        break;
      case "fill-first": // selector:value of a field.
        await page.locator(value.slice(0, value.lastIndexOf(":"))).first().fill(value.slice(value.lastIndexOf(":") + 1));
        break;
      case "intrusions": // What names must not make: runs of scripts, images, rows beyond the window.
        await page.waitForTimeout(300);
        say(await page.evaluate(() => [
          window.intrusions ?? 0, document.querySelectorAll("img, iframe, b, :not(head) > script[src]").length,
          Number(document.documentElement.scrollWidth > innerWidth),
        ]));
        break;
      case "canvas": // Its size in pixels.
        say(await page.evaluate(() => {
          const { width, height } = window.wyvern.stage.renderer.domElement;
          return [width, height];
        }));
        break;
      case "click-text":
        await page.getByText(value).first().click();
        break;
      case "report": { // Curves and samples of the first plot, seconds of the replay.
        await page.waitForFunction(() => window.wyvernReport?.plots.length > 0, null, { timeout: 20000 });
        const frame = page.frames().find((one) => one !== page.mainFrame());
        await frame.waitForFunction(() => window.wyvern?.player(), null, { timeout: 20000 });
        const table = await page.evaluate(() => window.wyvernReport.plots[0].data.map((column) => column.length));
        say([table.length - 1, table[0], await frame.evaluate(() => window.wyvern.player().duration)]);
        break;
      }
      case "size": { // widthxheight of the window.
        const [width, height] = value.split("x").map(Number);
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(300);
        break;
      }
      case "click": // A path, or "x,y" in pixels.
      case "double-click": {
        const [x, y] = /^[0-9]/.test(value) ? value.split(",").map(Number) : await placeOf(value);
        if (word === "click") await page.mouse.click(x, y);
        else await page.mouse.dblclick(x, y);
        break;
      }
      case "drag": { // path:dx,dy in pixels, with Ctrl before "^": the button is held.
        const [path, way] = value.replace("^", "").split(":");
        if (value.startsWith("^")) await page.keyboard.down("Control");
        await dragFrom(path, ...way.split(",").map(Number));
        if (value.startsWith("^")) await page.keyboard.up("Control");
        break;
      }
      case "turn": { // dx,dy: drags the camera from the page's corner.
        const [dx, dy] = value.split(",").map(Number);
        const { width, height } = page.viewportSize();
        const [x, y] = [width - 20, height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + dx, y + dy, { steps: 5 });
        await page.mouse.up();
        await page.waitForTimeout(400);
        break;
      }
      case "let-go":
        await page.mouse.up();
        break;
      case "focus": // A button.
        await page.getByRole("button", { name: value, exact: true }).focus();
        break;
      case "check":
        await page.getByLabel(value).check();
        break;
      case "wait-for-count": { // selector:count
        const [selector, count] = value.split(":");
        await page.waitForFunction(
          ([selector, count]) => document.querySelectorAll(selector).length === Number(count), [selector, count], { timeout: 10000 });
        break;
      }
      case "count": // Elements that are seen.
        say([await page.locator(value).filter({ visible: true }).count()]);
        break;
      case "is-selected": // 1 or 0.
        say([Number(await page.evaluate((path) => (window.wyvern.touch.selected?.path ?? "") === path, value))]);
        break;
      case "is-dragging":
        say([Number(await page.evaluate(() => window.wyvern.touch.isDragging))]);
        break;
      case "is-shown":
        say([Number(await page.evaluate((path) => window.wyvern.tree.isShown(path), value))]);
        break;
      case "camera": // Its place, and the point that it looks at.
        say(await page.evaluate(() => {
          const { from, at } = window.wyvern.stage.eye;
          return [...from.toArray(), ...at.toArray()];
        }));
        break;
      case "arrow": // Length of the first that is drawn at a path.
        say(await page.evaluate((path) => {
          const [lines] = window.wyvern.tree.group(path).children;
          const start = lines.geometry.getAttribute("instanceStart"), end = lines.geometry.getAttribute("instanceEnd");
          const length = (axis) => end[`get${axis}`](0) - start[`get${axis}`](0);
          return [Math.hypot(length("X"), length("Y"), length("Z"))];
        }, value));
        break;
      case "cones":
        await page.waitForFunction(() => window.wyvern.inspector.numCones > 0, null, { timeout: 10000 });
        say([await page.evaluate(() => window.wyvern.inspector.numCones)]);
        break;
      case "axis-labels": // How many a signal's axis has, and how many differ.
        await page.waitForFunction((path) => window.wyvern.scopes.axisTexts(path).length > 1, value, { timeout: 10000 });
        say(await page.evaluate((path) => {
          const texts = window.wyvern.scopes.axisTexts(path);
          return [texts.length, new Set(texts).size];
        }, value));
        break;
      case "svg": // The diagram's file: errors, texts that are `value`, scripts and images.
        say(await page.evaluate((name) => {
          const drawn = new DOMParser().parseFromString(window.wyvern.diagram.svgText(), "image/svg+xml");
          const texts = [...drawn.querySelectorAll("text")].filter((text) => text.textContent === name);
          return [drawn.querySelectorAll("parsererror").length, texts.length, drawn.querySelectorAll("script, img, image").length];
        }, value));
        break;
      case "readings": // Values that wires show, once all do.
        await page.waitForFunction(() => {
          const texts = window.wyvern.diagram.readingTexts();
          return texts.length > 0 && texts.every((text) => text !== "");
        }, null, { timeout: 10000 });
        say((await page.evaluate(() => window.wyvern.diagram.readingTexts())).map(parseFloat));
        break;
      case "chosen": // Boxes of the diagram that are marked.
        await page.waitForFunction(() => window.wyvern.diagram.summary().boxes.length > 0, null, { timeout: 10000 });
        say([await page.evaluate(() => window.wyvern.diagram.summary().chosen.length)]);
        break;
      case "film": { // Makes a video for some seconds: its length, and that which the page counted.
        const button = page.locator("#film");
        await button.click();
        await page.waitForTimeout(1000 * Number(value));
        const downloads = page.waitForEvent("download");
        await button.click();
        const bytes = await readFile(await (await downloads).path());
        const length = await page.evaluate(async (text) => {
          const video = document.createElement("video");
          const parts = [Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))];
          video.src = URL.createObjectURL(new Blob(parts, { type: "video/webm" }));
          // One without a picture is none.
          await new Promise((resolve) => Object.assign(video, { onloadedmetadata: resolve, onerror: resolve }));
          return Number.isFinite(video.duration) ? video.duration : 0;
        }, bytes.toString("base64"));
        say([length, await page.evaluate(() => window.wyvern.stage.filmed)]);
        break;
      }
      case "picture": // Into a file.
        await page.screenshot({ path: value });
        break;
      case "has-object": // 1 or 0.
        say([Number(await page.evaluate((path) => window.wyvern.tree.hasObject(path), value))]);
        break;
      case "drawn-at": // Frames a second: triangles drawn then, their furthest vertex.
        say(await page.evaluate((rate) => {
          const { tree, stage } = window.wyvern;
          for (let i = 0; i < 60; ++i) stage.adapt(rate);
          stage.view("iso");
          stage.draw();
          let furthest = 0;
          tree.root.traverseVisible((part) => {
            const sphere = part.isMesh ? part.geometry.getAttribute("position") : null;
            for (let i = 0; sphere && i < sphere.count; ++i) {
              furthest = Math.max(furthest, Math.hypot(sphere.getX(i), sphere.getY(i), sphere.getZ(i)));
            }
          });
          return [stage.renderer.info.render.triangles, furthest];
        }, Number(value)));
        break;
      case "still": // Pixels for one of the window: while it moves, at rest, when it moves again.
        say(await page.evaluate(async () => {
          const { stage } = window.wyvern;
          const ratio = () => stage.renderer.getPixelRatio();
          const draw = () => {
            stage.leaveOut(3);
            stage.view("iso");
            stage.draw();
            return ratio();
          };
          const moving = draw();
          for (const end = performance.now() + 20000; ratio() === moving && performance.now() < end; ) {
            await new Promise(requestAnimationFrame);
          }
          return [moving, ratio(), draw()];
        }));
        break;
      case "radius": // Of the ball around what moves [m].
        say([await page.evaluate(() => window.wyvern.tree.bounds("moving").radius)]);
        break;
      case "distance": // Of the camera from what it looks at [m].
        say([await page.evaluate(() => window.wyvern.stage.eye.from.distanceTo(window.wyvern.stage.eye.at))]);
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
      case "type": { // name:value into the number field of a slider.
        const colon = value.lastIndexOf(":");
        const field = page.locator("#controls label.slider", { hasText: value.slice(0, colon) }).locator("input[type=number]");
        await field.fill(value.slice(colon + 1));
        await field.press("Enter");
        break;
      }
      case "order": // Names of controls with commas between: the place of each.
        say(await page.evaluate((names) => {
          const shown = [...document.querySelectorAll("#controls .slider span, #controls > button")];
          return names.split(",").map((name) => shown.findIndex(({ textContent }) => textContent === name));
        }, value));
        break;
      case "reload": // As a person does, once the program has what was said.
        await page.waitForTimeout(300);
        await page.reload();
        break;
      case "fill": { // label:text of a field.
        const colon = value.indexOf(":");
        await page.getByLabel(value.slice(0, colon), { exact: true }).fill(value.slice(colon + 1));
        break;
      }
      case "choose": { // label:option
        const colon = value.indexOf(":");
        await page.getByLabel(value.slice(0, colon), { exact: true }).selectOption(value.slice(colon + 1));
        break;
      }
      case "scheme": // light or dark
        await page.emulateMedia({ colorScheme: value });
        break;
      case "press":
        await page.getByRole("button", { name: value }).click();
        break;
      case "key":
        await page.keyboard.press(value);
        break;
      case "scope": // The largest of a signal's first element, its last time, the axis.
        await page.locator("#scopes canvas").first().waitFor({ timeout: 10000 });
        say(await page.evaluate((path) => {
          const { scopes } = window.wyvern;
          return [scopes.largest(path, 0), scopes.last(path)[0], scopes.axis(path)];
        }, value));
        break;
      case "join": { // name:other: plots the other one with it.
        const [name, other] = value.split(":");
        await page.getByLabel(`Add to ${name}`, { exact: true }).selectOption(other);
        await page.waitForFunction((path) => window.wyvern.scopes.axis(path) > 0, other, { timeout: 10000 });
        break;
      }
      case "plots": // How many signals each has.
        say(await page.evaluate(() => window.wyvern.scopes.together().map((paths) => paths.length)));
        break;
      case "csv": // Lines and columns of what it saves.
        say(await page.evaluate((path) => {
          const lines = window.wyvern.scopes.csv(path).trimEnd().split("\n");
          return [lines.length, new Set(lines.map((line) => line.split(",").length)).size === 1 ? lines[0].split(",").length : -1];
        }, value));
        break;
      case "events": // Where their ticks are [%].
        await page.locator("#events").waitFor({ timeout: 10000 });
        say(await page.evaluate(() => [...document.querySelectorAll("#ticks i")].map((tick) => parseFloat(tick.style.left))));
        break;
      case "event":
        await page.locator("#events").selectOption({ label: value });
        break;
      case "diagram": // Opens it: how many boxes, wires, and faults there are.
        if (value === "open") await page.getByRole("button", { name: "Diagram" }).click();
        await page.waitForFunction(() => window.wyvern.diagram.summary().boxes.length > 0, null, { timeout: 10000 });
        say(await page.evaluate(() => {
          const { boxes, wires, faults } = window.wyvern.diagram.summary();
          return [boxes.length, wires, faults.length];
        }));
        break;
      case "fold": // A block's sub-diagram, open or closed.
        await page.locator("#diagram .head.folds", { hasText: value }).last().click();
        break;
      case "port": // "gain · y0": clicks it, for a scope.
        await page.getByRole("button", { name: value, exact: true }).click();
        break;
      case "hover": // A port: waits for its value, the last element of which is said, without its name.
        await page.getByRole("button", { name: value, exact: true }).hover();
        await page.waitForFunction(
          () => /\d/.test(document.querySelector(".tip .value")?.textContent ?? ""), null, { timeout: 10000 });
        say([parseFloat((await page.locator(".tip .value").textContent()).trim().split("\n").at(-1).replace(/^\S+ (?=[-\d])/, ""))]);
        break;
      case "tip": // The lines that are shown under the pointer.
        say((await page.locator(".tip .value").textContent()).trim().split("\n"));
        break;
      case "time": // That the page shows, once it says so twice.
        say(await page.evaluate(async () => {
          const shown = () => parseFloat(document.getElementById("clock").textContent);
          for (let last = NaN; ; ) {
            const now = shown();
            if (now === last) return [now];
            last = now;
            await new Promise((resolve) => setTimeout(resolve, 150));
          }
        }));
        break;
      case "step": { // Presses "One step": the time after it, once that rests.
        const shown = () => page.evaluate(() => document.getElementById("clock").textContent);
        const before = await shown();
        await page.getByRole("button", { name: "One step" }).click();
        await page.waitForFunction(
          (text) => document.getElementById("clock").textContent !== text, before, { timeout: 10000 });
        await page.waitForTimeout(300);
        say([parseFloat(await shown())]);
        break;
      }
      case "rotation": // Of a path's group, as a quaternion.
        await page.waitForTimeout(500);
        say(await page.evaluate((path) => window.wyvern.tree.group(path).quaternion.toArray(), value));
        break;
      case "trail": // How many points it has, once they are two.
        await page.waitForFunction((path) => window.wyvern.trails.length(path) > 1, value, { timeout: 10000 });
        say(await page.evaluate((path) => [window.wyvern.trails.length(path)], value));
        break;
      case "model": // Its parts, those with an image, red of the first, and of its image's middle.
        await page.waitForFunction((path) => window.wyvern.tree.group(path), value, { timeout: 10000 });
        say(await page.evaluate(async (path) => {
          const [model] = window.wyvern.tree.group(path).children;
          const materials = model.children.map((part) => part.material);
          const map = materials.find((material) => material.map)?.map;
          while (map && !map.image) await new Promise((resolve) => setTimeout(resolve, 20));
          return [materials.length, materials.filter((material) => material.map).length,
            Math.round(255 * materials[0].color.getRGB({}, "srgb").r), map?.image.width ?? 0];
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
