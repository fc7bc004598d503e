/**
 * Mutants of the server's guards, one small fault at a time, generated from the sources, so that new guards are found
 * automatically. `mutate-guards.ts` runs the tests against each.
 */

import type { Change } from './mutation.ts';

export type Mutant = Change & {
  /** Its line, counted from 1, without indentation. */
  readonly line: number;
  readonly text: string;
};

/** Changes of a text. `code` is `source` without comments and quoted texts, with the same length. */
type Operator = (source: string, code: string) => Omit<Change, 'file'>[];

/** All mutants of a file. @param thorough whether the whole file is a rule, not only some statements */
export function mutantsOf(file: string, source: string, thorough: boolean): Mutant[] {
  const code = withoutText(source);
  const operators = [...doors, ...refusals, ...(thorough ? rules : [])];
  const changes = operators.flatMap((operator) => operator(source, code));
  return changes
    .sort((a, b) => a.at - b.at)
    .map((change) => {
      const lines = source.slice(0, change.at).split('\n');
      const text = source.split('\n')[lines.length - 1]!.trim();
      return { file, ...change, line: lines.length, text };
    });
}

const weaker: Readonly<Record<string, string>> = { admin: 'approved', approved: 'signed-in', 'signed-in': 'anyone' };

/** Who may call: each `who`, each `requireRaw` and `mayCall` admits the next weaker role; each `can` returns true. */
const doors: readonly Operator[] = [
  (source) =>
    [...source.matchAll(/(\bwho: |\brequireRaw\(|\bmayCall\()'(admin|approved|signed-in)'/g)].map((match) => ({
      at: match.index + match[1]!.length,
      from: `'${match[2]}'`,
      to: `'${weaker[match[2]!]}'`,
    })),
  (_source, code) =>
    [...code.matchAll(/(?<!function )\bcan\(/g)].map(({ index }) => ({
      at: index,
      from: 'can(',
      to: '((..._: unknown[]) => ({ ok: true, value: true }) as const)(',
    })),
];

const refusing =
  /\brefuse\(|\bsendRefusal\(|\bsendError\(|\bthrow\b|\breturn (undefined|false|limited\()|\bRefused\(|return [\w.]*(door|refusal|spent|allowed|answer|claimant|holder|status|found)\b/;

/**
 * Conditions that end in a refusal never hold, a query loses a condition, a lock is not taken, a limit is unlimited.
 */
const refusals: readonly Operator[] = [
  (source, code) =>
    [...code.matchAll(/\bif \(/g)].flatMap(({ index }) => {
      const open = index + 'if '.length;
      const close = closing(code, open);
      const then = source.slice(close + 1, statementEnd(code, close + 1));
      const condition = source.slice(open, close + 1);
      return refusing.test(then) ? [{ at: open, from: condition, to: `(false && ${condition})` }] : [];
    }),
  (_source, code) => [
    ...[...code.matchAll(/ \? done\(/g)].map(({ index }) => ({ at: index, from: ' ? done(', to: ' || true ? done(' })),
    ...[...code.matchAll(/ \? refuse\(/g)].map(({ index }) => ({
      at: index,
      from: ' ? refuse(',
      to: ' && false ? refuse(',
    })),
  ],
  (source, code) =>
    [...code.matchAll(/\.forUpdate\(\)/g)].map(({ index }) => ({
      at: index,
      from: source.slice(index, index + 12),
      to: '',
    })),
  (source) =>
    [...source.matchAll(/\buses: \d[\d_]*/g)].map((match) => ({ at: match.index, from: match[0], to: 'uses: 1e9' })),
];

const flips: Readonly<Record<string, string>> = {
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' > ': ' <= ',
  ' < ': ' >= ',
  ' >= ': ' < ',
  ' <= ': ' > ',
};

/**
 * In a file that is a rule as a whole: every comparison and connective is inverted, every `where` of a query and every
 * `and` of its text is left out.
 */
const rules: readonly Operator[] = [
  (_source, code) =>
    [...code.matchAll(/ (?:===|!==|&&|\|\||>=|<=|>|<) /g)].map((match) => ({
      at: match.index,
      from: match[0],
      to: flips[match[0]]!,
    })),
  (source, code) =>
    [...code.matchAll(/\.where\(/g)].map(({ index }) => {
      const from = source.slice(index, closing(code, index + '.where'.length) + 1);
      return { at: index, from, to: '' };
    }),
  (source) =>
    [...source.matchAll(/ and (?:\w+\.)?\w+ (?:[=<>]|is|is not) (?:\$\d|null|true|false)/g)].map((match) => ({
      at: match.index,
      from: match[0],
      to: '',
    })),
  (_source, code) => [...code.matchAll(/(?<=[\s(])!(?=[\w(])/g)].map(({ index }) => ({ at: index, from: '!', to: '' })),
];

/** The position where the bracket that opens at `open` closes. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) depth++;
    if (')]}'.includes(code[at]!) && --depth === 0) return at;
  }
  throw new Error(`Nothing closes the bracket at ${open}`);
}

/** The end of the statement that begins at `from`: a block, or everything before the next semicolon. */
function statementEnd(code: string, from: number): number {
  const start = from + /^\s*/.exec(code.slice(from))![0].length;
  if (code[start] === '{') return closing(code, start);
  for (let at = start; at < code.length; at++) {
    if (code[at] === ';') return at;
    if ('([{'.includes(code[at]!)) at = closing(code, at);
  }
  return code.length;
}

/** The text with the same length, with blanks for comments and lines for regular expressions and quoted texts. */
export function withoutText(source: string): string {
  const text =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return source.replace(text, (found) => found.replace(/[^\n]/g, /^\/[/*]/.test(found) ? ' ' : '_'));
}
