import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlainEntry } from '../../test/support/filter-oracle.ts';
import { entries } from '../../test/support/filter-trees.ts';
import { mergeNaively } from '../../test/support/merge-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { mergedEntriesOf } from '../detail/merged-entries.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { createIngest } from '../ingest.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';
import { simdLoop } from '../upload/json-loop-simd.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';

const binary = readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url));
const keyOf = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

/** The pack of a file whose hierarchy names some of its keywords. */
async function packOf(
  keywords: readonly PlainEntry[],
  children: readonly string[],
  { isHierarchyFirst = false, loop = undefined as ReturnType<typeof simdLoop> } = {},
) {
  const hierarchy = { name: 'root', children: children.map((name) => ({ name })) };
  const text = JSON.stringify(isHierarchyFirst ? { hierarchy, keywords } : { keywords, hierarchy });
  const bytes = new TextEncoder().encode(text);
  const reading = createIngest({ hashKey: [5, 6], loop });
  for (let at = 0; at < bytes.length; at += 97) reading.push(bytes.subarray(at, at + 97));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink, loop?.names);
  return { pack: await checkPack(arraySource(sink.bytes())), original: arraySource(bytes), bytes: sink.bytes() };
}

/** The values of the keyword rows by text; the first row with a text counts. */
async function saidOf(pack: PackReader): Promise<Map<string, Record<string, unknown>>> {
  const rows = Uint32Array.from({ length: pack.rows - 1 }, (_, at) => at + 1);
  const rolled = await rollUpsOf(pack, rows);
  const names = await namesAt(pack, rows);
  const fields = await Promise.all(pack.metadata.fields.map((field) => rolled.field(field)));
  const columns = {
    volume: await rolled.column('volume'),
    difficulty: await rolled.column('difficulty'),
    cpc: await rolled.column('cpc'),
    competition: await rolled.column('competition'),
    position: await rolled.column('position'),
  };
  const intents = (await pack.gather('own_intent', rows)) ?? new Uint8Array(rows.length);
  const said = new Map<string, Record<string, unknown>>();
  for (const [at, name] of names.entries()) {
    const one: Record<string, unknown> = {};
    for (const [metric, values] of Object.entries(columns)) if (!Number.isNaN(values[at])) one[metric] = values[at];
    if (intents[at] !== 0) one.intent = intents[at];
    for (const field of fields) {
      if (field.known[at] === 0) continue;
      if (field.kind === 'number') one[field.name] = field.value[at];
      else if (field.kind === 'category') one[field.name] = field.values[field.value[at]!];
      else
        one[field.name] = field.values.filter((_, nth) => nth > 0 && (field.value[2 * at]! >>> (nth - 1)) & 1).sort();
    }
    said.set(keyOf(name), one);
  }
  return said;
}

const bits = ['informational', 'navigational', 'commercial', 'transactional'];

/** A merged entry in the form of {@link saidOf}. */
function expectedOf(entry: PlainEntry): Record<string, unknown> {
  // Trends are no fields, and compared in `kept-trend.test.ts`.
  const { keyword, intent, Tags, trend: _, ...figures } = entry;
  const numbers = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? expect.closeTo(value, 5) : value,
  ]);
  return {
    ...Object.fromEntries(numbers),
    ...(intent && { intent: bits.reduce((sum, name, at) => sum + (intent.includes(name) ? 1 << at : 0), 0) }),
    ...(Tags && { Tags: [...Tags].sort() }),
  };
}

/** Difficulties that are shares of 1 in all entries of a file count a hundred times. */
function withWholeDifficulties(entries: readonly PlainEntry[], merged: readonly PlainEntry[]): readonly PlainEntry[] {
  const known = entries.flatMap(({ difficulty }) => difficulty ?? []);
  const areShares = known.every((value) => value <= 1) && known.some((value) => value > 0 && value < 1);
  return merged.map((entry) =>
    areShares && entry.difficulty !== undefined ? { ...entry, difficulty: 100 * entry.difficulty } : entry,
  );
}

