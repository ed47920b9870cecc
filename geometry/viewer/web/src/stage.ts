// The canvas: lights, ground, cameras, and pictures of it.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Pose } from "./messages";
import type { SceneTree } from "./scene_tree";

const dark = matchMedia("(prefers-color-scheme: dark)");

const largeCanvas = 1e6; // Pixels.
const stillCanvas = 2e6; // Most pixels of a still.
const stillAfter = 400; // [ms] without a change.

function hasGraphicsCard(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? `${gl.getParameter(info.UNMASKED_RENDERER_WEBGL)}` : "";
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8a93a0, 1.5);
  private readonly grid = new THREE.Group();
  private readonly axes = new THREE.AxesHelper(0.3);
  private hasBackground = true;
  private readonly perspective = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
  private readonly flat = new THREE.OrthographicCamera();
  private camera: THREE.Camera = this.perspective;
  private readonly orbit: OrbitControls;
  private followed: string = "";
  private readonly lastFollowed = new THREE.Vector3();
  private recorder: MediaRecorder | null = null;
  private ground: number | null = null; // Its height; the camera stays above it.
  private isStale = true;
  private drawnChanges = -1;
  private slowness = 0; // How much is left out for the sake of speed.
  private hasSmoothEdges = true;
  private readonly fine = new THREE.Group(); // What slowness leaves out first.
  private calm = 0; // Seconds in which it was fast.
  private changedAt = 0; // When the picture last changed [ms].
  private isStill = false; // Whether a still is shown.
  isPlaced = false; // By a person or the program: then it stays.
  private framed: number | null = null; // Radius of what view() shows; null once the camera is moved.
  // "#detail=fixed" in the address: pictures and tests keep the detail of the start.
  private readonly hasFixedDetail = new URLSearchParams(location.hash.slice(1)).get("detail") === "fixed";

  constructor(private readonly place: HTMLElement, private readonly tree: SceneTree) {
    THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
    for (const camera of [this.perspective, this.flat]) camera.up.set(0, 0, 1);
    this.renderer = this.makeRenderer(true);
    this.orbit = new OrbitControls(this.perspective, this.renderer.domElement);
    this.orbit.addEventListener("start", () => {
      this.isPlaced = true;
      this.framed = null;
      this.ground = this.tree.ground();
    });

    this.axes.position.z = 0.001;
    this.scene.add(tree.root, this.grid, this.axes, this.sky);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target);
    const hasCard = hasGraphicsCard(this.renderer);
    if (hasCard) this.soften();
    this.paint();
    dark.addEventListener("change", () => this.paint());
    this.look(new THREE.Vector3(2.2, -2.6, 1.8), new THREE.Vector3(0, 0, 0.4));
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
    // Without a graphics card, the first frame of a large canvas takes seconds.
    const { width, height } = this.renderer.domElement;
    if (!hasCard && width * height > largeCanvas) this.leaveOut(2);
  }

  private makeRenderer(antialias: boolean): THREE.WebGLRenderer {
    const renderer = new THREE.WebGLRenderer({ antialias, preserveDrawingBuffer: true });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.place.append(renderer.domElement);
    return renderer;
  }

  // Light from the walls of a room, which a processor is too slow for.
  private soften(): void {
    const maker = new THREE.PMREMGenerator(this.renderer);
    this.scene.environment = maker.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.4;
    this.sky.intensity = 0.9;
    maker.dispose();
  }

  private harden(): void {
    this.scene.environment?.dispose();
    this.scene.environment = null;
    this.sky.intensity = 1.5;
  }

  // Smooth edges cannot be switched off, so another canvas takes the place.
  private dropSmoothEdges(): void {
    if (this.recorder || !this.hasSmoothEdges) return;
    this.hasSmoothEdges = false;
    this.harden();
    this.renderer.dispose();
    this.renderer.domElement.remove();
    this.renderer = this.makeRenderer(false);
    this.orbit.disconnect();
    this.orbit.connect(this.renderer.domElement);
    this.resize();
  }

  /** Once a second in which it was drawn: leaves out what costs most where
  frames are few, as without a graphics card, and brings it back. */
  adapt(framesPerSecond: number): void {
    if (this.hasFixedDetail) return;
    this.calm = framesPerSecond > 50 ? this.calm + 1 : 0;
    const more = framesPerSecond < 6 ? 2 : framesPerSecond < 24 ? 1 : this.calm > 10 ? -1 : 0;
    this.leaveOut(Math.min(Math.max(this.slowness + more, 0), 3));
    if (more > 0 && this.slowness >= 2) this.dropSmoothEdges();
  }

  /** Leaves nothing out (0) up to all that can be (3). */
  leaveOut(slowness: number): void {
    if (slowness === this.slowness) return;
    this.slowness = slowness;
    this.calm = 0;
    this.sun.castShadow = this.fine.visible = slowness < 2;
    document.body.classList.toggle("plain", slowness >= 2);
    this.resize();
  }

  private paint(): void {
    this.isStale = true;
    this.scene.background = new THREE.Color(
      !this.hasBackground ? 0xffffff : dark.matches ? 0x15181c : 0xf3f5f7,
    );
    this.grid.clear();
    this.fine.clear();
    this.grid.add(this.fine);
    const grid = (group: THREE.Group, size: number, step: number, color: number, opacity: number) => {
      const lines = new THREE.GridHelper(size, size / step, color, color);
      lines.rotation.x = Math.PI / 2;
      (lines.material as THREE.Material).transparent = true;
      (lines.material as THREE.Material).opacity = opacity;
      (lines.material as THREE.Material).depthWrite = false;
      group.add(lines);
    };
    const color = dark.matches ? 0xaab6c2 : 0x5b6773;
    grid(this.grid, 20, 1, color, 0.35);
    grid(this.fine, 20, 0.25, color, 0.1);
    const shade = new THREE.Mesh(new THREE.PlaneGeometry(200, 200), new THREE.ShadowMaterial({ opacity: 0.25 }));
    shade.position.z = -0.002;
    shade.receiveShadow = true;
    this.fine.add(shade);
  }

  add(object: THREE.Object3D): void {
    this.scene.add(object);
  }

  /** Shows or hides a part that is no body; whether `path` is one. */
  showPart(path: string, visible: boolean): boolean {
    this.isStale = true;
    if (path === "/Grid") this.grid.visible = visible;
    else if (path === "/Axes") this.axes.visible = visible;
    else if (path === "/Background") {
      this.hasBackground = visible;
      this.paint();
    } else return false;
    return true;
  }

  remove(object: THREE.Object3D): void {
    this.scene.remove(object);
  }

  /** Returns the line of sight through a point of the window. */
  ray(event: { clientX: number; clientY: number }): THREE.Raycaster {
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    const ray = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  /** Returns the pixel of the canvas at which a point of the world is seen, for tests. */
  project(point: THREE.Vector3): [number, number] {
    const { width, height } = this.renderer.domElement.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const at = point.clone().project(this.camera);
    return [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
  }

  /** The camera's place and the point that it looks at. */
  get eye(): { from: THREE.Vector3; at: THREE.Vector3 } {
    return { from: this.camera.position.clone(), at: this.orbit.target.clone() };
  }

  /** Turns the camera's centre to a point, as far from it as before. */
  center(point: THREE.Vector3): void {
    if (this.camera !== this.perspective) return;
    this.isPlaced = true;
    const { ground } = this;
    this.look(this.perspective.position.clone().sub(this.orbit.target).add(point), point);
    this.ground = ground;
  }

  look(from: THREE.Vector3, at: THREE.Vector3): void {
    this.isStale = true;
    this.framed = null;
    this.ground = null;
    this.orbit.maxPolarAngle = Math.PI;
    this.camera = this.perspective;
    this.perspective.position.copy(from);
    this.orbit.target.copy(at);
    this.orbit.update();
  }

  /** A view of what moves, by its name: along an axis, oblique, or "fit", as
  the camera is turned; or of everything, "all". */
  view(name: string): void {
    const { center, radius } = this.tree.bounds(name === "all" ? "all" : "moving");
    const directions: Record<string, [number, number, number]> = {
      iso: [1, -1.2, 0.75], front: [1, 0, 0], side: [0, 1, 0], top: [0.001, 0, 1],
    };
    const direction = name in directions
      ? new THREE.Vector3(...directions[name]!)
      : this.perspective.position.clone().sub(this.orbit.target);
    this.look(direction.setLength(this.distanceOf(radius)).add(center), center);
    this.framed = radius;
  }

  /** The distance [m] from which a ball fills the narrower side of the window. */
  private distanceOf(radius: number): number {
    const narrow = Math.min(1, this.perspective.aspect);
    return (Math.max(radius, 0.05) * 1.25) / (Math.sin((this.perspective.fov * Math.PI) / 360) * narrow);
  }

  flatten(pose: Pose, window: [number, number, number, number]): void {
    this.isStale = true;
    this.camera = this.flat;
    const q = new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]);
    const from = new THREE.Vector3(0, -50, 0).applyQuaternion(q);
    this.flat.up.set(0, 0, 1).applyQuaternion(q);
    this.flat.position.set(pose[0], pose[1], pose[2]).add(from);
    this.flat.lookAt(pose[0], pose[1], pose[2]);
    [this.flat.left, this.flat.right, this.flat.bottom, this.flat.top] = window;
    this.flat.near = 0.1;
    this.flat.far = 200;
    this.flat.updateProjectionMatrix();
  }

  unflatten(): void {
    this.isStale = true;
    this.camera = this.perspective;
  }

  follow(path: string): void {
    this.followed = path;
    this.tree.group(path)?.getWorldPosition(this.lastFollowed);
  }

  private resize(): void {
    this.isStale = true;
    this.isStill = false;
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio([Math.min(devicePixelRatio, 2), Math.min(devicePixelRatio, 1), 0.75, 0.5][this.slowness]!);
    this.renderer.setSize(width, height, false);
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    this.tree.resize(width, height);
    if (this.framed === null) return;
    // A window of another shape, as beside the diagram, shows the same ball.
    const { from, at } = this.eye;
    this.perspective.position.copy(from.sub(at).setLength(this.distanceOf(this.framed)).add(at));
    this.orbit.update();
  }

  // How far the camera may sink, as an angle from the zenith of what it looks at.
  private lowestAngle(): number {
    if (this.ground === null) return Math.PI;
    const distance = this.perspective.position.distanceTo(this.orbit.target);
    const lowest = this.ground + Math.max(0.01, 0.03 * distance);
    return Math.acos(THREE.MathUtils.clamp((lowest - this.orbit.target.z) / distance, -1, 1));
  }

  /** Whether there was anything new to draw. */
  draw(): boolean {
    const body = this.followed ? this.tree.group(this.followed) : undefined;
    if (body) {
      const now = body.getWorldPosition(new THREE.Vector3());
      const moved = now.clone().sub(this.lastFollowed);
      this.lastFollowed.copy(now);
      this.perspective.position.add(moved);
      this.orbit.target.add(moved);
    }
    this.orbit.maxPolarAngle = this.lowestAngle();
    const hasMoved = this.orbit.update();
    if (!hasMoved && !this.isStale && this.drawnChanges === this.tree.changes) {
      if (performance.now() - this.changedAt > stillAfter) this.drawStill();
      return false;
    }
    if (this.isStill) this.resize();
    this.changedAt = performance.now();
    this.isStale = false;
    this.drawnChanges = this.tree.changes;
    this.render([0, 0, 3, 6][this.slowness]!);
    return true;
  }

  // Draws a picture that does not change once more, with smooth edges and all
  // triangles, if slowness left them out.
  private drawStill(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (this.isStill || this.slowness === 0 || this.hasFixedDetail || this.recorder || width * height === 0) return;
    this.isStill = true;
    const ratio = Math.min(2, Math.sqrt(stillCanvas / (width * height)));
    this.renderer.setPixelRatio(Math.max(ratio, this.renderer.getPixelRatio()));
    this.render(0);
  }

  private render(tolerance: number): void {
    // Shadows where one looks, as sharp as that is near.
    const at = this.orbit.target;
    const reach = Math.max(0.5, this.perspective.position.distanceTo(at));
    this.sun.position.copy(at).add(new THREE.Vector3(0.5, -0.4, 1.2).multiplyScalar(2 * reach));
    this.sun.target.position.copy(at);
    const light = this.sun.shadow.camera;
    light.left = light.bottom = -reach;
    light.right = light.top = reach;
    light.near = 0.1 * reach;
    light.far = 6 * reach;
    light.updateProjectionMatrix();
    this.tree.setDetail(this.camera, this.renderer.domElement.height, tolerance);
    this.renderer.render(this.scene, this.camera);
  }

  photo(): void {
    this.draw();
    this.renderer.domElement.toBlob((blob) => blob && save(blob, "wyvern.png"));
  }

  /** Begins a video, or ends it; returns true if one is being made. */
  film(): boolean {
    if (this.recorder) {
      this.recorder.stop();
      this.recorder = null;
      return false;
    }
    const pieces: Blob[] = [];
    const recorder = new MediaRecorder(this.renderer.domElement.captureStream(60), { mimeType: "video/webm" });
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.onstop = () => save(new Blob(pieces, { type: "video/webm" }), "wyvern.webm");
    this.filmed = 0;
    this.recorder = recorder;
    recorder.start();
    recorder.pause();
    return true;
  }
  filmed = 0; // Length of the last video [s].

  /** Call it once a frame, with its length. The video goes on only while something plays. Returns its length [s], or null if there is none. */
  keepFilming(isPlaying: boolean, seconds: number): number | null {
    if (!this.recorder) return null;
    if (isPlaying && this.recorder.state === "paused") this.recorder.resume();
    if (!isPlaying && this.recorder.state === "recording") this.recorder.pause();
    if (isPlaying) {
      this.filmed += seconds;
      this.isStale = true; // A picture that stands still is filmed, too.
    }
    return this.filmed;
  }
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
