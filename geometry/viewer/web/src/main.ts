// A page of Wyvern: shows what a program says over its socket, or, in a file
// that was saved, what is in the file.
import "./style.css";
import * as THREE from "three";
import { Controls } from "./controls";
import type { Item, Recording } from "./messages";
import { SceneTree } from "./scene_tree";
import { Scopes } from "./scopes";
import { Stage } from "./stage";
import { Player, readObjects, readTracks } from "./timeline";
import { TreePanel } from "./tree_panel";

function element<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

let socket: WebSocket | null = null;
const tree = new SceneTree();
const stage = new Stage(element("stage"), tree);
const panel = new TreePanel(element("tree"), element("follow"), tree, (visible) => stage.showPart("/Grid", visible));
const controls = new Controls(element("controls"), (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
});
const scopes = new Scopes(element("scopes"));
scopes.onSignals = () => {
  element("show-scopes").hidden = scopes.size === 0;
  if (scopes.size === 0) element("scopes").hidden = true;
};
let player: Player | null = null;
let hasFramed = false;

async function play(recording: Recording): Promise<void> {
  const tracks = await readTracks(recording), objects = await readObjects(recording);
  const setObject = (path: string, item: Item | null) => tree.apply(item ?? { type: "delete", path });
  player = new Player(tracks, recording.rate, recording.frames, (path, pose) => tree.setPose(path, pose), objects, setObject);
  tree.setReplay(true);
  element("timeline").hidden = false;
  element<HTMLInputElement>("scrub").max = `${player.duration}`;
}

function stopPlaying(): void {
  player = null;
  tree.setReplay(false);
  element("timeline").hidden = true;
}

function apply(item: Item): void {
  switch (item.type) {
    case "clear":
      tree.clear();
      controls.clear();
      scopes.clear();
      stopPlaying();
      return;
    case "gone":
      if (item.kind === "recording") stopPlaying();
      else controls.remove(`${item.kind}:${item.path}`);
      return;
    case "camera":
      stage.isPlaced = true;
      stage.look(new THREE.Vector3(...item.position), new THREE.Vector3(...item.target));
      return;
    case "mode":
      if (item.flat && item.x && item.window) stage.flatten(item.x, item.window);
      else stage.unflatten();
      return;
    case "rate":
      element("rate").textContent = `${item.value.toFixed(2)}× real time`;
      return;
    case "time":
      element("clock").textContent = `${item.value.toFixed(3)} s`;
      return;
    case "stats":
      element("stats").hidden = !item.visible;
      return;
    case "signal":
      scopes.describe(item.path, item.names, item.unit);
      return;
    case "samples":
      scopes.add(item.path, item.rows, item.fresh);
      return;
    case "slider":
      controls.slider(item);
      return;
    case "button":
      controls.button(item);
      return;
    case "recording":
      void play(item);
      return;
    case "property":
      if (item.name === "visible" && stage.showPart(item.path, item.value === true)) return;
      tree.apply(item);
      return;
    default:
      // A recording that plays has the say where things are.
      if (item.type === "pose" && player) return;
      if ((item.type === "object" || item.type === "delete") && player?.hasObject(item.path)) return;
      tree.apply(item);
  }
}

function receive(items: Item[]): void {
  for (const item of items) apply(item);
  if (!hasFramed && items.some((item) => item.type === "object")) {
    hasFramed = true;
    if (!stage.isPlaced) stage.view("iso");
  }
}

function connect(): void {
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  address.search = location.search;
  socket = new WebSocket(address);
  const link = element("link");
  socket.onopen = () => {
    link.className = "on";
    link.title = "connected";
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data as string) as Item[]);
  socket.onclose = () => {
    link.className = "";
    link.title = "the program has ended, or cannot be reached";
    setTimeout(connect, 1000);
  };
}

element<HTMLButtonElement>("show-tree").onclick = () => (element("tree").hidden = !element("tree").hidden);
element<HTMLButtonElement>("show-scopes").onclick = () => (element("scopes").hidden = !element("scopes").hidden);
element<HTMLSelectElement>("view").onchange = (event) => {
  const select = event.target as HTMLSelectElement;
  stage.view(select.value);
  select.value = "";
};
element<HTMLSelectElement>("follow").onchange = (event) => stage.follow((event.target as HTMLSelectElement).value);
element<HTMLButtonElement>("photo").onclick = () => stage.photo();
element<HTMLButtonElement>("film").onclick = (event) =>
  (event.target as HTMLElement).classList.toggle("on", stage.film());
element<HTMLButtonElement>("play").onclick = () => {
  if (!player) return;
  if (player.time >= player.duration) player.seek(0);
  player.isPlaying = !player.isPlaying;
};
element<HTMLInputElement>("scrub").oninput = (event) => {
  if (!player) return;
  player.isPlaying = false;
  player.seek((event.target as HTMLInputElement).valueAsNumber);
};
element<HTMLSelectElement>("speed").onchange = (event) => {
  if (player) player.speed = Number((event.target as HTMLSelectElement).value);
};
element<HTMLInputElement>("loop").onchange = (event) => {
  if (player) player.loops = (event.target as HTMLInputElement).checked;
};
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
  if (event.code === "KeyT") element("show-tree").click();
  if (event.code === "KeyS" && scopes.size > 0) element("show-scopes").click();
  if (event.code === "Space" && player) element("play").click();
});

let lastTime = performance.now();
let frames = 0, countedSince = lastTime;
stage.renderer.setAnimationLoop((now: number) => {
  const seconds = Math.min(0.25, Math.max(0, (now - lastTime) / 1000));
  lastTime = now;
  if (player) {
    player.advance(seconds);
    element<HTMLInputElement>("scrub").value = `${player.time}`;
    element("moment").textContent = `${player.time.toFixed(2)} / ${player.duration.toFixed(2)} s`;
    element("play").textContent = player.isPlaying ? "❚❚" : "▶";
  }
  panel.update();
  scopes.update(player ? player.time : null);
  stage.draw();
  if (++frames && now - countedSince > 1000) {
    element("stats").textContent = `${Math.round((frames * 1000) / (now - countedSince))} fps`;
    frames = 0;
    countedSince = now;
  }
});

// The panels are below the header, which has more rows on a narrow screen.
const header = document.querySelector("header")!;
new ResizeObserver(() => {
  document.body.style.setProperty("--below-header", `${header.offsetTop + header.offsetHeight + 10}px`);
}).observe(header);

const saved = document.getElementById("items");
if (saved) {
  element("link").className = "file";
  element("link").title = "a saved page";
  receive(JSON.parse(saved.textContent ?? "[]") as Item[]);
} else {
  connect();
}
// For tests: what is where.
Object.assign(window, { wyvern: { tree, stage, scopes, player: () => player } });
