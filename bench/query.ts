import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Changes, findChanges } from '../pack/src/compare/changes.ts';
import { matchPacks } from '../pack/src/compare/match-packs.ts';
import { noFilter } from '../pack/src/filter/filter.ts';
import { readFilter } from '../pack/src/filter/filter-text.ts';
import { phrase } from '../pack/src/find/text-query.ts';
import type { ByteSource } from '../pack/src/format/byte-source.ts';
import { noPause } from '../pack/src/format/in-pieces.ts';
import { openPack, type PackReader } from '../pack/src/format/pack-reader.ts';
import { type Density, takeDensity } from '../pack/src/levels/density.ts';
import { filterPack } from '../pack/src/levels/filter-pack.ts';
import { firstRows, levelListsOf } from '../pack/src/levels/level-lists.ts';
import { levelRows } from '../pack/src/levels/level-rows.ts';
import { type Points, takePoints } from '../pack/src/levels/points.ts';
import { type RowSort, readSort } from '../pack/src/levels/row-sort.ts';
import { valuesOf } from '../pack/src/levels/row-values.ts';
import { totalsOf, type UnionTotals } from '../pack/src/levels/union.ts';
import { scoreFieldName } from '../pack/src/score/score-name.ts';
import type { Slice } from '../pack/src/slice/slice.ts';
import { encodeSlice } from '../pack/src/slice/slice-wire.ts';
import { takeSlice } from '../pack/src/slice/take-slice.ts';
import { defaultThresholds } from '../pack/src/vocabulary/warnings.ts';
import { findWarnings } from '../pack/src/warnings/find-warnings.ts';
import type { FoundWarnings } from '../pack/src/warnings/warning-list.ts';
import { searchPack } from '../pack/test/support/search-pack.ts';
import { loadTextFinder } from '../server/src/visualizations/query/text-finder.ts';
import { type BenchCase, costOf } from './bench-case.ts';
import { type Connection, connect, makeDatabase, sliceColumns } from './query/duckdb.ts';
import { makePack, sourceOf } from './slice.ts';

/** Memory for blocks of the pack: enough to cache everything that a slice reads. */
const cacheBytes = 2 ** 30;
const generation = 1;
const find = loadTextFinder();
const databasePath = (nodes: number) =>
  fileURLToPath(new URL(`.cache/query-${nodes}-${generation}.duckdb`, import.meta.url));

/**
 * One query, for both contenders. The results are compared as plain values. Ours is measured up to the network,
 * DuckDB's up to its own result chunks.
 */
type Question = {
  readonly name: string;
  readonly repeats: number;
  ours(pack: PackReader): Promise<unknown>;
  /** Called once, before anything is measured. */
  prepare?(connection: Connection, pack: PackReader): Promise<void>;
  sql(pack: PackReader): Promise<string>;
  /** Our result, in the form of DuckDB's rows. */
  rowsOf(answer: never, pack: PackReader): Promise<unknown[][]> | unknown[][];
};

const rootSlice = { node: 0, budget: 20_000, skip: 0 };
const columnsList = sliceColumns.map((name) => `nodes.${name}`).join(', ');

