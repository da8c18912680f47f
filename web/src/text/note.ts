/** Which phrase says why a player chose its move. */
import type { Note, NoteCode } from "../api/client";
import { estimateText, proofText } from "./evaluation";
import type { GameWords } from "./gameWords";
import { t } from "./index";
import { NoteReader } from "./noteReader";

const isOurs = (code: string): code is NoteCode => Object.hasOwn(t.notes, code);

/**
 * Why a player chose its move, with the figures behind it or without.
 * A note that neither the page nor the game has words for says nothing.
 */
export function noteText(note: Note, words: GameWords, details = true): string {
  const { code, facts } = note;
  if (!isOurs(code)) return words.say("note", note) ?? "";
  const reader = new NoteReader(facts, {
    proof: proofText,
    estimate: estimateText,
    note: (nested) => noteText(nested, words, details),
  });
  const plain = details ? undefined : t.plainNotes[code];
  return (plain ?? t.notes[code])(reader);
}
