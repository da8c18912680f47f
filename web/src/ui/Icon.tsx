/** Small line drawings for buttons; the button's text or label says what they mean. */
import "./Icon.css";

const PATHS = {
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11",
  mute: "M4 9v6h4l5 4V5L8 9zM16.5 9.5l5 5M21.5 9.5l-5 5",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  auto: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 3v18M12 8l6-2M12 12h9M12 16l6 2",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 016 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 00-6 6",
  restart: "M4 12a8 8 0 108-8c-2.6 0-4.8 1.200-6.300 3M5 3v4.500h4.500",
  flag: "M6 21V4M6 5h11l-2.500 4L17 13H6",
  first: "M7 5v14M18 5l-8 7 8 7z",
  back: "M15 5l-8 7 8 7z",
  forward: "M9 5l8 7-8 7z",
  last: "M17 5v14M6 5l8 7-8 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 00-3.500 10.900c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0012 3z",
  eye: "M2 12s3.500-6.500 10-6.500S22 12 22 12s-3.500 6.500-10 6.500S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6z",
  link: "M10 14a4 4 0 005.700 0l3-3a4 4 0 00-5.700-5.700l-1 1M14 10a4 4 0 00-5.700 0l-3 3a4 4 0 005.700 5.700l1-1",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  swap: "M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
