// A page of Wyvern: shows what a program says over its socket, or, in a file
// that was saved, what is in the file.
import "./style.css";
import * as THREE from "three";
import { Controls } from "./controls";
import { Diagram } from "./diagram";
import { Editor } from "./editor";
import { Inspector } from "./inspector";
import { isForPage } from "./keys";
import type { Item, Recording } from "./messages";
import { SceneTree } from "./scene_tree";
import { Scopes } from "./scopes";
import { Stage } from "./stage";
import { Player, readObjects, readTracks, showMarks } from "./timeline";
import { Touch } from "./touch";
import { Transport } from "./transport";
import { Trails } from "./trails";
import { TreePanel } from "./tree_panel";

function element<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

const saved = document.getElementById("items");
const isSaved = saved !== null;
let socket: WebSocket | null = null;
const tree = new SceneTree();
const stage = new Stage(element("stage"), tree);
const trails = new Trails(tree);
stage.add(trails.root);
const panel = new TreePanel(element("tree"), element("follow"), tree, (visible) => stage.showPart("/Grid", visible));
const send = (message: object) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};
const touch = new Touch(element("stage"), tree, stage, send);
touch.isReplay = () => player !== null;
const inspector = new Inspector(element("selected"), element("contacts"), tree, stage, touch, send, isSaved);
inspector.onBodies = () => {
  element("show-contacts").hidden = !inspector.hasBodies;
  if (!inspector.hasBodies) element("contacts").hidden = true;
};
const controls = new Controls(element("controls"), send);
const scopes = new Scopes(element("scopes"));
scopes.onSignals = () => {
  element("show-scopes").hidden = scopes.size === 0;
  if (scopes.size === 0) element("scopes").hidden = true;
};
const diagram = new Diagram(element("diagram"), scopes, send, isSaved);
diagram.onChange = () => {
  element("show-diagram").hidden = !diagram.isThere;
  element("show-diagram").classList.toggle("fault", diagram.hasFault);
  if (!diagram.isThere) element("diagram").hidden = true;
};
diagram.onPin = () => (element("scopes").hidden = false);
const editor = new Editor(element("editor"), send);
editor.onChange = () => (element("show-editor").hidden = !editor.isThere);
const transport = new Transport(element("transport"), send);
let player: Player | null = null;
let hasFramed = false;

async function play(recording: Recording): Promise<void> {
  const tracks = await readTracks(recording), objects = await readObjects(recording);
  const setObject = (path: string, item: Item | null) => tree.apply(item ?? { type: "delete", path });
  player = new Player(tracks, recording.rate, recording.frames, recording.start, (path, pose) => tree.setPose(path, pose), objects, setObject);
  tree.setReplay(true);
  element("timeline").hidden = false;
  element<HTMLInputElement>("scrub").max = `${player.duration}`;
  showMarks(recording.marks, recording.start, player.duration, element("ticks"), element<HTMLSelectElement>("events"));
}

function stopPlaying(): void {
  player = null;
  tree.setReplay(false);
  element("timeline").hidden = true;
}

// Returns true for items about bodies that a person touches.
function applyToBodies(item: Item): boolean {
  if (item.type === "bodies") inspector.setBodies(item.list);
  else if (item.type === "dragger") touch.setDraggable(isSaved ? [] : item.bodies);
  else if (item.type === "body") inspector.setState(item);
  else if (item.type === "contacts") inspector.setContacts(item);
  else return false;
  return true;
}

