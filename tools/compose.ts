import { readText } from './source-files.ts';

/** A value of a compose file. A name without a value is null: it is passed on from outside. */
export type Value = string | null | readonly string[] | { readonly [name: string]: Value };
export type Mapping = { readonly [name: string]: Value };

type Line = { readonly indent: number; readonly text: string };

/**
 * Reads the part of YAML that our compose files use: mappings, lists of texts, folded texts, anchors, and merges of these. Variables
 * are replaced by their defaults.
 *
 * @throws Error at a line that is nothing of that
 */
export function readCompose(file: string): Mapping {
  const lines = readText(file)
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => ({ indent: /^ */.exec(line)![0].length, text: line.trim() }));
  const anchors = new Map<string, Value>();
  const [value, rest] = readBlock(lines, anchors);
  if (rest.length > 0) throw new Error(`${file}: what is "${rest[0]!.text}"?`);
  return value as Mapping;
}

function readBlock(lines: readonly Line[], anchors: Map<string, Value>): [Value, readonly Line[]] {
  const [first] = lines;
  if (first === undefined) return [null, lines];
  const end = lines.findIndex(({ indent }) => indent < first.indent);
  const [block, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)];
  return [first.text.startsWith('- ') ? readList(block) : readMapping(block, first.indent, anchors), rest];
}

/** Of mappings, only the first name counts: the files have lists of texts, and of networks. */
function readList(block: readonly Line[]): string[] {
  return block.filter(({ text }) => text.startsWith('- ')).map(({ text }) => plain(text.slice(2)));
}

function readMapping(block: readonly Line[], indent: number, anchors: Map<string, Value>): Mapping {
  const found: Record<string, Value> = {};
  for (let left = block; left.length > 0; ) {
    const [line, ...after] = left;
    const [, name, text = ''] = /^([\w.<-]+):(?: (.*))?$/.exec(line!.text) ?? [];
    if (name === undefined || line!.indent !== indent) throw new Error(`What is "${line!.text}"?`);
    const next = after.findIndex((one) => one.indent <= indent);
    const inner = next < 0 ? after : after.slice(0, next);
    left = next < 0 ? [] : after.slice(next);
    const [, anchor, own] = /^(?:&(\w+) ?)?(.*)$/.exec(text)!;
    const value = own === '' ? readBlock(inner, anchors)[0] : own === '>' ? folded(inner) : scalar(own!, anchors);
    if (anchor) anchors.set(anchor, value);
    if (name === '<<') Object.assign(found, value);
    else found[name] = value;
  }
  return found;
}

const folded = (lines: readonly Line[]): string => lines.map(({ text }) => text).join(' ');

function scalar(text: string, anchors: ReadonlyMap<string, Value>): Value {
  if (text.startsWith('[')) return JSON.parse(text) as string[];
  if (text.startsWith('*')) return anchors.get(text.slice(1))!;
  return plain(text);
}

const plain = (text: string): string =>
  text.replace(/^"(.*)"$/, '$1').replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, _name, otherwise = '') => otherwise);