const questions: readonly Question[] = [
  {
    // We have to find these rows; DuckDB gets them as input.
    name: '20,000 rows of the root',
    repeats: 20,
    ours: async (pack) => encoded(await takeSlice(pack, rootSlice)),
    async prepare(connection, pack) {
      const { node } = await takeSlice(pack, rootSlice);
      await connection.run('CREATE TEMP TABLE wanted (row UINTEGER)');
      for (let from = 0; from < node.length; from += 1000) {
        const rows = Array.from(node.subarray(from, from + 1000), (row) => `(${row})`);
        await connection.run(`INSERT INTO wanted VALUES ${rows.join(', ')}`);
      }
    },
    sql: async () => `SELECT ${columnsList} FROM nodes JOIN wanted USING (row) ORDER BY nodes.row`,
    rowsOf: ({ slice }: Encoded, pack) => rowsOfSlice(slice, pack),
  },
  {
    name: '200 rows of a branch',
    // With fewer repeats, most of the time is compilation.
    repeats: 2000,
    ours: async (pack) => encoded(await takeSlice(pack, { node: await someCluster(pack), budget: 200, skip: 0 })),
    async sql(pack) {
      const node = await someCluster(pack);
      const from = (condition: string) => `SELECT ${columnsList} FROM nodes WHERE ${condition}`;
      return `${from(`row = ${node}`)} UNION ALL ${from(`parent = ${node}`)} ORDER BY 1 LIMIT 200`;
    },
    rowsOf: ({ slice }: Encoded, pack) => rowsOfSlice(slice, pack),
  },
  ...['nowhere', 'word7', 'number 77', 'r'].map(
    (text): Question => ({
      name: `search for "${text}"`,
      repeats: 5,
      ours: (pack) => searchPack(pack, phrase(text), 200, { find }),
      // Names are already case-folded, and words are separated only by blanks.
      sql: async () => `
        WITH hit AS MATERIALIZED (
          SELECT row, coalesce(volume, 0) AS weight, keywords,
            CASE WHEN name = '${text}' THEN 0 WHEN starts_with(name, '${text}') THEN 1
              WHEN contains(name, ' ${text}') THEN 2 ELSE 3 END AS kind
          FROM nodes WHERE contains(name, '${text}'))
        SELECT (SELECT count(*) FROM hit)::INTEGER, row FROM hit
        ORDER BY kind, weight DESC, keywords DESC, row LIMIT 200`,
      rowsOf: ({ total, rows }: Awaited<ReturnType<typeof searchPack>>) => rows.map((row) => [total, row]),
    }),
  ),
  ...(['first', 'thousandth'] as const).map(
    (nth): Question => ({
      name: `${nth} page of the keywords by three keys`,
      repeats: nth === 'first' ? 5 : 20,
      // The first page is selected anew each time; the order of a list is kept for the pages after it.
      ours: async (pack) =>
        nth === 'first'
          ? firstPage(pack, sort)
          : (await levelListsOf(pack).page({ level: 'keywords', within: 0, sort }, fromOf(nth), pageRows)).rows,
      sql: async () => `
        SELECT row FROM nodes WHERE is_keyword
        ORDER BY volume DESC NULLS LAST, difficulty ASC NULLS LAST, cpc DESC NULLS LAST, row
        LIMIT ${pageRows} OFFSET ${fromOf(nth)}`,
      rowsOf: (rows: Uint32Array) => Array.from(rows, (row) => [row]),
    }),
  ),
  {
    name: 'first page of the keywords by name',
    repeats: 5,
    ours: (pack) => firstPage(pack, [{ by: 'name', descending: false }]),
    sql: async () => `SELECT row FROM nodes WHERE is_keyword ORDER BY name, row LIMIT ${pageRows}`,
    rowsOf: (rows: Uint32Array) => Array.from(rows, (row) => [row]),
  },
  {
    name: 'first page of the keywords by a score',
    repeats: 5,
    // The score of a formula is kept, so each time has another one. The first is the one that is compared. The rows of the level
    // are kept with the pack, as by the server.
    ours: async (pack) => {
      const query = { level: 'keywords', within: 0, sort: scoreSort(scores++) } as const;
      return (await levelListsOf(pack).page(query, 0, pageRows)).rows;
    },
    sql: async () => `
      SELECT row FROM nodes WHERE is_keyword
      ORDER BY volume * (1 - difficulty / 100) DESC NULLS LAST, row LIMIT ${pageRows}`,
    rowsOf: (rows: Uint32Array) => Array.from(rows, (row) => [row]),
  },
  {
    name: 'a plot of the keywords: 5,000 points, and the others in 192 × 128 cells',
    repeats: 5,
    ours: (pack) => takeDensity(pack, { ...plot, edges: plotEdges, count: 5000 }),
    sql: async () => `
      WITH placed AS (
        SELECT row, volume, least(191, floor(difficulty::DOUBLE * 192 / 100)) + 192 * least(127, floor(volume / 1024)) AS cell
        FROM nodes WHERE is_keyword AND difficulty <= 100 AND volume <= ${1024 * 128}),
      drawn AS (SELECT row FROM placed ORDER BY volume DESC, row LIMIT 5000)
      SELECT row::INTEGER, 0, 0::DOUBLE FROM drawn
      UNION ALL
      SELECT cell::INTEGER, count(*)::INTEGER, sum(volume)::DOUBLE FROM placed ANTI JOIN drawn USING (row) GROUP BY cell
      ORDER BY 2, 1`,
    rowsOf: ({ points, cells }: Density) =>
      [
        ...Array.from(points.rows, (row) => [row, 0, 0]),
        ...Array.from(cells.at, (cell, nth) => [cell, cells.rows[nth]!, cells.volume[nth]!]),
      ].sort(([a, rows], [b, others]) => rows! - others! || a! - b!),
  },
  {
    // A threshold that is dragged: each question has another one. The first is the one that is compared.
    name: 'the quadrants of a plot, and its 2,000 largest keywords',
    repeats: 5,
    ours: (pack) => takePoints(pack, { ...plot, tx: 50, ty: 1000 + drags++, count: 2000, names: 50 }),
    sql: async () => `
      WITH placed AS MATERIALIZED (
        SELECT row, volume, difficulty, 2 * (volume >= 1000)::INTEGER + (difficulty > 50)::INTEGER AS quadrant
        FROM nodes WHERE is_keyword AND difficulty IS NOT NULL AND volume IS NOT NULL)
      SELECT (SELECT median(difficulty::DOUBLE) FROM placed), (SELECT median(volume)::DOUBLE FROM placed),
        (SELECT sum(row)::DOUBLE FROM (SELECT row FROM placed ORDER BY volume DESC, row LIMIT 2000)),
        count(*)::INTEGER, sum(volume)::DOUBLE
      FROM placed GROUP BY quadrant ORDER BY quadrant`,
    rowsOf: ({ medians, points, quadrants }: Points) => {
      const largest = points.rows.reduce((sum, row) => sum + row, 0);
      return quadrants.map(({ rows, volume }) => [medians!.x, medians!.y, largest, rows, volume]);
    },
  },
  {
    name: 'the totals of all keywords',
    repeats: 5,
    ours: async (pack) => totalsOf(pack, await levelListsOf(pack).all({ level: 'keywords', within: 0, sort: [] })),
    sql: async () => `
      SELECT count(*)::INTEGER, sum(volume)::DOUBLE, count(volume)::INTEGER, count(difficulty)::INTEGER
      FROM nodes WHERE is_keyword`,
    rowsOf: ({ keywords, volume, volumeKnown, difficultyKnown }: UnionTotals) => [
      [keywords, volume, volumeKnown, difficultyKnown],
    ],
  },
  {
    name: 'a filter on clusters',
    repeats: 5,
    async ours(pack) {
      const kept = await filterPack(pack, readFilter('cluster-volume-100000_')!, { find });
      await kept.weights();
      return kept;
    },
    sql: async () => `
      SELECT count(*)::INTEGER, sum(keywords)::INTEGER, sum(volume)
      FROM (${clustersOfKeywords}) WHERE volume >= 100000`,
    async rowsOf(kept: Awaited<ReturnType<typeof filterPack>>) {
      const clusters = await levelRows(kept, 'clusters', 0);
      return [[clusters.length, kept.kept.keywords[0]!, (await kept.column('volume'))[0]!]];
    },
  },
  {
    // DuckDB finds four kinds and counts them; ours finds eight, and lists them by volume.
    name: 'warnings',
    repeats: 3,
    ours: async (pack) => findWarnings(await filterPack(pack, noFilter, { find }), defaultThresholds, noOriginal),
    sql: async () => `
      WITH clusters AS MATERIALIZED (${clustersOfKeywords})
      SELECT count(*) FILTER (keywords = 1)::INTEGER, count(*) FILTER (keywords > ${defaultThresholds.oversized})::INTEGER,
        count(*) FILTER (known >= ${defaultThresholds.mixedKeywords}
          AND 100 * greatest(i, n, c, t) < ${defaultThresholds.mixedShare} * known)::INTEGER,
        (SELECT count(*) FROM (SELECT name FROM nodes WHERE is_keyword GROUP BY name
          HAVING count(DISTINCT parent) > 1))::INTEGER
      FROM clusters`,
    rowsOf: ({ lists }: Awaited<ReturnType<typeof findWarnings>>) => [
      (['single', 'oversized', 'mixed', 'repeated'] as const).map((kind) => countOf(lists[kind])),
    ],
  },
  {
    // DuckDB joins equal paths; ours also finds what was moved or renamed, at every level.
    name: 'what changed, and the first 500 keywords of it',
    repeats: 1,
    async ours(before) {
      const after = await laterPack(before.metadata.nodes);
      const match = await matchPacks(after, before, [1, 2]);
      const changes = await findChanges({ match, after, before });
      return { counts: changes.counts('keywords'), first: await changes.list('keywords', 'volume-up', 0, pageRows) };
    },
    async prepare(connection, before) {
      const { nodes } = before.metadata;
      await makeDatabase(laterDatabasePath(nodes), await laterPack(nodes));
      await connection.run(`ATTACH '${laterDatabasePath(nodes)}' AS later (READ_ONLY)`);
    },
    sql: async () => `
      WITH
        one AS MATERIALIZED (SELECT * FROM nodes WHERE is_keyword),
        other AS MATERIALIZED (SELECT * FROM later.nodes WHERE is_keyword),
        matched AS MATERIALIZED (
          SELECT other.row AS row, other.volume - one.volume AS more, one.volume AS before
          FROM other JOIN one USING (address_high, address_low)),
        up AS MATERIALIZED (SELECT * FROM matched WHERE more >= 10 AND 5 * more >= before)
      SELECT (SELECT count(*) FROM other)::INTEGER - (SELECT count(*) FROM matched)::INTEGER,
        (SELECT count(*) FROM one)::INTEGER - (SELECT count(*) FROM matched)::INTEGER,
        (SELECT count(*) FROM up)::INTEGER, row
      FROM up ORDER BY more DESC, row LIMIT ${pageRows}`,
    rowsOf: ({ counts, first }: ChangedPage) =>
      first.map(({ row }) => [counts.new, counts.gone, counts['volume-up'], row]),
  },
  {
    name: 'a filter that recomputes every branch',
    repeats: 5,
    async ours(pack) {
      const kept = await filterPack(pack, readFilter('volume-1000_')!, { find });
      await kept.weights();
      return kept;
    },
    sql: async (pack) => `
      WITH RECURSIVE
        leaf AS (SELECT parent AS row, count(*) AS keywords, sum(volume) AS volume
          FROM nodes WHERE is_keyword AND volume >= 1000 GROUP BY parent),
        ${Array.from({ length: pack.metadata.depth - 1 }, (_, level) => above(level, level === 0 ? 'leaf' : `above${level - 1}`)).join(',')}
      SELECT row, sum(keywords)::INTEGER, sum(volume)
      FROM (SELECT * FROM leaf ${Array.from({ length: pack.metadata.depth - 1 }, (_, level) => `UNION ALL SELECT * FROM above${level}`).join(' ')})
      GROUP BY row ORDER BY row`,
    async rowsOf(kept: Awaited<ReturnType<typeof filterPack>>) {
      const volume = await kept.column('volume');
      const { rows } = kept.kept.branches;
      const all = Array.from(rows, (row, branch) => [row, kept.kept.keywords[branch]!, volume[branch]!]);
      return all.filter(([, keywords]) => keywords! > 0);
    },
  },
];

