// Meshes with the materials of their files, and labels.
import * as THREE from "three";
import { bytesOf, type Color, type LabelData, type ModelData } from "./messages";

const floats = (base64: string) => new Float32Array(bytesOf(base64).buffer);

/** A group of meshes, whose materials are their own; images come later. */
export function makeModel(data: ModelData, onImage: () => void): THREE.Group {
  const textures = data.images.map(([type, bytes]) => {
    const texture = new THREE.Texture();
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    const image = new Image();
    image.onload = () => {
      texture.image = image;
      texture.needsUpdate = true;
      onImage();
    };
    image.src = `data:${type};base64,${bytes}`;
    return texture;
  });
  const group = new THREE.Group();
  for (const part of data.parts) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(floats(part.vertices), 3));
    if (part.faces) geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytesOf(part.faces).buffer), 1));
    if (part.uv) geometry.setAttribute("uv", new THREE.BufferAttribute(floats(part.uv), 2));
    if (part.normals) geometry.setAttribute("normal", new THREE.BufferAttribute(floats(part.normals), 3));
    else geometry.computeVertexNormals();
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55, metalness: 0.05, side: THREE.DoubleSide, map: part.uv ? (textures[part.image] ?? null) : null,
    });
    const [r, g, b, a] = part.color;
    material.color.setRGB(r, g, b, part.linear ? THREE.LinearSRGBColorSpace : THREE.SRGBColorSpace);
    material.userData["color"] = material.color.clone();
    material.userData["opacity"] = a;
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  return group;
}

/** The materials of a model, as its file has them but for what holds there. */
export function paintModel(model: THREE.Group, color: Color | null, opacity: number, wireframe: boolean): void {
  for (const part of model.children as THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>[]) {
    const material = part.material;
    if (color) material.color.setRGB(color[0], color[1], color[2], THREE.SRGBColorSpace);
    else material.color.copy(material.userData["color"] as THREE.Color);
    material.wireframe = wireframe;
    material.opacity = opacity * (material.userData["opacity"] as number);
    material.transparent = material.opacity < 1;
    material.depthWrite = material.opacity >= 1;
    material.needsUpdate = true;
  }
}

/** A text that faces whoever looks. */
export function makeLabel(data: LabelData, color: Color): THREE.Sprite {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d")!;
  const font = "600 64px system-ui, sans-serif";
  brush.font = font;
  canvas.width = Math.ceil(brush.measureText(data.text).width) + 24;
  canvas.height = 88;
  brush.font = font;
  brush.textBaseline = "middle";
  brush.lineJoin = "round";
  brush.lineWidth = 12;
  // Readable on any ground: dark letters have a light rim, and light ones a dark.
  const [r, g, b] = color;
  brush.strokeStyle = 0.3 * r + 0.6 * g + 0.1 * b < 0.5 ? "#ffffffd0" : "#000000b0";
  brush.fillStyle = `rgb(${255 * r} ${255 * g} ${255 * b})`;
  brush.strokeText(data.text, 12, 46);
  brush.fillText(data.text, 12, 46);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, transparent: true }));
  sprite.scale.set((data.height * canvas.width) / canvas.height, data.height, 1);
  sprite.renderOrder = 1;
  return sprite;
}
