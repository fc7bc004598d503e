import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { pathAddresses } from '@kc/pack/plan/node-paths';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { defaultThresholds as defaultChanges } from '@kc/pack/vocabulary/changes';
import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { emptyFields } from '@kc/rules/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong, proof, report, sample } from '../../../test/support/proof.ts';
import { longestTurnMs, watchTurns } from '../../../test/support/turns.ts';
import { publishRevision, type RevisionKeys, writeRevision } from '../../drafts/revision.ts';
import { openDiskStorage } from '../../storage/disk.ts';
import type { Storage } from '../../storage/storage.ts';
import type { HandoverQuery } from './handover/handover-query.ts';
import { createPackQueries, type PackQueries } from './pack-queries.ts';
import { type Question, questions } from './query-messages.ts';

/** In `npm run prove -- fairness`, a million nodes; in a test run, enough that each query does all that it can do. */
const nodes = proof(1_000).runs;

/** How many keywords a cluster and how many clusters a pillar has. */
const shapes = {
  usual: { keywords: 40, clusters: 20 },
  'clusters of one keyword': { keywords: 1, clusters: 1_000 },
  'one cluster': { keywords: nodes, clusters: 1 },
} as const;
type Shape = keyof typeof shapes;

const month = (at: number) => `2026-${String((at % 12) + 1).padStart(2, '0')}`;
const keywordName = (at: number) => `${['garden', 'kitchen', 'Straße', 'office'][at % 4]} hose ${at.toString(36)}`;

/** A keyword in the words of a tool, with another figure in a `later` upload. */
const entryOf = (at: number, later: number) =>
  JSON.stringify({
    keyword: keywordName(at),
    volume: (at * 7919 + later * at) % 100_003,
    keyword_difficulty: at % 9 === 0 ? null : (at * 31) % 100,
    cpc: ((at * 17) % 500) / 100,
    competition: ((at * 13) % 100) / 100,
    position: 1 + ((at * 11 + later) % 100),
    intent: ['informational', 'navigational', 'commercial', 'transactional'][(at >> 3) % 4],
    tags: [`tag ${at % 50}`, `tag ${at % 7}`],
    region: `region ${at % 90}`,
    notes: `note ${at}`,
    trend: Array.from({ length: 12 }, (_, nth) => (at * (nth + 3)) % 100),
    url: `https://shop-${(at * 3) % 997}.example/p/${Math.floor(at / 3)}/`,
  });

/** An upload in parts. One keyword in ten is in two places, and one in three has two entries. In a later one, one cluster in ten has another pillar, and one keyword in twenty is new. */
function* uploadOf(shape: Shape, later: number): Generator<Uint8Array> {
  const { keywords: perCluster, clusters: perPillar } = shapes[shape];
  const clusterNodes = perCluster + 1 + 1 / perPillar;
  const clusters = Math.max(1, Math.floor((nodes - 1) / clusterNodes));
  const keywords = Math.min(nodes, clusters * perCluster);
  const idOf = (at: number) => (at % 20 === 0 ? at + later * keywords : at);
  const encoder = new TextEncoder();
  let text = '{"keywords":[';
  for (let at = 0; at < keywords; at++) {
    text += `${at > 0 ? ',' : ''}${entryOf(idOf(at), later)}`;
    if (at % 3 === 0) text += `,${entryOf(idOf(at), later + 1)}`;
    if (text.length < 2 ** 16) continue;
    yield encoder.encode(text);
    text = '';
  }
  text += ',"keyword that is in no place"],"hierarchy":{"name":"shop","type":"root","children":[';
  const wayOf = (cluster: number) => (later > 0 && cluster % 10 === 9 ? cluster - 9 : cluster);
  const pillars = new Map<number, number[]>();
  for (let cluster = 0; cluster < clusters; cluster++) {
    const pillar = Math.floor(wayOf(cluster) / perPillar);
    pillars.set(pillar, [...(pillars.get(pillar) ?? []), cluster]);
  }
  let isFirst = true;
  for (const [pillar, ones] of pillars) {
    text += `${isFirst ? '' : ','}{"name":"pillar ${pillar}","type":"pillar_topic","children":[`;
    isFirst = false;
    for (const [nth, cluster] of ones.entries()) {
      text += `${nth > 0 ? ',' : ''}{"name":"cluster ${cluster}","type":"cluster","children":[`;
      for (let at = 0; at < perCluster && cluster * perCluster + at < keywords; at++) {
        const number = cluster * perCluster + at;
        // Keywords of the cluster before, now and then.
        const shown = at % 10 === 5 && cluster > 0 ? number - perCluster : number;
        text += `${at > 0 ? ',' : ''}{"name":${JSON.stringify(keywordName(idOf(shown)))},"type":"keyword"}`;
        if (text.length < 2 ** 16) continue;
        yield encoder.encode(text);
        text = '';
      }
      text += ']}';
    }
    text += ']}';
  }
  yield encoder.encode(`${text}]}}`);
}

