import { describe, expect, it } from 'vitest';
import type { ExtraFields } from './extra-fields.ts';
import { createUploadReader } from './upload-reader.ts';

type Recorded = readonly [field: string, row: number, value: number | string];

/** Records all calls in order. Rejects fields whose names start with "un". */
class Recorder implements ExtraFields {
  readonly names: string[] = [];
  readonly recorded: Recorded[] = [];

  field(name: string): number {
    if (name.startsWith('un')) return -1;
    const known = this.names.indexOf(name);
    return known >= 0 ? known : this.names.push(name) - 1;
  }
  number(field: number, row: number, value: number): boolean {
    this.recorded.push([this.names[field]!, row, value]);
    return true;
  }
  text(field: number, row: number, bytes: Uint8Array, start: number, end: number): boolean {
    this.recorded.push([this.names[field]!, row, Buffer.from(bytes.subarray(start, end)).toString()]);
    return true;
  }
}

function extrasOf(text: string, options: { readonly check?: boolean } = {}) {
  const extras = { nodes: new Recorder(), keywords: new Recorder() };
  const reader = createUploadReader({ ...options, extras });
  for (const byte of Buffer.from(text)) reader.push(Uint8Array.of(byte));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return { nodes: extras.nodes.recorded, keywords: extras.keywords.recorded };
}

const hierarchy = '"hierarchy":{"name":"root"}';

describe('extra fields', () => {
  it('are the numbers, texts and booleans of an entry whose names are not metrics', () => {
    const entry = '{"keyword":"a","volume":5,"Traffic":12.5,"Märkt":"D\\u00c9","won":true,"lost":false}';
    expect(extrasOf(`{"keywords":["x",${entry}],${hierarchy}}`)).toEqual({
      nodes: [],
      keywords: [
        ['Traffic', 1, 12.5],
        ['Märkt', 1, 'DÉ'],
        ['won', 1, 'true'],
        ['lost', 1, 'false'],
      ],
    });
  });

  it('of a node are read before and after its children', () => {
    const file = '{"hierarchy":{"a":1,"children":[{"name":"child","b":2}],"name":"root","b":"3","type":"root"}}';
    expect(extrasOf(file).nodes).toEqual([
      ['a', 0, 1],
      ['b', 1, 2],
      ['b', 0, '3'],
    ]);
  });

  it('are also read from objects whose members belong to the entry', () => {
    const entry = '{"keyword":"a","keyword_info":{"search_volume":1,"bid":0.5},"other":{"bid":7}}';
    expect(extrasOf(`{"keywords":[${entry}],${hierarchy}}`).keywords).toEqual([['bid', 0, 0.5]]);
  });

  it('are not reported if null, an object, an array, or not needed', () => {
    const entry = '{"keyword":"a","b":null,"c":{"d":1},"e":[1],"unwanted":1,"f":1e999}';
    expect(extrasOf(`{"keywords":[${entry}],${hierarchy}}`).keywords).toEqual([['f', 0, Number.NaN]]);
  });

  it('are not reported for a file that is only checked', () => {
    const file = `{"keywords":[{"keyword":"a","x":1}],${hierarchy}}`;
    expect(extrasOf(file, { check: true })).toEqual({ nodes: [], keywords: [] });
  });

  it('have the same numbers if an entry has more names than are cached', () => {
    const members = Array.from({ length: 1500 }, (_, n) => `"m${n}":${n}`);
    const { keywords } = extrasOf(`{"keywords":[{${members}},{${members}}],${hierarchy}}`);
    expect(keywords).toEqual([0, 1].flatMap((row) => members.map((_, n) => [`m${n}`, row, n])));
  });
});
