import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isLong, sampled } from '../../test/support/sampled.ts';
import { everyLoop } from '../../test/support/tokenizers.ts';
import type { JsonLoop } from '../json/json-memory.ts';
import { FieldColumns } from './field-columns.ts';
import { createUploadReader, type UploadReaderOptions, type UploadResult } from './upload-reader.ts';
import { type EntryColumns, emptyMetric, metricNames, type UploadTables } from './upload-tables.ts';

/** The loop under test, see `everyLoop`. */
let loop: JsonLoop;

function readBlocks(bytes: Uint8Array, size: number, options?: UploadReaderOptions): UploadResult {
  const reader = createUploadReader({ ...options, loop });
  for (let at = 0; at < bytes.length; at += size) {
    const block = Uint8Array.from(bytes.subarray(at, at + size));
    reader.push(block);
    block.fill(0x21);
  }
  return reader.finish();
}

const read = (text: string, options?: UploadReaderOptions) => readBlocks(Buffer.from(text), 65_536, options);

function tablesOf(text: string): UploadTables {
  const result = read(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.tables;
}

function problemOf(text: string, options?: UploadReaderOptions) {
  const result = read(text, options);
  return result.ok ? undefined : result.problem;
}

function nameOf(table: EntryColumns, row: number): string {
  const start = table.nameStart[row]!;
  return Buffer.from(table.names.subarray(start, start + table.nameLength[row]!)).toString();
}

const names = (table: EntryColumns) => Array.from({ length: table.rows }, (_, row) => nameOf(table, row));

const hierarchy = '"hierarchy":{"name":"root"}';
/** The metrics of a file's only keyword entry. */
function metricsOf(entry: string) {
  const { metrics } = tablesOf(`{"keywords":[${entry}],${hierarchy}}`).keywords;
  return Object.fromEntries(metricNames.map((name) => [name, (metrics[name] ?? emptyMetric(name, 1))[0]]));
}

type Node = { name: string; type?: string; children?: (Node | string)[] };
type Upload = { keywords?: (string | Record<string, unknown>)[]; hierarchy: Node };

const wellFormed = (text: string) => Buffer.from(text).toString();

/** The rows of a hierarchy in document order, computed from the tree that JSON.parse returns. */
function rowsOf(root: Node) {
  const rows: { name: string; type: string; parent: number }[] = [];
  const open: { node: Node | string; parent: number }[] = [{ node: root, parent: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const node: Node = typeof next.node === 'string' ? { name: next.node } : next.node;
    const row = rows.push({ name: wellFormed(node.name), type: node.type ?? '', parent: next.parent }) - 1;
    for (const child of (node.children ?? []).toReversed()) open.push({ node: child, parent: row });
  }
  return rows;
}

function rowsRead(tables: UploadTables) {
  return names(tables.nodes).map((name, row) => ({
    name,
    type: tables.types[tables.nodes.type[row]!],
    parent: tables.nodes.parent[row],
  }));
}

const text = fc.string({ unit: 'binary', maxLength: 6 });
const uploads = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record(
    {
      // JSON.stringify writes members in the order of the keys, so the name may come last.
      note: fc.jsonValue({ maxDepth: 1 }),
      children: fc.array(fc.oneof({ maxDepth: 3 }, text, tie('node')), { maxLength: 4 }),
      type: fc.constantFrom('cluster', 'keyword', '__proto__'),
      name: text.map((name) => `n${name}`),
    },
    { requiredKeys: ['name'] },
  ),
}));
const keywords = fc.array(
  fc.oneof(text, fc.record({ volume: fc.nat(), keyword: text }), fc.dictionary(text, fc.nat(), { maxKeys: 3 })),
  { maxLength: 5 },
);
const upload = fc
  .record({
    file: fc.record(
      { other: fc.jsonValue({ maxDepth: 1 }), keywords, hierarchy: uploads.node },
      { requiredKeys: ['hierarchy'] },
    ),
    isTurned: fc.boolean(),
    space: fc.constantFrom(0, 2),
  })
  .map(({ file, isTurned, space }) => {
    const members = Object.entries(file);
    return JSON.stringify(Object.fromEntries(isTurned ? members.toReversed() : members), undefined, space);
  });

