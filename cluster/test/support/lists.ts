import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type FigureName, figureNames } from '../../src/merge/figures.ts';
import type { Keywords, MergeReport } from '../../src/merge/keywords.ts';
import { Merger } from '../../src/merge/merge.ts';
import { type RowReport, textList } from '../../src/read/data-rows.ts';
import type { Corrections, Reading } from '../../src/read/reading.ts';
import { headBytes, recogniseText } from '../../src/read/recognise.ts';

/** Real exports, not ours to publish; see PROVENANCE.md in that folder. */
export const dataFolder: string = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** A test with real files; skipped with a message if their folder is missing. */
export function testWithData(name: string, run: () => void | Promise<void>): void {
  test(name, async (context) => {
    if (!existsSync(dataFolder)) context.skip(`not on this machine: ${dataFolder}`);
    await run();
  });
}

export const dataFile = (path: string): Uint8Array => new Uint8Array(readFileSync(dataFolder + path));
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export type NamedFile = { readonly name: string; readonly bytes: Uint8Array; readonly corrections?: Corrections };
export const named = (path: string): NamedFile => ({ name: path.split('/').at(-1)!, bytes: dataFile(path) });

/** How a text file is understood. Fails if it is refused. */
export function readingOf({ name, bytes, corrections }: NamedFile): Reading {
  const head = { name, head: bytes.subarray(0, headBytes), isWhole: bytes.length <= headBytes };
  const reading = recogniseText(head, corrections);
  if ('code' in reading) expect.fail(`refused: ${reading.code}`);
  return reading;
}

type Read = { keywords: Keywords; report: MergeReport; readings: Reading[]; rows: RowReport[] };

/** Text files as keywords. @param piece how many bytes arrive at once */
export function keywordsOf(files: readonly NamedFile[], piece = 65_537): Read {
  const merger = new Merger();
  const readings: Reading[] = [];
  const rows = files.map((file) => {
    const reading = readingOf(file);
    readings.push(reading);
    const list = textList(reading, merger.file(reading));
    for (let at = 0; at < file.bytes.length; at += piece) list.write(file.bytes.subarray(at, at + piece));
    return list.end();
  });
  return { ...merger.finish(), readings, rows };
}

/** A list as rows of text, and what is known of its keywords. */
export function readList(text: string | Uint8Array, name = 'list.csv', corrections: Corrections = {}) {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  const { keywords, readings, rows } = keywordsOf([{ name, bytes, corrections }]);
  const reading = readings[0]!;
  const figures: { [Name in FigureName]?: number[] } = {};
  for (const figure of figureNames) if (keywords.figures[figure]) figures[figure] = [...keywords.figures[figure]];
  return { texts: keywords.text, figures, reading, rows: rows[0]!, notes: reading.notes.map(({ code }) => code) };
}

/** UTF-16, with a byte order mark if the text begins with one. */
export function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return bytes;
}

export const sum = (column: Float64Array | undefined): number =>
  (column ?? new Float64Array()).reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0);
export const knownCount = (column: Float64Array | undefined): number =>
  (column ?? new Float64Array()).filter((value) => !Number.isNaN(value)).length;
export const meanings = ({ columns }: Reading): Record<string, string> =>
  Object.fromEntries(columns.map(({ name, meaning }) => [name, meaning]));