function apply(item: Item): void {
  if (applyToBodies(item)) return;
  switch (item.type) {
    case "clear":
      touch.clear();
      inspector.clear();
      tree.clear();
      trails.clear();
      controls.clear();
      scopes.clear();
      diagram.clear();
      editor.clear();
      transport.set(null);
      stopPlaying();
      return;
    case "gone":
      if (item.kind === "recording") stopPlaying();
      else if (item.kind === "fault") diagram.setFault(item.path, null);
      else if (item.kind === "active") diagram.setActive(item.path, null);
      else if (item.kind === "editor") editor.clear();
      else if (item.kind === "simulation") transport.set(null);
      else if (item.kind === "dragger") touch.setDraggable([]);
      else if (item.kind === "body" || item.kind === "contacts") inspector.forget(item.kind, item.path);
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
      transport.setTime(item.value);
      return;
    case "stats":
      element("stats").hidden = !item.visible;
      return;
    case "signal":
      scopes.describe(item.path, item.names, item.unit);
      return;
    case "samples":
      if (!diagram.takes(item.path, item.rows, item.fresh)) scopes.add(item.path, item.rows, item.fresh);
      return;
    case "diagram":
      diagram.set(item.root);
      return;
    case "fault":
      diagram.setFault(item.path, item.message);
      return;
    case "active":
      diagram.setActive(item.path, item.name);
      return;
    case "simulation":
      if (!isSaved) transport.set(item);
      return;
    case "editor":
      if (!isSaved) editor.set(item);
      return;
    case "block_types":
      if (!isSaved) editor.setTypes(item.list);
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
      if (item.name === "trail") trails.set(item.path, item.value === true);
      else tree.apply(item);
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
  inspector.ask();
  diagram.ask(); // Also where the browser slows the timers of a page down.
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
  socket.onmessage = (event) => {
    receive(JSON.parse(event.data as string) as Item[]);
    // The program sends no more than a page can take.
    socket?.send("read");
  };
  socket.onclose = () => {
    link.className = "";
    link.title = "the program has ended, or cannot be reached";
    setTimeout(connect, 1000);
  };
}

element<HTMLButtonElement>("show-tree").onclick = () => (element("tree").hidden = !element("tree").hidden);
element<HTMLButtonElement>("show-editor").onclick = () => (element("editor").hidden = !element("editor").hidden);
element<HTMLButtonElement>("show-scopes").onclick = () => (element("scopes").hidden = !element("scopes").hidden);
element<HTMLButtonElement>("show-diagram").onclick = () => {
  const isHidden = (element("diagram").hidden = !element("diagram").hidden);
  document.body.classList.toggle("has-diagram", !isHidden);
};
element<HTMLButtonElement>("show-contacts").onclick = () => {
  element("contacts").hidden = !element("contacts").hidden;
  inspector.ask(true);
};
const help = element<HTMLDialogElement>("help");
element<HTMLButtonElement>("show-help").onclick = () => {
  const row = ([key, name]: [string, string]) => {
    const made = document.createElement("tr");
    made.insertCell().append(Object.assign(document.createElement("kbd"), { textContent: key }));
    made.insertCell().textContent = name;
    return made;
  };
  element("own-keys").replaceChildren(...controls.keyList().map(row));
  help.showModal();
};
element<HTMLButtonElement>("close-help").onclick = () => help.close();
help.onclick = (event) => event.target === help && help.close();
element<HTMLSelectElement>("view").onchange = (event) => {
  const select = event.target as HTMLSelectElement;
  stage.view(select.value);
  select.value = "";
};
element<HTMLSelectElement>("follow").onchange = (event) => stage.follow((event.target as HTMLSelectElement).value);
element<HTMLSelectElement>("trail").onpointerdown = element("trail").onfocus = () => {
  const options = [...element<HTMLSelectElement>("follow").options].filter((option) => option.value !== "");
  element("trail").replaceChildren(
    new Option("Trail…", ""),
    ...options.map(({ text, value }) => new Option(`${trails.has(value) ? "✓ " : ""}${text}`, value)),
  );
};
element<HTMLSelectElement>("trail").onchange = (event) => {
  const select = event.target as HTMLSelectElement;
  trails.set(select.value, !trails.has(select.value));
  select.value = "";
};
element<HTMLButtonElement>("photo").onclick = () => stage.photo();
element<HTMLButtonElement>("film").onclick = (event) => {
  const button = event.target as HTMLElement, isOn = stage.film();
  button.classList.toggle("on", isOn);
  if (!isOn) button.textContent = "WebM";
};
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
element<HTMLSelectElement>("events").onchange = (event) => {
  const select = event.target as HTMLSelectElement;
  if (!player || select.value === "") return;
  player.isPlaying = false;
  player.seek(Number(select.value));
  select.value = "";
};
element<HTMLSelectElement>("speed").onchange = (event) => {
  if (player) player.speed = Number((event.target as HTMLSelectElement).value);
};
element<HTMLInputElement>("loop").onchange = (event) => {
  if (player) player.loops = (event.target as HTMLInputElement).checked;
};
function playOrPause(): void {
  if (player) element("play").click();
  else if (transport.isThere) transport.toggle();
}
addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  if (event.key === "?") {
    if (help.open) help.close();
    else element("show-help").click();
  }
  if (help.open) return;
  if (event.code === "Space" && (player || transport.isThere)) {
    // Not also what has the focus: a button is pressed when the key goes up.
    event.preventDefault();
    addEventListener("keyup", (up) => up.preventDefault(), { once: true });
    if (!event.repeat) playOrPause();
  }
  if (event.code === "KeyT") element("show-tree").click();
  if (event.code === "KeyS" && scopes.size > 0) element("show-scopes").click();
  if (event.code === "KeyD" && diagram.isThere) element("show-diagram").click();
  if (event.code === "KeyE" && editor.isThere) element("show-editor").click();
  if (event.code === "KeyK" && inspector.hasBodies) element("show-contacts").click();
  if (event.code === "KeyF") stage.view("fit");
  if (event.code === "KeyC") touch.centerSelected();
  if (event.code === "KeyH" && event.shiftKey) tree.showAll();
  else if (event.code === "KeyH") touch.hideSelected();
  if (event.code === "Escape" && touch.isDragging) touch.release();
  else if (event.code === "Escape") touch.select(null);
  if (event.code === "Period" && transport.isThere) transport.takeStep();
});

