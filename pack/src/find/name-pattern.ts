import { RE2JS, RE2JSSyntaxException } from 're2js';
import { foldForSearch } from '../names/normal-form.ts';
import { hitKind } from './find-fallback.ts';
import { maxPatternLength } from './text-query.ts';

/** A regular expression over folded names. */
export interface NamePattern {
  /** @param name a folded name */
  matches(name: string): boolean;
  /** How well a folded name matches, by its first match; see `hitKind`. */
  kindOf(name: string): number;
  /** The matches in a folded name that are not empty, as pairs of start and end. */
  spansIn(name: string): readonly (readonly [start: number, end: number])[];
}

/** Why a pattern is refused. */
const patternReasons = [
  'unclosed-group',
  'unopened-group',
  'unclosed-class',
  'bad-class',
  'nothing-to-repeat',
  'bad-repeat',
  'bad-escape',
  'unsupported',
  'too-long',
  'too-large',
] as const;
type PatternReason = (typeof patternReasons)[number];
/** `at` is the index of the first character that cannot be read. */
export type PatternProblem = { readonly at: number; readonly reason: PatternReason };

/** The maximum size of a compiled program in instructions, which bounds the steps for one character of a name. */
export const maxProgram = 2000;
/**
 * The maximum size in instructions before the compiler simplifies the program. 182 characters can stand for 170,000 instructions, which take
 * seconds to compile, so the size of a pattern is estimated first.
 */
const maxWritten = 2 * maxProgram;

/**
 * Compiles a pattern for RE2, whose time is linear in the length of a name. Look-around and back-references, which would
 * make it exponential, are refused.
 *
 * Case is ignored, and characters beyond ASCII are folded as in names.
 */
export function compilePattern(pattern: string): NamePattern | PatternProblem {
  if (pattern.length > maxPatternLength) return { at: maxPatternLength, reason: 'too-long' };
  const problem = sizeProblem(pattern) ?? syntaxProblem(pattern);
  if (problem) return problem;
  const compiled = RE2JS.compile(foldPattern(pattern), RE2JS.CASE_INSENSITIVE);
  if (compiled.programSize() > maxProgram) return { at: 0, reason: 'too-large' };
  return {
    matches: (name) => compiled.test(name),
    kindOf(name) {
      const matcher = compiled.matcher(name);
      if (!matcher.find()) return hitKind.none;
      const start = matcher.start();
      if (start === 0) return matcher.end() === name.length ? hitKind.whole : hitKind.beginning;
      return isBreak.test(name.charAt(start - 1)) ? hitKind.word : hitKind.part;
    },
    spansIn(name) {
      const matcher = compiled.matcher(name);
      const spans: [number, number][] = [];
      while (matcher.find()) if (matcher.end() > matcher.start()) spans.push([matcher.start(), matcher.end()]);
      return spans;
    },
  };
}

export const isProblem = (made: NamePattern | PatternProblem): made is PatternProblem => 'reason' in made;

/** A word starts after an ASCII character that is neither letter nor digit, as in `find-fallback`. */
const isBreak = /^[\0-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]$/;

/** Estimates the size of a pattern piece by piece. @returns the place at which it exceeds {@link maxWritten}, if it does */
function sizeProblem(pattern: string): PatternProblem | undefined {
  /** For the pattern and each open group in it: its instructions so far, and those of its last part, which a repetition would repeat. */
  const open = [{ size: 0, last: 0 }];
  for (const { 0: piece, index, groups } of pattern.matchAll(pieces)) {
    if (piece.startsWith('(')) open.push({ size: groupSize, last: 0 });
    const closed = piece === ')' && open.length > 1 ? open.pop()!.size : literalSize(piece);
    const around = open.at(-1)!;
    if (groups?.least !== undefined) {
      const times = Math.max(1, Number(groups.least), Number(groups.most ?? 0));
      around.size += times * (around.last + 1) - around.last;
      around.last = times * (around.last + 1);
    } else if (!piece.startsWith('(')) {
      around.size += closed;
      around.last = /^[*+?]$/u.test(piece) ? around.last + closed : closed;
    }
    if (open.reduce((sum, { size }) => sum + size, 0) > maxWritten) return { at: index, reason: 'too-large' };
  }
  return undefined;
}

/** The instructions of a group besides its content: they store where it begins and ends. */
const groupSize = 2;

/** The instructions of a piece: one for each character that folding produces, or for each character of a quotation; otherwise one. */
const literalSize = (piece: string): number =>
  piece.startsWith('\\Q') || piece.charCodeAt(0) >= 0x80 ? foldForSearch(piece).length : 1;

/** Repetitions, quotations, escapes, classes, beginnings of groups, letters as `foldPattern` sees them, other signs. */
const pieces =
  /\{(?<least>\d{1,9})(?:,(?<most>\d{0,9}))?\}|\\Q[\s\S]*?(?:\\E|$)|\\(?:[xpP]\{[^}]*\}|[\s\S])|\[\^?\]?(?:\[:[^\]]*:\]|\\[\s\S]|[^\]\\])*\]|\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?|[^\0-\x7f]\p{M}*|[\s\S]/gu;

/**
 * Locates a syntax error, because RE2 does not say where it is: at the end of the shortest prefix such that it and all longer prefixes
 * have the same error.
 */
function syntaxProblem(pattern: string): PatternProblem | undefined {
  const error = errorOf(pattern);
  if (error === undefined) return undefined;
  let length = pattern.length;
  while (length > 1 && errorOf(pattern.slice(0, length - 1)) === error) length--;
  return { at: Math.max(0, length - 1), reason: reasonOf(error) };
}

function errorOf(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.getDescription();
    throw error;
  }
}

/** The descriptions are those of RE2: https://pkg.go.dev/regexp/syntax#ErrorCode */
function reasonOf(description: string): PatternReason {
  if (description === 'missing closing )') return 'unclosed-group';
  if (description === 'unexpected )') return 'unopened-group';
  if (description === 'missing closing ]') return 'unclosed-class';
  if (description.startsWith('invalid character class')) return 'bad-class';
  if (description.startsWith('missing argument')) return 'nothing-to-repeat';
  if (description.startsWith('invalid repeat') || description.startsWith('invalid nested')) return 'bad-repeat';
  if (description.includes('escape') || description.includes('backslash')) return 'bad-escape';
  if (description.includes('too large') || description.includes('nests too deep')) return 'too-large';
  return 'unsupported';
}

/**
 * Folds the characters beyond ASCII, which are never part of the syntax. If folding gives several characters, they become a group; if it gives
 * an ASCII sign of the syntax, that is escaped.
 */
function foldPattern(pattern: string): string {
  let isClass = false;
  let folded = '';
  for (const [piece] of pattern.matchAll(/\\[\s\S]|[\0-\x7f]|[^\0-\x7f]\p{M}*|\p{M}/gu)) {
    if (piece === '[') isClass = true;
    else if (piece === ']') isClass = false;
    folded += piece.charCodeAt(0) < 0x80 ? piece : foldedLiteral(piece, isClass);
  }
  return folded;
}

function foldedLiteral(piece: string, isClass: boolean): string {
  const letters = [...foldForSearch(piece)];
  const literal = letters.map((letter) =>
    /[\0-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/.test(letter) ? `\\${letter}` : letter,
  );
  return letters.length > 1 && !isClass ? `(?:${literal.join('')})` : literal.join('');
}
