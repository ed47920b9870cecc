// node docs/pictures/make.mjs BIN [NAME...]: makes the pictures of docs/images, all
// of them or those named, from runs of the programs in the folder BIN, such as
// build/run/bin. Needs Chromium and the packages of geometry/viewer/web. With
// --png=FOLDER it also keeps the stills as PNG there.
import { mkdtemp, readFile, rm, symlink, writeFile, mkdir } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { animate } from "./animated_webp.mjs";
import { openBrowser, runTo, settle, startProgram, toWebp, top } from "./browser.mjs";

const scenario = (name, ...rest) => ["wyvern", "run", `app/scenarios/${name}.yaml`, "--view", "--realtime", "0.02", ...rest];
const model = (name, ...rest) => ["wyvern", "run", `examples/models/${name}`, "--view", "--realtime", "0.02", ...rest];
const robot = (name) => ["wyvern", "view", `models/robots/${name}`];
const look = (from, at) => (page) => page.evaluate(([from, at]) => {
  const { stage } = window.wyvern;
  const target = stage.orbit.target.clone();
  stage.look(target.clone().set(...from), target.clone().set(...at));
}, [from, at]);
const click = (id) => (page) => page.locator(`#${id}`).click();
const scope = (name) => (page) => page.getByRole("button", { name, exact: true }).click();
const hideControls = (page) => page.evaluate(() => (document.getElementById("controls").hidden = true));
const zoomDiagram = (factor, x, y) => (page) => page.evaluate(([factor, x, y]) => {
  const { diagram } = window.wyvern;
  const { clientWidth, clientHeight } = document.querySelector("#diagram > svg");
  diagram.zoom(factor, { x: x * clientWidth, y: y * clientHeight });
}, [factor, x, y]);
const show = (text) => async (page) => {
  await page.locator("#show-tree").click();
  await page.locator("#tree label", { hasText: text }).first().click();
  await page.locator("#show-tree").click();
};

// Stills: how to start the program, until when it runs, what is done to
// the page before that, and whether the page's panels are shown.
const stills = {
  arm_pd: { command: scenario("arm_pd"), time: 2.2, before: [look([1.5, -1.4, 1.1], [0.1, 0, 0.45])] },
  arm_diagram: {
    command: scenario("arm_pd"), time: 1.0,
    before: [click("show-diagram"), (page) => page.getByRole("button", { name: "⤢" }).click()], hasPanels: true,
  },
  arm_push: { command: scenario("arm_push"), time: 1.5, before: [look([1.5, -1.4, 1.1], [0.1, 0, 0.45])] },
  arm_sway: { command: scenario("arm_sway"), time: 1.2, before: [look([1.4, 1.4, 1.0], [0.1, 0, 0.45])] },
  four_bar: { command: scenario("four_bar"), time: 0.6, before: [show("inertia"), look([1, -5, 0.6], [1, 0, -0.35])] },
  gripper_crate: { command: scenario("gripper_crate"), time: 2.2, before: [look([0.36, -0.36, 0.28], [0, 0, 0.11])] },
  quadruped_drop: { command: scenario("quadruped_drop"), time: 0.35, before: [look([1.1, -1.1, 0.7], [0, 0, 0.2])] },
  pendulum_sensors: {
    command: scenario("pendulum_sensors"), time: 1.9,
    before: [look([0.45, -1.9, 0], [0.45, 0, -0.3]), click("show-diagram"), scope("accelerometer · y"), scope("encoder · y"), click("show-diagram")], hasPanels: true,
  },
    gripper: { command: model("gripper.sdf", "--until", "1"), time: 0.3, before: [look([0.24, -0.24, 0.2], [0, 0, 0.06])] },
  arm_sliders: { command: ["wyvern", "view", "examples/models/arm.urdf"], before: [], hasPanels: true },
  humanoid_inertia: { command: ["wyvern", "view", "examples/models/humanoid.urdf"], before: [show("inertia"), look([2.0, -1.8, 0.6], [0, 0, 0])] },
};

// Robots of the folder that examples/models/fetch_models makes, whose folder
// `robots` WYVERN_ROBOTS_DIR names.
const meshes = async (page) => {
  await page.waitForFunction(() => {
    window.wyvern.stage.draw();
    return window.wyvern.stage.renderer.info.render.triangles > 3000;
  }, null, { timeout: 60000 });
  await page.waitForTimeout(2000);
  await page.evaluate(() => window.wyvern.stage.view("iso"));
};
const robots = {
  panda: { command: robot("panda_description/urdf/panda.urdf"), before: [meshes] },
  go2: { command: robot("go2_description/urdf/go2.urdf"), before: [meshes] },
  allegro_hand: { command: robot("allegro_hand_description/urdf/allegro_right_hand.urdf"), before: [meshes] },
  anymal: { command: robot("anymal_c_simple_description/urdf/anymal.urdf"), before: [meshes] },
};

// Pages and pictures that a command leaves in its folder.
const files = {
  report: { command: ["wyvern", "run", "app/scenarios/arm_pd.yaml", "--report", "report.html"], file: "report.html", section: "Positions" },
  knocked_over: { command: ["34_viewer"], file: "knocked_over.html", seek: 0.9 },
};
const drawings = {
  swing: { command: ["00_swing"], file: "swing.svg" },
  arm_blocks: { command: ["wyvern", "diagram", "app/scenarios/arm_pd.yaml", "--format", "svg"] },
};