let lastTime = performance.now();
let frames = 0, turns = 0, countedSince = lastTime;
stage.renderer.setAnimationLoop((now: number) => {
  const elapsed = Math.max(0, (now - lastTime) / 1000), seconds = Math.min(0.25, elapsed);
  lastTime = now;
  if (player) {
    player.advance(seconds);
    element<HTMLInputElement>("scrub").value = `${player.time}`;
    element("moment").textContent = `${player.now.toFixed(2)} / ${(player.start + player.duration).toFixed(2)} s`;
    element("play").textContent = player.isPlaying ? "❚❚" : "▶";
  }
  const filmed = stage.keepFilming(player?.isPlaying ?? transport.isPlaying, elapsed);
  if (filmed !== null) {
    const text = `● ${Math.floor(filmed / 60)}:${(filmed % 60).toFixed(1).padStart(4, "0")}`;
    if (element("film").textContent !== text) element("film").textContent = text;
  }
  touch.update();
  inspector.update();
  diagram.choose(inspector.selectedBody?.[2] ?? null);
  panel.update();
  trails.update();
  scopes.update(player ? player.now : null);
  diagram.update();
  // What stands still is not drawn anew, and says nothing of how fast it is.
  ++turns;
  if (stage.draw()) ++frames;
  if (now - countedSince > 1000) {
    const rate = (frames * 1000) / (now - countedSince);
    if (frames > 0) element("stats").textContent = `${Math.round(rate)} fps`;
    if (frames > 0.9 * turns) stage.adapt(rate);
    frames = turns = 0;
    countedSince = now;
  }
});

// The panels are below the header, which has more rows on a narrow screen.
const header = document.querySelector("header")!;
new ResizeObserver(() => {
  document.body.style.setProperty("--below-header", `${header.offsetTop + header.offsetHeight + 10}px`);
}).observe(header);
// So are they above the footer that is shown, if one is.
const footers = [...document.querySelectorAll<HTMLElement>("footer")];
const aboveFooter = new ResizeObserver(() => {
  const shown = footers.find(({ offsetHeight }) => offsetHeight > 0);
  document.body.style.setProperty("--above-footer", `${shown ? innerHeight - shown.offsetTop + 10 : 12}px`);
});
for (const footer of footers) aboveFooter.observe(footer);

if (saved) {
  element("link").className = "file";
  element("link").title = "a saved page";
  receive(JSON.parse(saved.textContent ?? "[]") as Item[]);
} else {
  connect();
}
// For tests: what is where.
Object.assign(window, { wyvern: { tree, stage, scopes, diagram, transport, trails, touch, inspector, editor, player: () => player } });