let directory: string;
let storage: Storage;
const turns = watchTurns();
const made = new Map<Shape, { readonly now: RevisionKeys; readonly before: RevisionKeys }>();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-steps-'));
  storage = await openDiskStorage(directory);
  for (const shape of sample(Object.keys(shapes) as Shape[], 1)) {
    const [before, now] = [await packOf(shape, 0), await packOf(shape, 1)];
    made.set(shape, { now, before });
  }
}, 1_200_000);
afterAll(async () => {
  turns.stop();
  await rm(directory, { recursive: true });
});

async function packOf(shape: Shape, later: number): Promise<RevisionKeys> {
  const written = await writeRevision(storage, uploadOf(shape, later), 8 * 2 ** 30);
  if ('refusal' in written) throw new Error(JSON.stringify(written.refusal));
  return publishRevision(storage, written);
}

const canonical = (text: string) => writeFilter(readFilter(text)!);
const filters = ['', canonical('has-hose*not-kitchen*volume-100_'), canonical('cluster-keywords-1_*regex-e 1.**z')];
const seen = 'seen';
const markFilters = ['plan-planned', 'change-moved', 'warn-mixed', 'tag-spring'].map((part) =>
  canonical(`${part}*seen-${seen}`),
);
const score = 'mean.round(log(volume+1)*(1-difficulty/100),2)';
const levels = ['pillars', 'clusters', 'keywords'] as const;
const edges = Array.from({ length: 101 }, (_, at) => at * 1_001);

type Ask = (queries: PackQueries) => Promise<unknown>;

