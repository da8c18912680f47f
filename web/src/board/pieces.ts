/** The marks as bodies in the 3-D view: each has a shape and a colour of its own, as on the layers. */
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  OctahedronGeometry,
  TorusGeometry,
} from "three";

/** A geometry, and the angles in which it stands there. */
export interface Piece {
  shape: BufferGeometry;
  turns: readonly number[];
}

const QUARTER = Math.PI / 2;

/** The bodies of all marks, made once for a scene. */
export class Pieces {
  private readonly bar = new CapsuleGeometry(0.1, 0.62, 6, 14);
  private readonly made: Record<string, Piece> = {
    X: { shape: this.bar, turns: [QUARTER / 2, -QUARTER / 2] },
    O: { shape: new TorusGeometry(0.3, 0.1, 14, 36), turns: [0] },
    A: { shape: new ConeGeometry(0.42, 0.72, 3), turns: [0] },
    B: { shape: new BoxGeometry(0.58, 0.58, 0.58), turns: [0] },
    C: { shape: new OctahedronGeometry(0.45), turns: [0] },
    D: { shape: this.bar, turns: [0, QUARTER] },
    E: { shape: this.bar, turns: [0, Math.PI / 3, -Math.PI / 3] },
    F: { shape: new CylinderGeometry(0.4, 0.4, 0.36, 6).rotateX(QUARTER), turns: [0] },
  };
  private readonly other: Piece = {
    shape: new CylinderGeometry(0.4, 0.4, 0.18, 24).rotateX(QUARTER),
    turns: [0],
  };

  of(mark: string): Piece {
    return this.made[mark] ?? this.other;
  }

  dispose(): void {
    for (const { shape } of [...Object.values(this.made), this.other]) shape.dispose();
  }
}