/** Branch figures of what has a cluster around it; keywords of this tree are all in one. */
const clustersOfKeywords = `
  SELECT parent AS row, count(*) AS keywords, sum(volume) AS volume,
    count(*) FILTER (intents > 0) AS known,
    sum(informational / nullif(intents, 0)) AS i, sum(navigational / nullif(intents, 0)) AS n,
    sum(commercial / nullif(intents, 0)) AS c, sum(transactional / nullif(intents, 0)) AS t
  FROM (SELECT *, informational + navigational + commercial + transactional AS intents FROM nodes WHERE is_keyword)
  GROUP BY parent`;

const pageRows = 500;

const plot = { level: 'keywords', within: 0, x: 'difficulty', y: 'volume', size: 'volume' } as const;
const plotEdges = {
  x: Array.from({ length: 193 }, (_, nth) => (100 * nth) / 192),
  y: Array.from({ length: 129 }, (_, nth) => nth * 1024),
};

type ChangedPage = {
  readonly counts: ReturnType<Changes['counts']>;
  readonly first: Awaited<ReturnType<Changes['list']>>;
};
const laterPacks = new Map<number, Promise<PackReader>>();
/** The same research a month later. */
function laterPack(nodes: number): Promise<PackReader> {
  const opened =
    laterPacks.get(nodes) ??
    makePack(nodes, 'later').then(async (path) => openPack(await sourceOf(await open(path)), cacheBytes));
  laterPacks.set(nodes, opened);
  return opened;
}
const laterDatabasePath = (nodes: number) =>
  fileURLToPath(new URL(`.cache/query-later-${nodes}-${generation}.duckdb`, import.meta.url));