/** Every query in its costliest forms. */
function asksOf(shape: Shape): Readonly<Record<Question, Readonly<Record<string, Ask>>>> {
  const { now, before } = made.get(shape)!;
  const { clusters: perPillar } = shapes[shape];
  const inPack = { packKey: now.packKey, fileKey: now.fileKey };
  const compared = { vsKey: before.packKey, thresholds: defaultChanges };
  const path = (cluster: number) =>
    [
      [`pillar ${Math.floor(cluster / perPillar)}`, 0],
      [`cluster ${cluster}`, 0],
    ] as const;
  const planned = Math.min(20_000, Math.ceil(nodes / 50));
  const paths = Array.from({ length: planned }, (_, at) => path(at));
  const addressOf = pathAddresses('shop');
  const addresses = paths.map(addressOf);
  const entries = paths.map((one, at) => ({ id: String(at), paths: [one], rank: at % 5 }));
  const rows = Array.from({ length: Math.min(200_000, Math.floor(nodes / 3)) }, (_, at) => 1 + 2 * at);
  const dismissed = paths.slice(0, 5_000).map((one) => ({ kind: 'mixed' as const, paths: [one], subject: '' }));
  const warned = { ...inPack, thresholds: defaultThresholds, dismissed };
  const plannedRows = entries.map(({ id, paths }) => ({
    id,
    kind: 'branch' as const,
    paths,
    fields: { ...emptyFields, tags: ['spring'], due: month(Number(id)) },
    keywords: 3,
    volume: 100,
  }));
  const marks = {
    plan: { version: 'one', entries },
    planned: entries.map((entry) => ({ ...entry, fields: { owner: '', content: '', tags: ['spring'], due: '' } })),
    warnings: { fileKey: now.fileKey, thresholds: defaultThresholds, dismissed },
    changes: compared,
  };
  const withMarks =
    (ask: Ask): Ask =>
    async (queries) => {
      await queries.keepMarks({ key: seen, marks });
      return ask(queries);
    };
  const query = { sort: [], from: 0, count: 500, fields: [], withTrends: true };
  const sorts = ['-volume', 'name', 'cluster', '-known:difficulty', `field:${scoreFieldName(score)}`, 'field:region'];
  const exported = (what: object, form: 'csv' | 'json' = 'csv'): Ask =>
    allParts((queries) =>
      queries.beginExport({ ...inPack, query: { form, filter: '', ...what } as never, sortedBy: {} }),
    );
  const handover = (form: HandoverQuery['form'], of: HandoverQuery['of']): Ask =>
    allParts((queries) => {
      const reader = { who: 'team', seesPlan: true } as const;
      const at = Date.UTC(2026, 10, 1);
      const source = {
        fileName: 'shop.json',
        description: '',
        uploadedAt: at,
        now: at,
        newestMonth: '2026-10',
        lead: 2,
        link: undefined,
        shared: undefined,
      };
      const what = {
        reader,
        form,
        of,
        node: 0,
        rows: undefined,
        nodes: undefined,
        top: undefined,
        filter: '',
        score,
        entries: plannedRows,
        source,
      };
      return queries.beginHandover({ ...inPack, query: what });
    });
  const filtered = (ask: (queries: PackQueries, filter: string) => Promise<unknown>): Record<string, Ask> =>
    Object.fromEntries(filters.map((filter) => [`under "${filter}"`, (queries) => ask(queries, filter)]));
  const perLevel = (ask: (queries: PackQueries, level: (typeof levels)[number]) => Promise<unknown>) =>
    Object.fromEntries(levels.map((level): [string, Ask] => [level, (queries) => ask(queries, level)]));
  const missing = entries.map(({ id }, at) => ({
    id: `missing ${id}`,
    kind: 'branch' as const,
    fingerprint: [0, 1, 2].map((nth) => keywordName(1 + at * 3 + nth)),
  }));
  const fingerprints = missing.map(({ fingerprint }, at) => ({ id: String(at), fingerprint }));
  return {
    slice: {
      ...filtered((queries, filter) =>
        queries.slice({ ...inPack, compared, query: { node: 0, budget: 20_000, skip: 0, filter } }),
      ),
      'with a plan': withMarks((queries) =>
        queries.slice({ ...inPack, planned: seen, query: { node: 0, budget: 20_000, skip: 0 } }),
      ),
      'with fields': (queries) =>
        queries.slice({
          ...inPack,
          query: { node: 0, budget: 20_000, skip: 0, fields: ['region', 'tags', scoreFieldName(score)] },
        }),
      'of ranked children': (queries) =>
        queries.slice({
          ...inPack,
          query: {
            node: shape === 'one cluster' ? 2 : 0,
            budget: 4_000,
            skip: 0,
            ranked: { by: 'name', descending: false },
          },
        }),
    },
    rows: {
      ...filtered((queries, filter) =>
        queries.rows({ ...inPack, filter, query: { ...query, level: 'clusters', within: 0 } }),
      ),
      ...Object.fromEntries(
        sorts.map((by): [string, Ask] => [
          `by ${by}`,
          (queries) =>
            queries.rows({
              ...inPack,
              query: {
                ...query,
                level: 'keywords',
                within: 0,
                sort: [{ by: by.replace(/^-/, ''), descending: by.startsWith('-') }],
              },
            }),
        ]),
      ),
      ...Object.fromEntries(
        markFilters.map((filter): [string, Ask] => [
          `under "${filter}"`,
          withMarks((queries) =>
            queries.rows({ ...inPack, filter, query: { ...query, level: 'keywords', within: 0 } }),
          ),
        ]),
      ),
      ...Object.fromEntries(
        ['change', 'plan', 'warnings'].map((by): [string, Ask] => [
          `by the mark ${by}`,
          withMarks((queries) =>
            queries.rows({
              ...inPack,
              compared,
              planned: seen,
              warned: { key: seen, withUnknown: true },
              query: { ...query, level: 'keywords', within: 0, sort: [{ by, descending: true }] },
            }),
          ),
        ]),
      ),
    },
    points: {
      ...perLevel((queries, level) =>
        queries.points({
          ...inPack,
          query: { level, within: 0, x: 'volume', y: 'difficulty', size: 'volume', count: 2_000, names: 500 },
        }),
      ),
      ...filtered((queries, filter) =>
        queries.points({
          ...inPack,
          filter,
          query: {
            level: 'keywords',
            within: 0,
            x: 'cpc',
            y: `field:${scoreFieldName(score)}`,
            size: 'keywords',
            count: 2_000,
            names: 500,
          },
        }),
      ),
    },
    density: {
      ...perLevel((queries, level) =>
        queries.density({
          ...inPack,
          query: {
            level,
            within: 0,
            x: 'volume',
            y: 'difficulty',
            size: 'volume',
            edges: { x: edges, y: edges },
            count: 2_000,
          },
        }),
      ),
    },
    selectionTotals: {
      ...perLevel((queries, level) =>
        queries.selectionTotals({ ...inPack, selection: { level, within: 0, except: Uint32Array.of(3) } }),
      ),
      'of many rows': (queries) =>
        queries.selectionTotals({ ...inPack, selection: { rows: Uint32Array.from(rows) }, filter: filters[1]! }),
    },
    fields: { all: (queries) => queries.fields(inPack) },
    node: filtered((queries, filter) => queries.node({ ...inPack, filter, node: 1 })),
    keywords: filtered((queries, filter) =>
      queries.keywords({ ...inPack, filter, node: 0, limit: 1_000, after: undefined }),
    ),
    members: filtered((queries, filter) => queries.members({ ...inPack, filter, node: 0 })),
    notInHierarchy: {
      all: (queries) =>
        queries.notInHierarchy({ ...inPack, query: { mode: 'phrase', text: 'no', skip: 0, limit: 500 } }),
    },
    notInHierarchyKeyword: { one: (queries) => queries.notInHierarchyKeyword({ ...inPack, row: nodes }) },
    locate: { many: (queries) => queries.locate({ ...inPack, addresses }) },
    placesTo: { one: (queries) => queries.placesTo({ ...inPack, address: addresses.at(-1)! }) },
    search: {
      phrase: (queries) =>
        queries.search({ ...inPack, query: { mode: 'phrase', text: 'e', limit: 500, skip: 0, under: 0 } }),
      words: (queries) =>
        queries.search({ ...inPack, query: { mode: 'any', text: 'hose garden strasse', limit: 500, skip: 0 } }),
      pattern: (queries) =>
        queries.search({ ...inPack, query: { mode: 'regex', text: '[a-z]+ hose .*(1|2|z)$', limit: 500, skip: 0 } }),
      'under a filter': (queries) =>
        queries.search({
          ...inPack,
          filter: filters[1]!,
          query: { mode: 'phrase', text: 'o', limit: 500, skip: 0, under: 0 },
        }),
    },
    patternProblem: {
      long: (queries) => Promise.resolve(queries.patternProblem({ pattern: '(a{1,9}b?){1,20}'.repeat(3) })),
    },
    keptPath: { one: (queries) => queries.keptPath({ ...inPack, path: [0, 1], filter: filters[1]! }) },
    histogram: Object.fromEntries(
      ['type', 'intent', 'depth', 'growth', 'volume', 'field:competition', 'cluster:volume'].map(
        (of): [string, Ask] => [of, (queries) => queries.histogram({ ...inPack, of, filter: filters[1]! })],
      ),
    ),
    checkScore: {
      ...perLevel((queries, level) => queries.checkScore({ ...inPack, score, level, within: 0 })),
      ...filtered((queries, filter) => queries.checkScore({ ...inPack, filter, score, level: 'clusters', within: 0 })),
    },
    changes: {
      ...filtered((queries, filter) =>
        queries.changes({
          ...inPack,
          ...compared,
          filter,
          query: { level: 'keywords', kind: undefined, from: 0, count: 500, within: undefined },
        }),
      ),
      'within a branch': (queries) =>
        queries.changes({
          ...inPack,
          ...compared,
          query: { level: 'clusters', kind: 'moved', from: 0, count: 500, within: 1 },
        }),
    },
    change: { one: (queries) => queries.change({ ...inPack, ...compared, node: 1 }) },
    beginExport: {
      'the hierarchy': exported({ node: 0 }),
      'the hierarchy as JSON': exported({ node: 0 }, 'json'),
      clusters: exported({ node: 0, kind: 'clusters' }),
      'a sorted list': exported({ node: 0, level: 'keywords', sort: [{ by: 'name', descending: true }] }),
      'chosen rows': exported({ rows }),
      'what is in no place': exported({ unplaced: true }),
      'under a filter': exported({ node: 0, filter: filters[1] }),
    },
    beginHandover: Object.fromEntries(
      (['csv', 'md', 'xlsx', 'briefs.md', 'briefs.html', 'briefs.json'] as const).flatMap((form) =>
        (['plan', 'clusters'] as const).map((of) => [`${of} as ${form}`, handover(form, of)]),
      ),
    ),
    // Asked for by those that begin.
    nextPart: {},
    endExport: {},
    planFacts: { many: (queries) => queries.planFacts({ ...inPack, addresses }) },
    movedKeywords: {
      many: (queries) =>
        queries.movedKeywords({
          ...inPack,
          moves: addresses.map((after, at) => [at.toString(16).padStart(16, '0'), after] as const),
          wanted: addresses,
        }),
    },
    planPlaces: { all: (queries) => queries.planPlaces({ ...inPack, entries }) },
    planTotals: { all: (queries) => queries.planTotals({ ...inPack, version: 'one', entries, branch: 1 }) },
    planFigures: filtered((queries, filter) => queries.planFigures({ ...inPack, filter, version: 'one', entries })),
    changedEntries: { all: (queries) => queries.changedEntries({ ...inPack, entries, branches: fingerprints }) },
    planLinks: {
      all: (queries) =>
        queries.planLinks({
          ...inPack,
          entries: entries.map((entry) => ({ ...entry, primary: '' })),
          entry: entries[0]!.id,
        }),
    },
    planSuggestions: {
      many: (queries) => queries.planSuggestions({ ...inPack, entries: entries.slice(0, 10), missing }),
    },
    warningSummary: filtered((queries, filter) =>
      queries.warningSummary({ ...warned, filter: filter.replace(/cluster-[^*]*\*/, '') }),
    ),
    warningPage: {
      mixed: (queries) => queries.warningPage({ ...warned, filter: '', kind: 'mixed', from: 0, count: 200 }),
    },
    nodeWarnings: { one: (queries) => queries.nodeWarnings({ ...warned, filter: '', node: 1 }) },
    warningMarks: { all: (queries) => queries.warningMarks({ ...warned, filter: '', withUnknown: true }) },
    nodePath: { one: (queries) => queries.nodePath({ ...inPack, address: addresses.at(-1)! }) },
    hasMarks: { none: async (queries) => queries.hasMarks({ key: 'none' }) },
    keepMarks: { many: async (queries) => queries.keepMarks({ key: seen, marks }) },
  };
}

