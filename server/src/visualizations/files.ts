import { Readable } from 'node:stream';
import { fieldOf, readSort, writeSort } from '@kc/pack/levels/row-sort';
import type { RowsQuery } from '@kc/pack/levels/take-rows';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { isRanking, rankedField } from '@kc/pack/slice/child-ranking';
import type { SliceQuery } from '@kc/pack/slice/slice';
import { type PointLevel, pointLevels } from '@kc/pack/vocabulary/choices';
import { originalName } from '@kc/rules/download-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { signalOf } from '../http/connections.ts';
import { attachmentHeader } from '../http/headers.ts';
import { sendRefusal } from '../http/refusals.ts';
import { ChecksumMismatch, checkedBlocks } from '../storage/checksum.ts';
import { ObjectMissing, type Storage, StorageUnavailable, type StoredBytes } from '../storage/storage.ts';
import { blocksOf } from '../storage/whole-objects.ts';
import { openable, visible } from './access.ts';
import { binaryAnswer, type KeptAnswers } from './binary-answer.ts';
import type { Downloads } from './export/downloads.ts';
import type { VisualizationRecord } from './queries.ts';
import {
  askedComparison,
  askedSortMarks,
  type ById,
  demandFields,
  invalidQuery,
  noSuchNode,
  type ReadingDeps,
  readingRoute,
  rowsIn,
  takeRows,
} from './reading-routes.ts';

type FileDeps = ReadingDeps & { readonly storage: Storage; readonly downloads: Downloads };

/** The routes that send bytes: slices of a pack, and the uploaded file. */
export function fileRoutes(deps: FileDeps): FastifyPluginAsync {
  return async (scope) => {
    const firstLooks: KeptAnswers = new Map();
    readingRoute(scope, { path: 'slice', link: 'explore' }, (request, reply) =>
      sendSlice(deps, firstLooks, request, reply),
    );
    readingRoute(scope, { path: 'original' }, (request, reply) => sendOriginal(deps, request, reply));
  };
}

/**
 * The binary slice of `node`: up to `budget` rows, after `skip` children or starting at `child`, with each `field`.
 * `rest=1` includes what a filter excludes; `by`, `descending=1` and `after` order the children differently. `vs` adds the
 * comparison with an earlier upload, `plan` the statuses of the plan. Access is checked first.
 */
async function sendSlice(
  { db, packQueries, filterOf }: FileDeps,
  firstLooks: KeptAnswers,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const query = readSliceQuery(asked);
  const compared = await askedComparison(db, request.requestContext, record, asked);
  if (!query) throw invalidQuery();
  if (query.node >= record.nodes) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, asked.filter);
  const planned = asked.plan === undefined ? undefined : await filterOf.plan(request.requestContext, record);
  const deps = [
    record.pack_key,
    query.node,
    query.budget,
    query.skip,
    query.child ?? '',
    filter,
    query.rest ? 'rest' : '',
    query.ranked ? JSON.stringify(query.ranked) : '',
    compared ? JSON.stringify(compared) : '',
    planned ?? '',
    ...query.fields,
  ];
  const isFirstLook = filter === '' && !compared && planned === undefined && isFirstQuery(query);
  const answer = binaryAnswer(request, reply, deps, isFirstLook ? firstLooks : undefined);
  if (answer.isUnchanged) return reply.code(304).send();
  if (answer.sendAgain) return answer.sendAgain();
  const byField = query.ranked && rankedField(query.ranked.by);
  const named = byField === undefined ? query.fields : [...query.fields, byField];
  await demandFields(packQueries, record.pack_key, named);
  await filterOf.scores(request.requestContext, record, scoreTextsIn(named));
  const body = await packQueries.slice({
    packKey: record.pack_key,
    query: { ...query, filter },
    compared,
    planned,
    signal: signalOf(reply),
  });
  if (!body) throw noSuchNode();
  return answer.send(body);
}

