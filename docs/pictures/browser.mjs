// Programs that show a page, and a browser without a window that looks at it.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import path from "node:path";

export const top = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const playwright = path.join(top, "geometry/viewer/web/node_modules/playwright-core/index.mjs");

export async function openBrowser() {
  const { chromium } = await import(pathToFileURL(playwright));
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

/** Starts a command that prints the address of its page: that, and how to end it, which takes until it has ended. */
export async function startProgram(command, folder) {
  const program = spawn(command[0], command.slice(1), { cwd: folder });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const listen = (data) => {
      said += data;
      const found = said.match(/http:\/\/\S+/);
      if (found) resolve(found[0].replace(/[.,]$/, ""));
    };
    program.stdout.on("data", listen);
    program.stderr.on("data", listen);
    program.on("exit", () => reject(new Error(`${command.join(" ")} showed no page: ${said}`)));
  });
  const ended = new Promise((resolve) => program.on("exit", resolve));
  return { url, end: () => (program.kill("SIGINT"), ended) };
}

/** Lets the simulation of a page run to a time, and waits until the page shows it. */
export async function runTo(page, time) {
  await page.evaluate((to) => {
    window.wyvern.transport.say("rate", 0);
    window.wyvern.transport.say("run_to", to);
  }, time);
  await page.waitForFunction(
    (to) => parseFloat(document.getElementById("clock").textContent) >= to - 2e-3, time, { timeout: 60000 });
  await settle(page);
}

/** Two frames, so that what came last is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** A still in WebP, encoded by the browser. */
export async function toWebp(browser, png, quality) {
  const page = await browser.newPage();
  const base64 = await page.evaluate(async ([data, quality]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d", { alpha: false }).drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", quality).split(",")[1];
  }, [png.toString("base64"), quality]);
  await page.close();
  return Buffer.from(base64, "base64");
}