const fromOf = (nth: 'first' | 'thousandth') => (nth === 'first' ? 0 : 999 * pageRows);
const sort = readSort('-volume*difficulty*-cpc')!;

async function firstPage(pack: PackReader, by: RowSort): Promise<Uint32Array> {
  const rows = await levelRows(pack, 'keywords', 0);
  return firstRows(pack, rows, { sort: by }, pageRows, noPause, (key) => valuesOf(pack, key, rows, noPause));
}

const scoreText = (percent: number) => `branch.volume*(1-difficulty/${percent})`;
const scoreSort = (nth: number) => [{ by: `field:${scoreFieldName(scoreText(100 + nth))}`, descending: true }];
let scores = 0;
let drags = 0;
const countOf = (found: FoundWarnings): number => ('missing' in found ? 0 : found.rows.length);
/** Only URLs are read from the uploaded file, and this one has none. */
const noOriginal: ByteSource = {
  size: 0,
  read: () => {
    throw new Error('There is no uploaded file');
  },
};

/** The figures that branches pass on to their parents. */
const above = (level: number, below: string) =>
  `above${level} AS (SELECT nodes.parent AS row, sum(${below}.keywords) AS keywords, sum(${below}.volume) AS volume
    FROM ${below} JOIN nodes USING (row) WHERE row > 0 GROUP BY nodes.parent)`;