function allParts(begin: (queries: PackQueries) => Promise<{ number: number }>): Ask {
  return async (queries) => {
    const { number } = await begin(queries);
    let bytes = 0;
    for (;;) {
      // As in a thread, each part is asked for by a message.
      await setImmediate();
      const part = await queries.nextPart({ number });
      if (!part) break;
      bytes += part.length;
    }
    await queries.endExport({ number });
    return bytes;
  };
}

/** The longest step of a query that nothing is cached for, in milliseconds. */
async function longestStep(ask: Ask, what: string): Promise<number> {
  const queries = createPackQueries(storage);
  try {
    const began = performance.now();
    turns.begin();
    await ask(queries);
    const longest = turns.longestMs();
    report(`${longest.toFixed(0).padStart(5)} of ${(performance.now() - began).toFixed(0).padStart(6)} ms: ${what}`);
    return longest;
  } finally {
    await queries.close();
  }
}

test.each(questions)('SEC-38 no step of the query %s keeps others waiting', async (question) => {
  const slow: string[] = [];
  for (const shape of made.keys()) {
    for (const [form, ask] of Object.entries(asksOf(shape)[question])) {
      const what = `${question} ${form}, ${shape}`;
      const longest = await longestStep(ask, what);
      // Of two, the shorter: the machine may have done something else.
      const again = longest < longestTurnMs ? longest : Math.min(longest, await longestStep(ask, what));
      if (again >= longestTurnMs) slow.push(`${what}: ${again.toFixed(0)} ms`);
    }
  }
  if (isLong) expect(slow).toEqual([]);
});
