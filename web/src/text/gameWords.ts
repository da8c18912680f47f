/**
 * A game's own words: its title, goal and rules, its options and presets, why it refuses a move, why it is over.
 *
 * They come from the server as templates by code, in every language that the game has; docs/web.md lists the codes.
 */
import type { About, Fact, Facts, Note, RuleInfo } from "../api/client";
import { t } from "./index";
import { capital, fill, isNote, plainFact, sentence } from "./template";

export type Templates = Readonly<Record<string, string>>;

/** The facts of a template that are marks, and those that are moves. */
const MARKS = new Set(["player", "turn", "holder", "winner", "rival"]);
const MOVES = new Set(["move", "cells", "last"]);

type Kind =
  | "title"
  | "goal"
  | "rule"
  | "part"
  | "refusal"
  | "move"
  | "outcome"
  | "note"
  | "threat"
  | "notice"
  | "reason";

export class GameWords {
  constructor(private readonly templates: Templates) {}

  /** What a game is called; as the server says it where there are no words for it. */
  title({ title, about }: { title: string; about: About }): string {
    const said = this.say("title", about.title as Note);
    return said === null ? title : capital(said);
  }

  /** What one tries to do in a game. */
  goal({ goal, about }: { goal: string; about: About }): string {
    const said = this.say("goal", about.goal as Note);
    return said === null ? goal : sentence(said);
  }

  /** A rule for the page of rules. */
  rule({ text, note }: RuleInfo): string {
    const said = this.say("rule", note as Note);
    return said === null ? text : sentence(said);
  }

  /** What a player is called. */
  readonly mark = (mark: string): string => this.templates[`mark.${mark}`] ?? mark;

  /** The label of an option, what it does, and what one of its choices is called. */
  option(name: string): { label: string; help: string; choice: (choice: string) => string } {
    return {
      label: this.templates[`option.${name}`] ?? name,
      help: this.templates[`option.${name}.help`] ?? "",
      choice: (choice) => this.templates[`option.${name}.${choice}`] ?? choice,
    };
  }

  preset(name: string): { title: string; summary: string } {
    return {
      title: this.templates[`preset.${name}.title`] ?? name,
      summary: this.templates[`preset.${name}.summary`] ?? "",
    };
  }

  /** What a level does in this game, or null where there is no more to say than for any game. */
  level(name: string): string | null {
    return this.templates[`level.${name}`] ?? null;
  }

  /** Says a note of some kind, or null where the game has no words for it or a fact is missing. */
  say(kind: Kind, { code, facts }: Note): string | null {
    const { case: which } = facts;
    const special = typeof which === "string" ? this.templates[`${kind}.${code}.${which}`] : undefined;
    const template = special ?? this.templates[`${kind}.${code}`] ?? this.templates[kind];
    return template === undefined ? null : this.fill(template, facts);
  }

  private fill(template: string, facts: Facts): string | null {
    return fill(template, facts, (name, fact) => this.show(name, fact));
  }

  private show(name: string, fact: Fact): string {
    if (isNote(fact)) return this.say("part", fact) ?? "";
    const text = plainFact(fact);
    if (MARKS.has(name)) return this.mark(text);
    return MOVES.has(name) ? text.toUpperCase() : text;
  }
}

/** What is said where the game's words could not be loaded: marks and codes as they are. */
export const NO_WORDS = new GameWords({});

/** A game's words in the page's language; what that lacks is said in English. */
export const gameWords = (byLanguage: Readonly<Record<string, Templates>>): GameWords =>
  new GameWords({ ...byLanguage.en, ...byLanguage[t.language] });