export const cases: readonly BenchCase[] = [1e6, 1e7].flatMap((nodes) =>
  questions.map((question) => ({
    name: `query/${question.name} of ${nodes} nodes`,
    rounds: 5,
    prepare: () => checkAnswers(nodes, question),
    contenders: [
      { name: 'ours', measure: () => measureOurs(nodes, question, cacheBytes) },
      { name: 'ours by pread', measure: () => measureOurs(nodes, question, 2 ** 26) },
      { name: 'DuckDB', measure: () => measureDuckDB(nodes, question) },
    ].filter(({ name }) => name !== 'ours by pread' || question.name.includes('rows')),
  })),
);

/** @throws Error if the two results differ */
async function checkAnswers(nodes: number, question: Question): Promise<void> {
  const { pack, close } = await openOurs(nodes, cacheBytes);
  await makeDatabase(databasePath(nodes), pack);
  const { connection, close: disconnect } = await connect(databasePath(nodes));
  await question.prepare?.(connection, pack);
  const theirs = (await connection.runAndReadAll(await question.sql(pack))).getRowsJS();
  const ours = await question.rowsOf((await question.ours(pack)) as never, pack);
  const at = ours.findIndex((row, index) => !isDeepStrictEqual(row, theirs[index]));
  if (at >= 0 || theirs.length !== ours.length) {
    const shown = JSON.stringify([ours.length, theirs.length, ours[at], theirs[at]], null, 1);
    throw new Error(`${question.name}: different answers, ours and DuckDB's: ${shown}`);
  }
  disconnect();
  await close();
}

async function measureOurs(nodes: number, question: Question, bytes: number) {
  const { pack, close } = await openOurs(nodes, bytes);
  const cost = await meanCost(question.repeats, () => question.ours(pack));
  await close();
  return cost;
}

async function measureDuckDB(nodes: number, question: Question) {
  const { pack, close } = await openOurs(nodes, cacheBytes);
  const { connection, close: disconnect } = await connect(databasePath(nodes));
  await question.prepare?.(connection, pack);
  const statement = await connection.prepare(await question.sql(pack));
  const cost = await meanCost(question.repeats, () => statement.runAndReadAll());
  disconnect();
  await close();
  return cost;
}

async function meanCost(repeats: number, work: () => Promise<unknown>) {
  // As in a server that has run for a while.
  for (let warm = 0; warm < repeats; warm++) await work();
  const cost = await costOf(async () => {
    for (let repeat = 0; repeat < repeats; repeat++) await work();
    return {};
  });
  return { ...cost, cpuMs: cost.cpuMs / repeats, wallMs: cost.wallMs / repeats };
}

async function openOurs(nodes: number, bytes: number) {
  const file = await open(await makePack(nodes));
  return { pack: await openPack(await sourceOf(file), bytes), close: () => file.close() };
}

/** The heaviest cluster of the heaviest pillar. */
async function someCluster(pack: PackReader): Promise<number> {
  const [starts, firstChild] = await Promise.all([pack.column('branch'), pack.column('first_child')]);
  return firstChild[starts[firstChild[0]!]!]!;
}

type Encoded = { readonly slice: Slice; readonly body: Uint8Array };
const encoded = (slice: Slice): Encoded => ({ slice, body: encodeSlice(slice) });

/** In the order of {@link sliceColumns}. */
async function rowsOfSlice(slice: Slice, pack: PackReader): Promise<unknown[][]> {
  const [above] = await pack.gather('parent', slice.node.subarray(0, 1));
  const text = new TextDecoder();
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  return Array.from(slice.node, (node, row) => [
    node,
    row === 0 ? above : slice.node[slice.parent[row]!],
    slice.depth[row],
    slice.type[row],
    text.decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1])),
    slice.address[2 * row],
    slice.address[2 * row + 1],
    slice.childCount[row],
    slice.leaves[row],
    slice.keywords[row],
    known(slice.volume[row]!),
    slice.volumeKnown[row],
    slice.childKeywords[row],
    slice.childVolume[row],
    known(slice.difficulty[row]!),
    slice.difficultyKnown[row],
    known(slice.cpc[row]!),
    slice.cpcKnown[row],
    ...[0, 1, 2, 3].map((kind) => slice.intent[4 * row + kind]),
  ]);
}