/** In milliseconds. Thousands of documents take this long if several suites share a processor. */
const propertyMs = 60_000;

// The tokenizer tests cover reading without a loop.
const loops = everyLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

describe.each(loops)('upload-reader by $name', (named) => {
  beforeEach(() => {
    loop = named.loop;
  });

  // Shows P10.1.
  it(
    'reads the same tree as JSON.parse, whatever the order of members',
    () => {
      fc.assert(
        fc.property(upload, (text) => {
          const tables = tablesOf(text);
          const file: Upload = JSON.parse(text);
          expect(rowsRead(tables)).toEqual(rowsOf(file.hierarchy));
          expect(tables.keywords.rows).toBe(file.keywords?.length ?? 0);
          expect(tables.bytes).toBe(Buffer.byteLength(text));
        }),
        { numRuns: sampled(1000) },
      );
    },
    propertyMs,
  );

  it(
    'gives the same tables however the bytes are split',
    () => {
      fc.assert(
        fc.property(upload, fc.integer({ min: 1, max: 40 }), (text, size) => {
          const bytes = Buffer.from(text);
          const whole = readBlocks(bytes, bytes.length);
          expect(readBlocks(bytes, size)).toEqual(whole);
          expect(readBlocks(bytes, 1)).toEqual(whole);
        }),
        { numRuns: sampled(200) },
      );
    },
    propertyMs,
  );

  it(
    'records the position of each node and keyword in the file',
    () => {
      fc.assert(
        fc.property(upload, (text) => {
          const tables = tablesOf(text);
          const bytes = Buffer.from(text);
          for (const table of [tables.nodes, tables.keywords]) {
            for (let row = 0; row < table.rows; row++) {
              const part = JSON.parse(bytes.subarray(table.byteStart[row], table.byteEnd[row]).toString());
              if (typeof part === 'string') expect(wellFormed(part)).toBe(nameOf(table, row));
              else if (table === tables.nodes) expect(wellFormed(part.name)).toBe(nameOf(table, row));
              else expect(typeof part).toBe('object');
            }
          }
        }),
        { numRuns: sampled(200) },
      );
    },
    propertyMs,
  );

  it('reads keyword entries as text or objects, and metrics under any known name', () => {
    expect(
      names(
        tablesOf(`{"keywords":["a",{"Keyword":"b"},{"kw":"c","name":"x"},{"term":7},{},{"term":1e999}],${hierarchy}}`)
          .keywords,
      ),
    ).toEqual(['a', 'b', 'c', '7', '', '']);
    expect(
      metricsOf(
        '{"keyword":"a","search_volume":1900,"KD %":37.5,"CPC (USD)":"$0.25","Competition":0.5,"Position":3,"intent":["informational","Commercial"]}',
      ),
    ).toEqual({ volume: 1900, difficulty: 37.5, cpc: 0.25, competition: 0.5, position: 3, intent: 5 });
  });

  it('distinguishes unknown from zero', () => {
    const unknown = {
      volume: Number.NaN,
      difficulty: Number.NaN,
      cpc: Number.NaN,
      competition: Number.NaN,
      position: Number.NaN,
      intent: 0,
    };
    expect(metricsOf('{"keyword":"a"}')).toEqual(unknown);
    expect(metricsOf('{"volume":null,"kd":"","cpc":"n/a","competition":[],"position":0,"intent":null}')).toEqual(
      unknown,
    );
    expect(metricsOf('{"volume":-1,"kd":101,"cpc":-1,"competition":"x","position":true,"intent":"?"}')).toEqual(
      unknown,
    );
    expect(metricsOf('{"volume":0,"kd":0,"cpc":0,"competition":0}')).toMatchObject({
      volume: 0,
      difficulty: 0,
      cpc: 0,
      competition: 0,
    });
  });

  it('reads difficulties that are all at most 1 as shares, unless one has a percent sign or none is between 0 and 1', () => {
    const read = (ofNode: string, ...values: string[]) => {
      const keywords = values.map((kd) => `{"keyword":"a","kd":${kd}}`).join();
      const tables = tablesOf(`{"keywords":[${keywords}],"hierarchy":{"name":"r","averageKD":${ofNode}}}`);
      return [tables.nodes, tables.keywords].map(({ metrics }) => [...metrics.difficulty!]);
    };
    expect(read('0.5', '0.42', '"0.29"', '0', '1', 'null')).toEqual([[50], [42, 29, 0, 100, Number.NaN]]);
    expect(read('45', '0.5', '1')).toEqual([[45], [0.5, 1]]);
    expect(read('1', '0', '1')).toEqual([[1], [0, 1]]);
    expect(read('0.5', '0.25', '"0.5%"')).toEqual([[0.5], [0.25, 0.5]]);
  });

  const beyond = ['1e308', '-1e308', '1e999', '9007199254740994', '"99,999,999,999,999,999"', '"9999999999B"'];
  const figures = [
    'volume',
    'kd',
    'cpc',
    'competition',
    'competition_index',
    'position',
    'max_volume',
    'clicks',
    'CTR',
  ];
  // Shows P10.9.
  it.each(figures)('rejects a "%s" beyond 2^53 with its position, however the file is split', (name) => {
    const plain = '{"keyword":"a","volume":5},';
    // A third of the values for each figure, of which no two neighbours have the same.
    const values = beyond.filter((_, at) => isLong || at % 3 === figures.indexOf(name) % 3);
    for (const [value, isNode] of values.flatMap((value) => [[value, false] as const, [value, true] as const])) {
      const entry = `{"${isNode ? 'name' : 'keyword'}":"b","${name}":${value}}`;
      const file = isNode
        ? `{"keywords":[${plain.repeat(20)}"c"],\n"hierarchy":{"name":"r","children":["x",${entry}]}}`
        : `{\n"keywords":[${plain.repeat(20)}${entry},"c"],${hierarchy}}`;
      const byte = file.indexOf(value);
      const column = byte - file.indexOf('\n');
      const what = 'a figure beyond ±9,007,199,254,740,992 (2^53)';
      for (const size of [file.length, byte + 2, 7, 1]) {
        for (const check of [false, true]) {
          const extras = new FieldColumns().extras;
          const result = readBlocks(Buffer.from(file), size, { check, extras });
          expect([file, size, check, result]).toMatchObject([
            file,
            size,
            check,
            { problem: { what, byte, line: 2, column } },
          ]);
        }
      }
    }
  });

  it('accepts figures up to 2^53, and longer numbers where they are not figures', () => {
    expect(metricsOf(`{"volume":${2 ** 53},"cpc":"9,007,199,254,740,992"}`)).toMatchObject({
      volume: 2 ** 53,
      cpc: 2 ** 53,
    });
    const other =
      '{"keyword":"a","ad id":12345678901234567890,"note":"99999999999999999999","intent":1e300,"trend":[1e300]}';
    expect(metricsOf(other)).toMatchObject({ volume: Number.NaN, intent: 0 });
  });

  it('chooses between several spellings of one value by preference, not by order', () => {
    expect(metricsOf('{"size":1,"search_volume":2}').volume).toBe(2);
    expect(metricsOf('{"search_volume":2,"size":1}').volume).toBe(2);
    expect(metricsOf('{"search_volume":null,"size":1}').volume).toBe(1);
    expect(metricsOf('{"Global volume":9,"Volume":2}').volume).toBe(2);
    expect(metricsOf('{"Min Volume":11,"Max Volume":50}').volume).toBe(30.5);
    expect(metricsOf('{"Top of page bid (low range)":1,"Top of page bid (high range)":2}').cpc).toBe(1.5);
  });

  it('converts competition to 0 to 1 and intents to a set', () => {
    const { fround } = Math;
    expect(metricsOf('{"competition":45}').competition).toBe(fround(0.45));
    expect(metricsOf('{"competition":100.5}').competition).toBeNaN();
    expect(metricsOf('{"competition_index":1}').competition).toBe(fround(0.01));
    expect(metricsOf('{"competition":"HIGH"}').competition).toBe(fround(5 / 6));
    expect(metricsOf('{"competition":"1%"}').competition).toBe(fround(0.01));
    expect(metricsOf('{"competition_level":"LOW","competition":0.4}').competition).toBe(fround(0.4));
    expect(metricsOf('{"Intent":"I, T"}').intent).toBe(9);
    expect(metricsOf('{"Intent":0}').intent).toBe(4);
    expect(metricsOf('{"searchIntent":[1]}').intent).toBe(0);
    expect(metricsOf('{"Informational":true,"Navigational":"FALSE","Commercial":"1","Transactional":1}').intent).toBe(
      13,
    );
  });

  // Shows P10.3.
  it.each([
    ['up to 1 in a file with larger ones are percentages', [1, 0.5, 45], 0, [0.01, 0.005, 0.45]],
    ['up to 1 in a file without larger ones are shares', [1, 0.5, 0], 0.25, [1, 0.5, 0]],
    ['of nodes tell the scale of keywords, too', [1], 45, [0.01]],
    ['that state their scale do not tell it', [1, '0.4', '45%', '45 %', 'LOW'], 1, [1, 0.4, 0.45, 0.45, 1 / 6]],
    ['that state their scale keep it', [1, '1', '1%', 'HIGH', 2], 1, [0.01, 0.01, 0.01, 5 / 6, 0.02]],
  ])('competitions %s', (_what, values, ofNode, expected) => {
    const keywords = values.map((competition, at) => ({ keyword: `k${at}`, search_volume: 1, competition }));
    const hierarchy = { name: 'root', competition: ofNode, children: [{ name: 'k0' }] };
    const tables = tablesOf(JSON.stringify({ hierarchy, keywords }));
    expect([...tables.keywords.metrics.competition!]).toEqual(expected.map(Math.fround));
  });

  it("reads DataForSEO's nested entries", () => {
    const entry = `{"keyword":"a","keyword_info":{"search_volume":10,"competition":0.25,"competition_level":"LOW",
      "monthly_searches":[{"year":2026,"search_volume":99}],"low_top_of_page_bid":1},
      "clickstream_keyword_info":{"search_volume":77},"keyword_properties":{"keyword_difficulty":12},
      "search_intent_info":{"main_intent":"transactional"}}`;
    expect(metricsOf(entry)).toEqual({
      volume: 10,
      difficulty: 12,
      cpc: 1,
      competition: 0.25,
      position: Number.NaN,
      intent: 8,
    });
  });

  it("reads a node's own metrics both before and after its children", () => {
    const { nodes } = tablesOf(
      '{"hierarchy":{"kd":1,"children":[{"name":"a","volume":5,"intent":"N"},"b"],"size":7,"name":"root","averageKD":2}}',
    );
    expect(names(nodes)).toEqual(['root', 'a', 'b']);
    expect([...nodes.metrics.volume!]).toEqual([7, 5, Number.NaN]);
    expect([...nodes.metrics.difficulty!]).toEqual([1, Number.NaN, Number.NaN]);
    expect([...nodes.metrics.intent!]).toEqual([0, 2, 0]);
  });

  // Shows P10.1.
  it('counts no keywords if the member is missing, and accepts null as no children', () => {
    const tables = tablesOf('{"hierarchy":{"name":"a","children":null}}');
    expect([tables.keywords.rows, tables.nodes.rows]).toEqual([0, 1]);
  });

  it.each([false, true])('accepts 4,096 types and no more, with check %s', (check) => {
    const readTypes = (count: number) => {
      const children = Array.from({ length: count }, (_, type) => `{"name":"n","type":"t${type}"}`);
      const reader = createUploadReader({ check, loop });
      reader.push(new TextEncoder().encode(`{"hierarchy":{"name":"r","children":[${children.join()}]}}`));
      const result = reader.finish();
      return result.ok ? 'taken' : result.problem.what;
    };
    expect(readTypes(4096)).toBe('taken');
    expect(readTypes(4097)).toBe('more than 4096 types');
  });

  it('treats __proto__ as a name like any other', () => {
    const tables = tablesOf(
      '{"__proto__":1,"keywords":["__proto__"],"hierarchy":{"name":"__proto__","type":"constructor","__proto__":{"name":"x"}}}',
    );
    expect(names(tables.nodes)).toEqual(['__proto__']);
    expect(names(tables.keywords)).toEqual(['__proto__']);
    expect(tables.types).toEqual(['', 'constructor']);
  });

  it.each([
    ['[]', 'a file that is not a JSON object', 0],
    ['"x"', 'a file that is not a JSON object', 0],
    ['null', 'a file that is not a JSON object', 0],
    ['12 ', 'a file that is not a JSON object', 0],
    ['{}', 'no "hierarchy" in the file', 1],
    ['{"keywords":["a"]}', 'no "hierarchy" in the file', 17],
    ['{"hierarchy":[]}', '"hierarchy" that is not an object', 13],
    ['{"hierarchy":null}', '"hierarchy" that is not an object', 13],
    ['{"hierarchy":{}}', 'a node without a name', 14],
    ['{"hierarchy":{"name":""}}', 'a "hierarchy" with an empty name', 21],
    ['{"hierarchy":{"name":7}}', 'a name that is not text', 21],
    ['{"hierarchy":{"name":{}}}', 'a name that is not text', 21],
    ['{"hierarchy":{"name":"a","children":{}}}', '"children" that is not an array', 36],
    ['{"hierarchy":{"name":"a","children":"b"}}', '"children" that is not an array', 36],
    ['{"hierarchy":{"name":"a","children":[7]}}', 'a child that is neither text nor an object', 37],
    ['{"hierarchy":{"name":"a","children":[{"type":"x"}]}}', 'a node without a name', 48],
    ['{"hierarchy":{"name":"a","children":[],"children":[]}}', '"children" twice in one node', 50],
    ['{"hierarchy":{"name":"a"},"hierarchy":{"name":"a"}}', '"hierarchy" twice in the file', 26],
    ['{"keywords":[],"keywords":[]}', '"keywords" twice in the file', 15],
    ['{"keywords":[],"key\\u0077ords":[]}', '"keywords" twice in the file', 15],
    ['{"keywords":{}}', '"keywords" that is not an array', 12],
    ['{"keywords":null}', '"keywords" that is not an array', 12],
    ['{"keywords":[null]}', 'a keyword that is neither text nor an object', 13],
    ['{"keywords":[["a"]]}', 'a keyword that is neither text nor an object', 13],
  ])('rejects %s', (file, what, byte) => {
    const problem = problemOf(file);
    expect(problem).toMatchObject({ what, byte, line: 1, column: byte + 1 });
    expect(problemOf(file, { check: true })).toEqual(problem);
    const inBytes = readBlocks(Buffer.from(file), 1);
    expect(inBytes.ok ? undefined : inBytes.problem).toEqual(problem);
  });

  it('rejects a name longer than 64 KiB at its first byte, and accepts one of 64 KiB', () => {
    const file = (length: number) => `{\n"hierarchy":{"name":"${'ab'.repeat(length / 2)}"}}`;
    expect(tablesOf(file(65_536)).nodes.nameLength[0]).toBe(65_536);
    expect(problemOf(file(65_538))).toEqual({
      what: 'a name longer than 65536 bytes',
      byte: 22,
      line: 2,
      column: 21,
      excerpt: 'ab'.repeat(20),
    });
    expect(problemOf(`{"x":"${'a'.repeat(100_000)}",${hierarchy}}`)).toBeUndefined();
  });

  it('rejects more nodes or keywords than allowed', () => {
    const three = '{"keywords":["a","b"],"hierarchy":{"name":"a","children":["b","c"]}}';
    expect(problemOf(three, { maxNodes: 3 })).toBeUndefined();
    expect(problemOf(three, { maxNodes: 2 })).toMatchObject({ what: 'more than 2 nodes', byte: three.indexOf('"c"') });
    expect(problemOf(three, { maxNodes: 1 })).toMatchObject({ what: 'more than 1 keywords', byte: 17 });
  });

  it('reads a chain of 20,000 nodes', () => {
    const depth = 20_000;
    const { nodes } = tablesOf(`{"hierarchy":${'{"name":"n","children":['.repeat(depth)}${']}'.repeat(depth)}}`);
    expect(nodes.rows).toBe(depth);
    expect(nodes.parent.every((parent, row) => parent === Math.max(0, row - 1))).toBe(true);
  });

  it('keeps 200,000 keywords apart', () => {
    const rows = 200_000;
    const entries = Array.from({ length: rows }, (_, row) => `{"keyword":"k${row}","volume":${row}}`);
    const { keywords } = tablesOf(`{"keywords":[${entries}],${hierarchy}}`);
    expect(keywords.metrics.volume!.every((volume, row) => volume === row)).toBe(true);
    expect(names(keywords).every((name, row) => name === `k${row}`)).toBe(true);
  });

  it('keeps no columns for a check, and counts while reading', () => {
    const reader = createUploadReader({ check: true, loop });
    reader.push(Buffer.from('{"keywords":["a",{"keyword":"b"}'));
    expect(reader.progress).toEqual({ nodes: 0, keywords: 2, bytes: 32 });
    reader.push(Buffer.from('],"hierarchy":{"name":"r","type":"root","children":["a"]}}'));
    const result = reader.finish();
    expect(reader.progress).toEqual({ nodes: 2, keywords: 2, bytes: 90 });
    expect(result.ok && [result.tables.nodes.rows, result.tables.keywords.rows]).toEqual([0, 0]);
  });

  it('stops at its first problem', () => {
    const reader = createUploadReader({ loop });
    const problem = reader.push(Buffer.from('{]'));
    expect(problem).toMatchObject({ byte: 1 });
    expect(reader.push(Buffer.from('}'))).toBe(problem);
    expect(reader.finish()).toEqual({ ok: false, problem });
  });
});