// Shows P10.7.
test.each([
  ['TypeScript', undefined],
  ['WebAssembly', simdLoop(binary)],
])('merging the entries of a keyword equals a naive merge of plain objects, by %s', async (_, loop) => {
  let repeats = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(entries, { minLength: 1, maxLength: 4 }).map((parts) => parts.flat()),
      fc.subarray(['ab', 'B C', 'ss', 'cd', 'x*y']),
      fc.boolean(),
      async (keywords, children, isHierarchyFirst) => {
        const { pack, original, bytes } = await packOf(keywords, [...children, ...children], {
          isHierarchyFirst,
          loop,
        });
        const hasRates = keywords.some(({ CTR }) => CTR !== undefined);
        const merged = withWholeDifficulties(keywords, mergeNaively(keywords, keyOf)).map(({ CTR, ...rest }) =>
          hasRates && CTR !== undefined ? { ...rest, CTR } : rest,
        );
        const said = await saidOf(pack);
        for (const entry of merged) expect(said.get(keyOf(entry.keyword))).toEqual(expectedOf(entry));
        expect(pack.metadata).toMatchObject({
          keywords: keywords.length,
          merged: keywords.length - merged.length,
          notInHierarchy: merged.filter(({ keyword }) => !children.some((name) => keyOf(name) === keyOf(keyword)))
            .length,
        });
        const names = await namesAt(
          pack,
          Uint32Array.from({ length: pack.rows }, (_, row) => row),
        );
        for (let row = 1; row < pack.rows; row++) {
          const count = keywords.filter(({ keyword }) => keyOf(keyword) === keyOf(names[row]!)).length;
          expect((await mergedEntriesOf(pack, row, original))?.entries).toBe(count > 1 ? count : undefined);
        }
        repeats += keywords.length - merged.length;
        // The other loop writes the same bytes.
        if (loop)
          expect(bytes).toEqual((await packOf(keywords, [...children, ...children], { isHierarchyFirst })).bytes);
      },
    ),
    { numRuns: sampled(300), seed: 11 },
  );
  expect(repeats).toBeGreaterThan(sampled(200));
});

test('the newest known value counts: by date if entries have one, otherwise the last in the file', async () => {
  const volumeOf = async (keywords: readonly object[]) => {
    const { pack } = await packOf(keywords as PlainEntry[], ['a']);
    return (await pack.column('own_volume'))![1];
  };
  const at = (volume: number | undefined, when: object = {}) => ({
    keyword: 'a',
    ...(volume !== undefined && { volume }),
    ...when,
  });
  expect(await volumeOf([at(1), at(2), at(undefined)])).toBe(2);
  expect(await volumeOf([at(1, { date: '2026-04-02' }), at(2, { date: '2026-04-01' })])).toBe(1);
  expect(
    await volumeOf([at(1, { Timestamp: '2026-04-02 10:00:01' }), at(2, { Timestamp: '2026-04-02 10:00:00' })]),
  ).toBe(1);
  expect(await volumeOf([at(1, { updated_at: 1_775_000_001 }), at(2, { updated_at: 1_775_000_000 })])).toBe(1);
  expect(await volumeOf([at(1, { day: 20_260_402 }), at(2, { day: 20_260_401 })])).toBe(1);
  // An unreadable date counts as none, and an entry without a date is older.
  expect(await volumeOf([at(1, { date: '2026-04-01' }), at(2, { date: '3/4/26' })])).toBe(1);
  // The day that figures refer to takes precedence over the time of the lookup.
  expect(
    await volumeOf([
      at(1, { updated: '2026-01-01', date: '2026-04-02' }),
      at(2, { updated: '2026-02-01', date: '2026-04-01' }),
    ]),
  ).toBe(1);
});

test('traffic is added up, and what every entry states in full is not', async () => {
  const keywords = [
    { keyword: 'a', Traffic: 5, 'Traffic potential': 100 },
    { keyword: 'A', Traffic: 7, 'Traffic potential': 120 },
  ];
  const { pack } = await packOf(keywords as unknown as PlainEntry[], ['a']);
  expect((await saidOf(pack)).get('a')).toEqual({ Traffic: 12, 'Traffic potential': 120 });
});

test('each URL is listed once, with its position weighted by impressions', async () => {
  const keywords = [
    { keyword: 'a', url: 'https://x.example/1', position: 2, impressions: 30, date: '2026-04-01' },
    { keyword: 'a', page: 'https://x.example/2', position: '9', date: '2026-04-01' },
    { keyword: 'A', url: 'https://x.example/1', position: 6, impressions: 10, date: '2026-04-02' },
    { keyword: 'a', url: 'https://x.example/3', position: 0 },
    { keyword: 'a', url: '' },
  ];
  const { pack, original } = await packOf(keywords as unknown as PlainEntry[], ['a']);
  expect(await mergedEntriesOf(pack, 1, original)).toEqual({
    entries: 5,
    read: 5,
    urls: [
      { url: 'https://x.example/1', position: 3, entries: 2 },
      { url: 'https://x.example/2', position: 9, entries: 1 },
      { url: 'https://x.example/3', entries: 1 },
    ],
  });
});

test('of several URLs the first one in the details counts', async () => {
  const entry = fc.record(
    {
      url: fc.constantFrom('https://a.example/', 'https://b.example/', 'https://c.example/', ''),
      position: fc.constantFrom(1, 2, 3.5, 8, null),
      impressions: fc.constantFrom(0, 1, 10, 90),
      date: fc.constantFrom('2026-01-01', '2026-02-01'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 2, maxLength: 6 }), async (entries) => {
      const keywords = entries.map((one) => ({ keyword: 'a', ...one })) as unknown as PlainEntry[];
      const { pack, original } = await packOf(keywords, ['a']);
      const listed = (await mergedEntriesOf(pack, 1, original))!.urls[0]?.url;
      expect((await saidOf(pack)).get('a')?.url).toBe(listed);
    }),
    { numRuns: sampled(200) },
  );
});
