import { noFilter } from '@kc/pack/filter/filter';
import { beforeWarnings, hasCoveredCondition, hasMarks, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { topicsOf } from '@kc/pack/levels/row-sort';
import { defaultThresholds as defaultChanges } from '@kc/pack/vocabulary/changes';
import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import type { Dismissed } from '@kc/pack/warnings/open-warnings';
import { writePack } from '@kc/pack/write/pack-writer';
import { readThresholds } from '@kc/rules/changes';
import { limits } from '@kc/rules/limits';
import type { Visualization } from '@kc/rules/shapes';
import { arraySink, arraySource } from '../../../pack/test/support/trees.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import type { Marks } from '../../../server/src/visualizations/query/marks.ts';
import { createPackQueries, type PackQueries } from '../../../server/src/visualizations/query/pack-queries.ts';
import { readRowsQuery, readSliceQuery } from '../../../server/src/visualizations/query-parameters.ts';
import type { Handlers, RawCall } from './fake-api.ts';
import { refuse } from './fake-api.ts';
import { planOf } from './plan-api.ts';

/** Ann's visualization; override what a test is about. */
export const visualization = (change: Partial<Visualization> = {}): Visualization => ({
  id: 'map',
  userId: 'ann',
  userEmail: 'ann@example.com',
  fileName: 'shoes.json',
  storagePath: '',
  downloadUrl: '/api/visualizations/map/original',
  uploadDate: 0,
  uploadedBy: 'ann',
  isActive: true,
  isSample: false,
  fileSize: 1_000,
  description: '',
  keywords: 0,
  nodes: 1,
  rootName: 'shoes',
  ...change,
});

/** A file as people upload it. */
export type Upload = {
  readonly keywords: readonly (string | ({ readonly keyword: string } & Readonly<Record<string, unknown>>))[];
  readonly hierarchy: UploadNode;
  readonly similar_nodes?: readonly number[];
};
type UploadNode = { readonly name: string; readonly type?: string; readonly children?: readonly UploadNode[] };

type GivenMap = { readonly upload: Upload; readonly record?: Partial<Visualization> };

/**
 * What a server answers about uploaded files, the active one first. The files are read, and every figure is computed, by
 * the data engine itself in this page, with the server's own queries. Plans and dismissals are kept; saved views, presets
 * and scores are none, until a test fakes those calls itself.
 */
export async function mapsApi(...maps: readonly GivenMap[]): Promise<Handlers> {
  const stored = new Map<string, Uint8Array<ArrayBuffer>>();
  const records: Visualization[] = [];
  for (const [at, { upload, record }] of maps.entries()) {
    const bytes = new TextEncoder().encode(JSON.stringify(upload));
    const pack = await packFrom(bytes);
    const { metadata } = await openPack(arraySource(pack));
    const about = {
      nodes: metadata.nodes,
      keywords: metadata.keywords,
      rootName: upload.hierarchy.name,
      fileSize: bytes.length,
      isActive: at === 0,
    };
    const one = visualization({ id: at === 0 ? 'map' : `map-${at}`, ...about, ...record });
    records.push(one);
    stored.set(packKey(one.id), pack);
    stored.set(fileKey(one.id), bytes);
  }
  await inUse?.close();
  const queries = createPackQueries(storageOf(stored));
  inUse = queries;
  const recordOf = (id: string) => records.find((one) => one.id === id)!;
  const plan = planOf(queries, (id) => ({ packKey: packKey(id), rootName: recordOf(id).rootName }), filterOf);
  let thresholds = defaultThresholds;
  const dismissed: (Dismissed & { readonly id: string })[] = [];
  const marksByText = new Map<string, string>();

  const warned = (id: string) => ({ fileKey: fileKey(id), thresholds, dismissed });
  function compared(vs: string | null | undefined, ct: string | null | undefined) {
    if (!vs) return undefined;
    if (!recordOf(vs)) refuse('visualization/not-found');
    return { vsKey: packKey(vs), thresholds: (ct && readThresholds(ct)) || defaultChanges };
  }
  /** Hands marks over and names them, as `server/src/marks/find-marks.ts`. */
  function named(marks: Marks): string {
    const text = JSON.stringify(marks);
    const key = marksByText.get(text) ?? `marks-${marksByText.size}`;
    marksByText.set(text, key);
    queries.keepMarks({ key, marks });
    return key;
  }
  function filterOf(id: string, text = ''): string {
    const filter = readFilter(text);
    if (!filter) throw new Error(`No filter: ${text}`);
    if (!hasMarks(filter)) return writeFilter(filter);
    const seen = new URLSearchParams(filter.seen);
    const changes = compared(seen.get('vs'), seen.get('ct'));
    return writeFilter({
      ...filter,
      seen: named({
        ...((filter.plan.length > 0 || hasCoveredCondition(filter)) && { plan: plan.ranked() }),
        ...(filter.planned.length > 0 && { planned: plan.fields() }),
        ...(filter.warnings.length > 0 && { warnings: warned(id) }),
        ...(filter.changes.length > 0 && changes && { changes }),
      }),
    });
  }
  const asked = ({ id, filter }: { readonly id: string; readonly filter?: string | undefined }) => ({
    packKey: packKey(id),
    fileKey: fileKey(id),
    filter: filterOf(id, filter),
  });
  const askedWarnings = ({ id, filter }: { readonly id: string; readonly filter?: string | undefined }) => {
    const read = readFilter(filterOf(id, filter)) ?? noFilter;
    return { packKey: packKey(id), ...warned(id), filter: writeFilter(beforeWarnings(read)) };
  };
  const slice = async (call: RawCall) => {
    const { id, given, planned, ...marks } = rawAsked(call);
    const query = readSliceQuery(given)!;
    const filter = filterOf(id, given.filter as string | undefined);
    return bytesOrGone(await queries.slice({ packKey: packKey(id), query: { ...query, filter }, planned, ...marks }));
  };
  const rows = async (call: RawCall) => {
    const { id, given, ...marks } = rawAsked(call);
    const query = readRowsQuery(given)!;
    const topics = topicsOf(query.sort);
    const warnings = { key: named({ warnings: warned(id) }), withUnknown: given.unknown === '1' };
    return bytesOrGone(
      await queries.rows({
        ...asked({ id, filter: given.filter as string | undefined }),
        query,
        ...marks,
        planned: marks.planned ?? (topics.has('plan') ? named({ plan: plan.ranked() }) : undefined),
        warned: topics.has('warnings') ? warnings : undefined,
      }),
    );
  };
  function rawAsked({ query, parameters }: RawCall) {
    const given: Record<string, unknown> = Object.fromEntries(query);
    if (query.has('field')) given.field = query.getAll('field');
    const planned = query.has('plan') ? named({ plan: plan.ranked() }) : undefined;
    return { id: parameters.id!, given, planned, compared: compared(query.get('vs'), query.get('ct')) };
  }
  return {
    ...plan.api,
    'visualizations.list': () => records,
    'visualizations.get': ({ id }) => recordOf(id),
    'visualizations.fields': ({ id }) =>
      queries.fields({ packKey: packKey(id), newestMonth: recordOf(id).newestMonth }),
    'visualizations.nameNewestMonth': ({ id, month }) => {
      const { newestMonth: _, ...record } = recordOf(id);
      records[records.indexOf(recordOf(id))] = { ...record, ...(month !== null && { newestMonth: month }) };
      return recordOf(id);
    },
    'GET /api/visualizations/{id}/slice': slice,
    'GET /api/visualizations/{id}/rows': rows,
    'POST /api/visualizations/{id}/selection-totals': async ({ request, query, parameters }) => {
      const picked = new Uint32Array(await request.arrayBuffer());
      const { level, within, filter } = Object.fromEntries(query);
      const all = { level: level as 'clusters', within: Number(within ?? 0), except: picked };
      const selection = query.get('all') === '1' ? all : { rows: picked };
      return Response.json(await queries.selectionTotals({ ...asked({ id: parameters.id!, filter }), selection }));
    },
    'visualizations.node': async (input) => found(await queries.node({ ...asked(input), node: input.node })),
    'visualizations.keywords': async (input) => {
      const [volume, row] = input.after?.split('_').map(Number) ?? [];
      const after = row === undefined ? undefined : { volume: volume!, row };
      const limit = input.limit ?? limits.keywordsAtATime;
      const { next, ...lines } = await queries.keywords({ ...asked(input), node: input.node, limit, after });
      return { ...lines, ...(next && { next: `${next.volume}_${next.row}` }) };
    },
    'visualizations.members': (input) => queries.members({ ...asked(input), node: input.node }),
    'visualizations.notInHierarchy': ({ id, q = '', match = 'all', skip = 0, limit = limits.keywordsAtATime }) =>
      queries.notInHierarchy({ packKey: packKey(id), query: { mode: match, text: q, skip, limit } }),
    'visualizations.notInHierarchyKeyword': async ({ id, row }) =>
      found(await queries.notInHierarchyKeyword({ packKey: packKey(id), fileKey: fileKey(id), row })),
    'visualizations.locate': async (input) => {
      const path = (await queries.locate({ packKey: packKey(input.id), addresses: [input.address] })) ?? [];
      const { filter } = asked(input);
      return filter && path.length > 0 ? queries.keptPath({ packKey: packKey(input.id), path, filter }) : { path };
    },
    'visualizations.search': ({ q, match = 'all', limit = limits.maxSearchHits, skip = 0, under, ...input }) =>
      queries.search({ ...asked(input), query: { mode: match, text: q, limit, skip, under } }),
    'visualizations.histogram': async (input) =>
      found(await queries.histogram({ ...asked(input), of: input.of, sum: input.sum })),
    'visualizations.checkScore': async ({ within = 0, ...input }) =>
      found(await queries.checkScore({ ...input, ...asked(input), within })),
    'visualizations.points': async ({ within = 0, count = limits.maxPointsOfLevel, ...input }) => {
      const names = count === 0 ? 0 : limits.maxUnplacedNames;
      return found(await queries.points({ ...asked(input), query: { ...input, within, count, names } }));
    },
    'visualizations.density': async ({ within = 0, count = limits.maxPointsOfLevel, ...input }) =>
      found(await queries.density({ ...asked(input), query: { ...input, within, count } })),
    'visualizations.changes': ({ vs, ct, level = 'clusters', kind, from = 0, within, ...input }) => {
      const query = { level, kind, from, count: limits.changesAtATime, within };
      return queries.changes({ ...asked(input), ...compared(vs, ct)!, query });
    },
    'visualizations.change': async ({ vs, ct, node, ...input }) =>
      found(await queries.change({ ...asked(input), ...compared(vs, ct)!, node })),
    'warnings.summary': async (input) => ({ kinds: await queries.warningSummary(askedWarnings(input)), thresholds }),
    'warnings.page': ({ kind, from = 0, count = limits.warningsAtATime, ...input }) =>
      queries.warningPage({ ...askedWarnings(input), kind, from, count }),
    'warnings.ofNode': ({ node, ...input }) => queries.nodeWarnings({ ...askedWarnings(input), node }),
    'warnings.marks': ({ unknown, ...input }) =>
      queries.warningMarks({ ...askedWarnings(input), withUnknown: unknown !== undefined }),
    'warnings.setThresholds': (input) => {
      thresholds = input.thresholds;
      return thresholds;
    },
    'warnings.dismissed': () =>
      dismissed.map(({ id, kind, paths: [path], subject }) => ({
        id,
        kind,
        path: path!.map(([name]) => name),
        ...(subject !== '' && { subject }),
        by: 'Ann',
        at: Date.now(),
      })),
    'warnings.dismiss': async ({ id, kind, node, subject = '' }) => {
      const path = found(await queries.nodePath({ packKey: packKey(id), address: node }));
      const one = { id: `dismissed-${dismissed.length}`, kind, paths: [path], subject };
      dismissed.push(one);
      return { dismissed: one.id };
    },
    'warnings.restore': (input) => {
      dismissed.splice(
        dismissed.findIndex((one) => one.id === input.dismissed),
        1,
      );
      return input;
    },
    'filterPresets.list': () => [],
    'scores.list': () => [],
    'views.list': () => [],
  };
}

/** Those of the last test. */
let inUse: PackQueries | undefined;

const packKey = (id: string): string => `pack-${id}`;
const fileKey = (id: string): string => `file-${id}`;

/** @throws the server's refusal if the filter excludes the node, or there is none */
function found<T>(answer: T | undefined): T {
  return answer ?? refuse('visualization/node-not-found');
}

const bytesOrGone = (body: Uint8Array<ArrayBuffer> | undefined): Response => new Response(found(body));

async function packFrom(upload: Uint8Array) {
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(upload);
  const read = ingest.finish();
  if (!read.ok) throw new Error(`Not an upload: ${JSON.stringify(read.problem)}`);
  const sink = arraySink();
  await writePack(read.tree, '00'.repeat(32), sink);
  return sink.bytes();
}

/** Objects by key that are only read. */
function storageOf(objects: ReadonlyMap<string, Uint8Array>): Storage {
  const open: Storage['open'] = async (key) => {
    const bytes = objects.get(key);
    if (!bytes) throw new Error(`Nothing is stored as ${key}`);
    return { ...arraySource(bytes), close: async () => undefined };
  };
  return { open } as Storage;
}
