/** The turnable view of a cube. Only pages with a cube load this file, and three.js with it. */
import { useEffect, useRef, useState } from "react";

import { t } from "../text";
import type { Picture } from "./picture";
import { hasWebgl, Scene } from "./scene";
import "./CubeView.css";

interface CubeViewProps {
  picture: Picture;
  onPress: ((cell: number) => void) | null;
}

export default function CubeView({ picture, onPress }: CubeViewProps) {
  const holder = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  const press = useRef(onPress);
  const [able] = useState(hasWebgl);
  useEffect(() => {
    press.current = onPress;
  });
  const { rows, cols, layers } = picture.layout;
  useEffect(() => {
    if (!able || !holder.current) return;
    const made = new Scene(holder.current, { rows, cols, layers }, (cell) => press.current?.(cell));
    scene.current = made;
    return () => {
      made.close();
      scene.current = null;
    };
  }, [able, rows, cols, layers]);
  useEffect(() => {
    scene.current?.show(picture);
  }, [able, picture]);

  if (!able) return <p className="cube-note">{t.board.noWebgl}</p>;
  return (
    <figure className="cube-view">
      <div ref={holder} className="cube-canvas" role="img" aria-label={t.board.turnable} />
      <figcaption className="cube-note">{t.board.turnableHelp}</figcaption>
    </figure>
  );
}
