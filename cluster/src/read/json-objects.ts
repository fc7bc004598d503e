import { holdsKeywordAnswers, listsOfAnswers } from './keyword-answers.ts';
import type { ProblemReason } from './reading.ts';

const nodesOfMaps = /"(?:hierarchy|keywords|children)"\s*:\s*[[{]/u;

/**
 * The member with the rows of an API response such as Search Console's, `{"rows":[…]}`, behind texts and numbers about it; or several, each in
 * an element of the one before. @param head the beginning of the file
 */
export function listNamesIn(head: string): readonly string[] {
  if (holdsKeywordAnswers(head)) return listsOfAnswers;
  return listInResponse.exec(head)?.slice(1) ?? [];
}

const listInResponse =
  /^\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?[\d.]+|true|false|null)\s*,\s*)*"(rows|data|results)"\s*:\s*\[\s*\{/u;

/** Whether a file is a JSON list of objects, JSON lines, or a response with one list, and not a map. @param head the beginning of the file */
export function holdsRows(head: string): boolean {
  const [first = '', second = ''] = head.split('\n').filter((line) => line.trim() !== '');
  const areLines = /^\s*\{/u.test(first) && first.trimEnd().endsWith('}') && /^\s*\{/u.test(second);
  const areRows = areLines || listNamesIn(head).length > 0 || /^\s*\[\s*\{/u.test(head);
  return holdsKeywordAnswers(head) || (areRows && !nodesOfMaps.test(head));
}

/** Longer objects are reported as problems. Detailed search results for one keyword take half a megabyte. */
const maxCharacters = 16 << 20;

type JsonObjectsSink = {
  /** @param line where the object begins, from 1 */
  object(text: string, line: number): void;
  problem(reason: Extract<ProblemReason, 'answer-cut' | 'answer-too-long'>, line: number, text: string): void;
};

/**
 * Splits JSON text into objects while it arrives: one object, a list of objects, or one after the other as in JSON lines. Each object is
 * passed on as soon as it is complete; of an object with a list of a given name, the elements of the list are. So memory is bounded.
 */
export class JsonObjects {
  readonly #sink: JsonObjectsSink;
  /** Members whose elements are passed on instead of their object: each may be in an object, or in an element of an earlier one. */
  readonly #listNames: readonly string[];
  /** The text that is still needed: the object in progress, and what is not read yet. */
  #text = '';
  #at = 0;
  /** Where the object begins in the text; −1 between objects, and in one that is too long. */
  #start = -1;
  /** The first line of the object, and the line that is read. */
  #line = 1;
  #here = 1;
  /** How many brackets are open, and how many of these are around an object: those of a list, or of an object and its list. */
  #level = 0;
  #around = 0;
  /** The lists of these names that are open: which they are, and what `#around` was before each began. */
  readonly #lists: { readonly name: number; readonly around: number }[] = [];
  #inString = false;
  /** Where the last string begins, and the last string that may be the name of a member. */
  #lastString = 0;
  #name = '';

  constructor(sink: JsonObjectsSink, listNames: readonly string[] = []) {
    this.#sink = sink;
    this.#listNames = listNames;
  }

  write(text: string): void {
    this.#text += text;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === lineFeed) this.#here++;
      if (this.#inString) this.#inside(code);
      else this.#outside(code);
    }
    this.#forget();
  }

  /** Must be the last call. */
  end(): void {
    if (this.#level > 0)
      this.#sink.problem('answer-cut', this.#line, this.#start < 0 ? '' : this.#text.slice(this.#start));
  }

  #inside(code: number): void {
    if (code === backslash) this.#at++;
    else if (code === quote) {
      this.#inString = false;
      if (this.#isNaming) this.#name = this.#text.slice(this.#lastString, this.#at);
    }
  }

  /** Whether the string may be the name of a member of the object itself, and not of something in it. Longer ones are no such name. */
  get #isNaming(): boolean {
    return this.#depth === 1 && this.#at - this.#lastString < 32;
  }

  /** How deep in an object; 0 outside of one. */
  get #depth(): number {
    return this.#level - this.#around;
  }

  #outside(code: number): void {
    switch (code) {
      case quote:
        this.#inString = true;
        this.#lastString = this.#at + 1;
        return;
      case openBrace:
        if (this.#depth === 0) {
          this.#start = this.#at;
          this.#line = this.#here;
        }
        this.#level++;
        return;
      case openBracket:
        this.#openList();
        return;
      case closeBrace:
      case closeBracket:
        this.#close();
    }
  }

  #openList(): void {
    const name = this.#depth === 1 ? this.#listNames.indexOf(this.#name) : -1;
    const isList = name > (this.#lists.at(-1)?.name ?? -1);
    if (isList) {
      this.#start = -1;
      this.#lists.push({ name, around: this.#around });
    }
    if (isList || this.#level === 0) this.#around = this.#level + 1;
    this.#level++;
  }

  #close(): void {
    this.#level = Math.max(0, this.#level - 1);
    if (this.#depth === 0) {
      if (this.#start >= 0) this.#sink.object(this.#text.slice(this.#start, this.#at + 1), this.#line);
      this.#start = -1;
      this.#name = '';
    }
    if (this.#depth >= 0) return;
    // The list around the objects ends.
    this.#around = this.#lists.pop()?.around ?? 0;
  }

  /** Drops what was read, but for the object in progress. */
  #forget(): void {
    const isTooLong = this.#start >= 0 && this.#text.length - this.#start > maxCharacters;
    if (isTooLong) {
      this.#sink.problem('answer-too-long', this.#line, this.#text.slice(this.#start, this.#start + 200));
      this.#start = -1;
    }
    const read = this.#inString && this.#isNaming ? this.#lastString : this.#at;
    // After a backslash, `#at` is beyond a character that has not arrived yet.
    const keep = Math.min(this.#start >= 0 ? this.#start : read, this.#text.length);
    this.#text = this.#text.slice(keep);
    this.#at -= keep;
    this.#lastString -= keep;
    if (this.#start >= 0) this.#start = 0;
  }
}

const lineFeed = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