const data = new URL('../../../../shared/data/', import.meta.url);
const realFile = new URL('seed-shape-real/add-to-website.json', data);
const deepFile = new URL('wordnet-nouns/wordnet-3.1-nouns.hierarchy.json', data);

describe.each(loops)('upload-reader by $name on real files', (named) => {
  beforeEach(() => {
    loop = named.loop;
  });

  it.skipIf(!existsSync(realFile))('reads a real export (skipped if absent)', () => {
    const result = readBlocks(readFileSync(realFile), 60_000);
    if (!result.ok) throw new Error(result.problem.what);
    const { nodes, keywords, types } = result.tables;
    const ofType = (type: string) => nodes.type.filter((number) => types[number] === type).length;
    expect([nodes.rows, keywords.rows, ofType('pillar_topic'), ofType('cluster')]).toEqual([27_774, 27_640, 17, 116]);
    expect(keywords.metrics.volume!.reduce((sum, volume) => sum + (volume || 0), 0)).toBe(165_830);
  });

  it.skipIf(!existsSync(deepFile))('reads the nouns of WordNet (skipped if absent)', () => {
    const bytes = readFileSync(deepFile);
    const result = readBlocks(bytes, 65_536);
    if (!result.ok) throw new Error(result.problem.what);
    expect(rowsRead(result.tables)).toEqual(rowsOf(JSON.parse(bytes.toString()).hierarchy));
    expect([result.tables.nodes.rows, result.tables.keywords.rows]).toEqual([194_913, 0]);
  });
});