/** Whether a query is the one that a screen begins with: the root, with the standard figures. */
const isFirstQuery = ({ node, budget, skip, child, rest, ranked, fields }: AskedSlice): boolean =>
  node === 0 &&
  budget === limits.firstSliceRows &&
  skip === 0 &&
  child === undefined &&
  !rest &&
  !ranked &&
  fields.length === 0;

/** The original byte for byte, as a download that no browser displays. */
async function sendOriginal(
  { db, storage, downloads }: FileDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await visible(db, request.requestContext, request.params.id);
  let bytes: StoredBytes;
  try {
    bytes = await storage.open(record.file_key);
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    const isMissing = error instanceof ObjectMissing;
    const event = isMissing ? 'file-missing' : 'file-unreadable';
    request.log.error({ event, err: error, visualization: record.id }, 'An original cannot be opened');
    return sendRefusal(reply, { code: isMissing ? 'visualization/file-missing' : 'upload/unreadable' }, 500);
  }
  try {
    if (request.method === 'GET') await downloads.begin(request.requestContext, reply, record, { form: 'original' });
  } catch (error) {
    await bytes.close();
    throw error;
  }
  // A file may have been accepted as JSON by its type alone. Saved as `x.json.html`, it would open as a page.
  const name = originalName(record.file_name);
  return reply
    .headers({ 'Content-Disposition': attachmentHeader(name), 'Content-Length': bytes.size })
    .type('application/json; charset=utf-8')
    .send(Readable.from(checked(request, record, bytes), { objectMode: false }));
}

/** A download that is not what was uploaded ends before its last block, and no browser takes it for complete. */
async function* checked(
  { log }: FastifyRequest,
  { id, file_checksum }: VisualizationRecord,
  bytes: StoredBytes,
): AsyncGenerator<Uint8Array> {
  try {
    yield* checkedBlocks(blocksOf(bytes, blockBytes), file_checksum);
  } catch (error) {
    if (error instanceof ChecksumMismatch) {
      log.error({ event: 'file-changed', err: error, visualization: id }, 'An original is no longer what was uploaded');
    }
    throw error;
  } finally {
    await bytes.close();
  }
}

/** Of a download at a time. */
const blockBytes = 256 * 1024;

/** The flat lists of a visualization: pages of pillars, clusters or keywords, and totals of selected rows. */
export function levelRoutes(deps: ReadingDeps): FastifyPluginAsync {
  return async (scope) => {
    readingRoute(scope, { path: 'rows', link: 'explore' }, (request, reply) => sendRows(deps, request, reply));
    await scope.register(async (selecting) => {
      takeRows(selecting, limits.maxSelectedRows);
      const totals = { method: 'POST', path: 'selection-totals', link: 'explore' } as const;
      readingRoute(selecting, totals, (request, reply) => sendTotals(deps, request, reply));
    });
  };
}

/**
 * `count` rows of a `level` within the node `within`, from rank `from` on, in the order of `sort`, with each `field`.
 * `around` is a node to find instead of a rank. `trend=1` includes the searches of each month, `similar=1` the names of similar nodes; `vs` and `plan` are as for a
 * slice; `unknown` is for a sort by warnings. Access is checked first.
 */
async function sendRows(
  { db, packQueries, filterOf }: ReadingDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const query = readRowsQuery(asked);
  if (!query) throw invalidQuery();
  if (query.within >= record.nodes || (query.around ?? 0) >= record.nodes) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, asked.filter);
  const marks = await askedSortMarks({ db, filterOf }, request.requestContext, record, asked, query.sort);
  const answer = binaryAnswer(request, reply, [
    'rows',
    record.pack_key,
    filter,
    query.level,
    query.within,
    writeSort(query.sort),
    query.from,
    query.around ?? '',
    query.count,
    query.withTrends ? 'trend' : '',
    query.withSimilar ? 'similar' : '',
    JSON.stringify(marks),
    ...query.fields,
  ]);
  if (answer.isUnchanged) return reply.code(304).send();
  const sorted = query.sort.flatMap(({ by }) => fieldOf(by) ?? []);
  await demandFields(packQueries, record.pack_key, query.fields, sorted);
  await filterOf.scores(request.requestContext, record, scoreTextsIn([...query.fields, ...sorted]));
  const signal = signalOf(reply);
  const body = await packQueries.rows({ packKey: record.pack_key, query, filter, ...marks, signal });
  if (!body) throw noSuchNode();
  return answer.send(body);
}

