/** The three.js scene of a cube: a lattice of cells that turns under the pointer. */
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene as ThreeScene,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";

import { type Box, placeOf } from "../model/cells";
import { colourOf } from "./markColour";
import type { Picture } from "./picture";
import { Pieces } from "./pieces";

export function hasWebgl(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

const SPREAD = 1.35;

function tint(name: string): Color {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return new Color(value || "#888");
}

export class Scene {
  private readonly renderer = new WebGLRenderer({ antialias: true, alpha: true });
  private readonly scene = new ThreeScene();
  private readonly camera = new PerspectiveCamera(35, 1, 0.1, 100);
  private readonly lattice = new Group();
  private readonly pieces = new Group();
  private readonly sockets: Mesh[] = [];
  private readonly resizes: ResizeObserver;
  private readonly plates: Mesh[] = [];
  private readonly socket = new SphereGeometry(0.11, 16, 12);
  private readonly shapes = new Pieces();
  private readonly themes = new MutationObserver(() => this.repaint());
  private readonly system = window.matchMedia("(prefers-color-scheme: dark)");
  private dragged: { x: number; y: number; moved: number } | null = null;
  private picture: Picture | null = null;
  private frame = 0;

  constructor(
    private readonly holder: HTMLElement,
    private readonly box: Box,
    private readonly press: (cell: number) => void,
  ) {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    holder.append(this.renderer.domElement);
    const light = new DirectionalLight(0xffffff, 1.6);
    light.position.set(3, 6, 5);
    this.scene.add(new HemisphereLight(0xffffff, 0x667788, 1.7), light, this.lattice);
    this.lattice.add(this.pieces);
    this.lattice.rotation.set(0.42, -0.55, 0);
    for (let cell = 0; cell < box.rows * box.cols * box.layers; cell++) {
      const socket = new Mesh(this.socket, new MeshStandardMaterial());
      socket.position.copy(this.centre(cell));
      socket.userData.cell = cell;
      this.sockets.push(socket);
      this.lattice.add(socket);
    }
    for (let layer = 0; layer < box.layers; layer++) this.plates.push(this.plate(layer));
    this.lattice.add(...this.plates);
    this.resizes = new ResizeObserver(() => this.resize());
    this.resizes.observe(holder);
    // The colours are those of the page, whoever changes them.
    this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.system.addEventListener("change", this.repaint);
    const canvas = this.renderer.domElement;
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", this.cancel);
    this.resize();
  }

  show(picture: Picture): void {
    this.picture = picture;
    const quiet = tint("--line-strong");
    const accent = tint("--accent");
    this.discard(this.pieces.children);
    this.pieces.clear();
    this.sockets.forEach((socket, cell) => {
      const mark = picture.cells[cell] ?? null;
      const material = socket.material as MeshStandardMaterial;
      socket.visible = mark === null;
      material.color = picture.hint === cell ? accent : quiet;
      material.transparent = true;
      material.opacity = picture.legal.has(cell) || picture.hint === cell ? 0.9 : 0.45;
      if (mark !== null) this.pieces.add(this.piece(mark, cell, picture, accent));
    });
    for (const plate of this.plates) (plate.material as MeshStandardMaterial).color = quiet;
    for (const { from, to } of picture.strokes) this.pieces.add(this.beam(from, to, accent));
    this.draw();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.resizes.disconnect();
    this.themes.disconnect();
    this.system.removeEventListener("change", this.repaint);
    this.discard(this.lattice.children);
    for (const plate of this.plates) plate.geometry.dispose();
    this.socket.dispose();
    this.shapes.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  private readonly repaint = (): void => {
    if (this.picture) this.show(this.picture);
  };

  private centre(cell: number): Vector3 {
    const { row, col, layer } = placeOf(this.box, cell);
    const { rows, cols, layers } = this.box;
    return new Vector3(col - (cols - 1) / 2, (layers - 1) / 2 - layer, row - (rows - 1) / 2).multiplyScalar(
      SPREAD,
    );
  }

  /** A sheet of glass under a layer, so that the eye finds its cells. */
  private plate(layer: number): Mesh {
    const { rows, cols, layers } = this.box;
    const plate = new Mesh(
      new BoxGeometry(cols * SPREAD, 0.03, rows * SPREAD),
      new MeshStandardMaterial({
        transparent: true,
        opacity: 0.16,
        depthWrite: false,
      }),
    );
    plate.position.y = ((layers - 1) / 2 - layer) * SPREAD - 0.42;
    return plate;
  }

  private piece(mark: string, cell: number, picture: Picture, accent: Color): Object3D {
    const group = new Group();
    group.position.copy(this.centre(cell));
    const lit = picture.winning.has(cell) || picture.last === cell;
    const material = new MeshStandardMaterial({
      color: tint(colourOf(mark)),
      roughness: 0.45,
      emissive: lit ? accent : new Color(0),
      emissiveIntensity: lit ? 0.35 : 0,
    });
    const { shape, turns } = this.shapes.of(mark);
    for (const turn of turns) {
      const part = new Mesh(shape, material);
      part.rotation.z = turn;
      group.add(part);
    }
    return group;
  }

  private beam(from: Place3, to: Place3, color: Color): Mesh {
    const index = ({ row, col, layer }: Place3) => (layer * this.box.rows + row) * this.box.cols + col;
    const a = this.centre(index(from));
    const b = this.centre(index(to));
    const beam = new Mesh(
      new CylinderGeometry(0.07, 0.07, a.distanceTo(b) + 0.7, 12),
      new MeshStandardMaterial({ color, transparent: true, opacity: 0.8 }),
    );
    beam.userData.own = true;
    beam.position.copy(a).add(b).multiplyScalar(0.5);
    beam.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), b.clone().sub(a).normalize());
    return beam;
  }

  private readonly down = (event: PointerEvent): void => {
    this.dragged = { x: event.clientX, y: event.clientY, moved: 0 };
    this.renderer.domElement.setPointerCapture(event.pointerId);
  };

  private readonly move = (event: PointerEvent): void => {
    if (!this.dragged) {
      const cell = this.cellAt(event);
      this.renderer.domElement.style.cursor =
        cell !== null && this.picture?.legal.has(cell) ? "pointer" : "grab";
      return;
    }
    const dx = event.clientX - this.dragged.x;
    const dy = event.clientY - this.dragged.y;
    this.dragged = {
      x: event.clientX,
      y: event.clientY,
      moved: this.dragged.moved + Math.abs(dx) + Math.abs(dy),
    };
    this.lattice.rotation.y += dx * 0.01;
    this.lattice.rotation.x = Math.max(-1.4, Math.min(1.4, this.lattice.rotation.x + dy * 0.01));
    this.draw();
  };

  private readonly up = (event: PointerEvent): void => {
    const still = this.dragged !== null && this.dragged.moved < 6;
    this.dragged = null;
    const cell = still ? this.cellAt(event) : null;
    if (cell !== null && this.picture?.legal.has(cell)) this.press(cell);
  };

  private readonly cancel = (): void => {
    this.dragged = null;
  };

  private cellAt(event: PointerEvent): number | null {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(
      ((event.clientX - rect.left) / rect.width) * 2 - 1,
      1 - ((event.clientY - rect.top) / rect.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.intersectObjects(this.sockets.filter((socket) => socket.visible))[0];
    return hit ? (hit.object.userData.cell as number) : null;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // The corners of the lattice stay in sight however it is turned, on wide and on narrow screens.
    const { rows, cols, layers } = this.box;
    this.camera.position.z = (SPREAD * Math.max(rows, cols, layers) * 2.75) / Math.min(1, this.camera.aspect);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.renderer.render(this.scene, this.camera));
  }

  /** Frees what was made for these objects alone; the shapes of the marks stay. */
  private discard(objects: readonly Object3D[]): void {
    for (const object of objects)
      object.traverse((part) => {
        if (!(part instanceof Mesh)) return;
        (part.material as MeshStandardMaterial).dispose();
        if (part.userData.own === true) (part.geometry as BufferGeometry).dispose();
      });
  }
}

type Place3 = { row: number; col: number; layer: number };