// The README's animation: scene, diagram and scope of one run.
const live = {
  command: scenario("arm_pd"), from: 0.1, to: 4.0, step: 0.06,
  before: [
    look([2.66, -1.09, 1.58], [1.35, 0.85, 0.82]), click("show-diagram"), scope("plant · arm_net_actuation"), hideControls,
    zoomDiagram(2.4, 0.5, 0.15)],
};

const images = path.join(top, "docs/images");
const [bin, ...rest] = process.argv.slice(2);
const pngFolder = rest.find((one) => one.startsWith("--png="))?.slice(6);
const names = rest.filter((one) => !one.startsWith("--"));
if (!bin) throw new Error("Give the folder of the programs, such as build/run/bin.");
const isWanted = (name) => names.length === 0 || names.includes(name);
const locate = (command) => [path.resolve(bin, command[0]), ...command.slice(1)];

// A folder to run in, in which the models and scenarios are.
async function makeFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "wyvern_pictures_"));
  for (const name of ["app", "examples"]) await symlink(path.join(top, name), path.join(folder, name));
  // As examples/models/fetch_models would make it.
  const { WYVERN_ROBOTS_DIR } = process.env;
  if (WYVERN_ROBOTS_DIR) await symlink(path.dirname(WYVERN_ROBOTS_DIR), path.join(folder, "models"));
  return folder;
}

async function keep(browser, name, png) {
  if (pngFolder) await writeFile(path.join(pngFolder, `${name}.png`), png);
  await writeFile(path.join(images, `${name}.webp`), await toWebp(browser, png, 0.85));
  console.log(name);
}

// A page without a graphics card draws less detail, unless its address says this.
const fixedDetail = "#detail=fixed";

// Leaves nothing but the scene.
const sceneOnly = (page) => page.addStyleTag({ content: "header, footer, aside { display: none !important }" });

// The run waits for each picture: leave its measured rates out. The animation
// plays in real time.
const hideRates = (page) => page.addStyleTag({ content: "#rate, #stats { visibility: hidden }" });

async function openPage(browser, { command, before }, folder, viewport) {
  const program = await startProgram(locate(command), folder);
  const page = await (await browser.newContext({ viewport, colorScheme: "light" })).newPage();
  await page.goto(program.url + fixedDetail);
  await page.waitForFunction(() => window.wyvern?.tree.root.children.length > 0, null, { timeout: 30000 });
  await page.waitForTimeout(1000);
  await hideRates(page);
  for (const act of before) await act(page);
  return { program, page };
}

async function makeStill(browser, name, still) {
  const folder = await makeFolder();
  const size = still.hasPanels ? { width: 960, height: 560 } : { width: 640, height: 400 };
  const { program, page } = await openPage(browser, still, folder, size);
  if (!still.hasPanels) await sceneOnly(page);
  if (still.time) await runTo(page, still.time);
  await page.waitForTimeout(1500);
  await settle(page);
  await keep(browser, name, await page.screenshot());
  await page.context().close();
  await program.end();
  await rm(folder, { recursive: true });
}

async function makeFromFile(browser, name, { command, file, section, seek }) {
  const folder = await makeFolder();
  execFileSync(locate(command)[0], command.slice(1), { cwd: folder, stdio: "ignore" });
  const context = await browser.newContext({
    viewport: { width: 800, height: 500 }, colorScheme: "light", offline: true });
  const page = await context.newPage();
  await page.goto(`file://${path.join(folder, file)}${fixedDetail}`, { timeout: 120000 });
  await page.waitForTimeout(3000);
  if (section) {
    await page.getByRole("link", { name: section }).first().click();
    await page.waitForTimeout(1500);
  }
  if (seek) {
    await page.evaluate((time) => {
      window.wyvern.player().isPlaying = false;
      window.wyvern.player().seek(time);
    }, seek);
    await page.waitForTimeout(500);
  }
  await keep(browser, name, await page.screenshot());
  await context.close();
  await rm(folder, { recursive: true });
}

async function makeDrawing(name, { command, file }) {
  const folder = await makeFolder();
  const said = execFileSync(locate(command)[0], command.slice(1), { cwd: folder });
  await writeFile(path.join(images, `${name}.svg`), file ? await readFile(path.join(folder, file)) : said);
  await rm(folder, { recursive: true });
  console.log(name);
}

async function makeLive(browser) {
  const folder = await makeFolder(), size = { width: 1120, height: 700 };
  const { program, page } = await openPage(browser, live, folder, size);
  const frames = [];
  for (let time = live.from; time <= live.to; time += live.step) {
    await runTo(page, time);
    const png = await page.screenshot();
    if (pngFolder && frames.length % 15 === 0) await writeFile(path.join(pngFolder, `live_${frames.length}.png`), png);
    frames.push(await toWebp(browser, png, 0.6));
  }
  await writeFile(path.join(images, "live.webp"), animate(frames, size.width, size.height, 1000 * live.step));
  console.log(`live: ${frames.length} frames`);
  await page.context().close();
  await program.end();
  await rm(folder, { recursive: true });
}

if (pngFolder) await mkdir(pngFolder, { recursive: true });
const browser = await openBrowser();
try {
  for (const [name, one] of Object.entries({ ...stills, ...robots })) if (isWanted(name)) await makeStill(browser, name, one);
  for (const [name, one] of Object.entries(files)) if (isWanted(name)) await makeFromFile(browser, name, one);
  for (const [name, one] of Object.entries(drawings)) if (isWanted(name)) await makeDrawing(name, one);
  if (isWanted("live")) await makeLive(browser);
} finally {
  await browser.close();
}
