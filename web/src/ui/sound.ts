/** Short sounds made on the spot; there are no files to load. */
import { settings } from "../state/settings";

type Sound = "mine" | "theirs" | "capture" | "won" | "lost" | "drawn" | "refused";

/** Frequencies in Hz, played one after the other. */
const NOTES: Record<Sound, number[]> = {
  mine: [520],
  theirs: [390],
  capture: [390, 520],
  won: [523, 659, 784],
  lost: [392, 330, 262],
  drawn: [440, 440],
  refused: [160],
};

let context: AudioContext | null = null;

/** Not every browser tells whether the user has done anything yet, and some make no sounds at all. */
const { userActivation } = (typeof navigator === "undefined" ? {} : navigator) as Partial<Navigator>;
const able = typeof AudioContext !== "undefined";

export function play(sound: Sound): void {
  if (!able || !settings.get().sound || userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  NOTES[sound].forEach((frequency, at) => {
    if (!context) return;
    const tone = context.createOscillator();
    const volume = context.createGain();
    const begin = start + at * 0.11;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, begin);
    volume.gain.exponentialRampToValueAtTime(0.12, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.16);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 0.18);
  });
}