/**
 * Totals over the union of the rows in the body; with `all=1`, over all rows of a `level` within the node `within`
 * except those. Nested rows and repeats count once.
 */
async function sendTotals(
  { db, packQueries, filterOf }: ReadingDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const rows = Uint32Array.from(rowsIn(request));
  if (rows.some((row) => row >= record.nodes)) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, asked.filter);
  const [level, within, isAll] = [levelIn(asked.level), whole(asked.within, 0), asked.all === '1'];
  if (within === undefined || (isAll ? !level : rows.length === 0)) throw invalidQuery();
  if (within >= record.nodes) throw noSuchNode();
  const selection = isAll && level ? { level, within, except: rows } : { rows };
  const { packKey, signal } = { packKey: record.pack_key, signal: signalOf(reply) };
  return reply.send(await packQueries.selectionTotals({ packKey, selection, filter, signal }));
}

type AskedSlice = SliceQuery & { readonly fields: readonly string[] };

/** What a request for a slice asks; undefined if it is no query. */
export function readSliceQuery(query: Readonly<Record<string, unknown>>): AskedSlice | undefined {
  const node = whole(query.node, 0);
  const budget = whole(query.budget, limits.firstSliceRows);
  const skip = whole(query.skip, 0);
  const child = whole(query.child, 0);
  const after = whole(query.after, 0);
  const fields = texts(query.field);
  const rest = query.rest === '1';
  if (node === undefined || skip === undefined || child === undefined || after === undefined || !fields)
    return undefined;
  if (!budget || budget > limits.maxSliceRows) return undefined;
  const plain = { node, budget, skip, ...(query.child !== undefined && { child }), rest, fields };
  const { by } = query;
  if (by === undefined) return plain;
  // Sorting by text blocks other requests, so the number of children is limited.
  if (rest || budget > limits.firstSliceRows || typeof by !== 'string' || !isRanking(by)) return undefined;
  const ranked = { by, descending: query.descending === '1', ...(query.after !== undefined && { after }) };
  return { ...plain, ranked };
}

/** What a request for rows of a level asks; undefined if it is no query. */
export function readRowsQuery(asked: Readonly<Record<string, unknown>>): RowsQuery | undefined {
  const [within, from, around, count] = [
    whole(asked.within, 0),
    whole(asked.from, 0),
    whole(asked.around, 0),
    whole(asked.count, limits.firstRowsOfLevel),
  ];
  const [level, sort, fields] = [levelIn(asked.level), sortIn(asked.sort), texts(asked.field)];
  if (!level || !sort || !fields || within === undefined || from === undefined || count === undefined) return undefined;
  if (around === undefined || count > limits.maxRowsOfLevel) return undefined;
  const place = asked.around === undefined ? {} : { around };
  const [withTrends, withSimilar] = [asked.trend === '1', asked.similar === '1'];
  return { level, within, sort, from, ...place, count, fields, withTrends, withSimilar };
}

const levelIn = (text: unknown): PointLevel | undefined => pointLevels.find((level) => level === text);
const sortIn = (text: unknown) => (text === undefined ? [] : typeof text === 'string' ? readSort(text) : undefined);

/** A parameter that can occur several times, each time with a different value. */
function texts(parameter: unknown): string[] | undefined {
  const list: unknown[] = parameter === undefined ? [] : [parameter].flat();
  const found = list.filter((text) => typeof text === 'string');
  return found.length === list.length && new Set(found).size === found.length ? found : undefined;
}

/** A whole number that fits a row; undefined if it is none. */
export function whole(text: unknown, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
