import { Readable } from 'node:stream';
import { fieldOf, writeSort } from '@kc/pack/levels/row-sort';
import { rowsWireVersion } from '@kc/pack/levels/rows-wire';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { rankedField } from '@kc/pack/slice/child-ranking';
import { sliceWireVersion } from '@kc/pack/slice/slice-wire';
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
import { type AnswerCache, binaryAnswer } from './binary-answer.ts';
import type { Downloads } from './export/downloads.ts';
import type { VisualizationRecord } from './queries.ts';
import { levelIn, type ParsedSliceQuery, readRowsQuery, readSliceQuery, whole } from './query-parameters.ts';
import {
  type ById,
  demandFields,
  invalidQuery,
  noSuchNode,
  type ReadingDeps,
  readComparison,
  readingRoute,
  readSortMarks,
  rowsIn,
  takeRows,
} from './reading-routes.ts';

type FileDeps = ReadingDeps & { readonly storage: Storage; readonly downloads: Downloads };

/** The routes that send bytes: slices of a pack, and the uploaded file. */
export function fileRoutes(deps: FileDeps): FastifyPluginAsync {
  return async (scope) => {
    const firstLooks: AnswerCache = new Map();
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
  firstLooks: AnswerCache,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const params = request.query as Record<string, unknown>;
  const query = readSliceQuery(params);
  const compared = await readComparison(db, request.requestContext, record, params);
  if (!query) throw invalidQuery();
  if (query.node >= record.nodes) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, params.filter);
  const planned = params.plan === undefined ? undefined : await filterOf.plan(request.requestContext, record);
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
  const answer = binaryAnswer(request, reply, `slice ${sliceWireVersion}`, deps, isFirstLook ? firstLooks : undefined);
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
const isFirstQuery = ({ node, budget, skip, child, rest, ranked, fields }: ParsedSliceQuery): boolean =>
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
  const params = request.query as Record<string, unknown>;
  const query = readRowsQuery(params);
  if (!query) throw invalidQuery();
  if (query.within >= record.nodes || (query.around ?? 0) >= record.nodes) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, params.filter);
  const marks = await readSortMarks({ db, filterOf }, request.requestContext, record, params, query.sort);
  const answer = binaryAnswer(request, reply, `rows ${rowsWireVersion} ${sliceWireVersion}`, [
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
  const params = request.query as Record<string, unknown>;
  const rows = Uint32Array.from(rowsIn(request));
  if (rows.some((row) => row >= record.nodes)) throw noSuchNode();
  const filter = await filterOf(request.requestContext, record, params.filter);
  const [level, within, isAll] = [levelIn(params.level), whole(params.within, 0), params.all === '1'];
  if (within === undefined || (isAll ? !level : rows.length === 0)) throw invalidQuery();
  if (within >= record.nodes) throw noSuchNode();
  const selection = isAll && level ? { level, within, except: rows } : { rows };
  const { packKey, signal } = { packKey: record.pack_key, signal: signalOf(reply) };
  return reply.send(await packQueries.selectionTotals({ packKey, selection, filter, signal }));
}
