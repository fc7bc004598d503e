import { fieldOf, writeSort } from '@kc/pack/levels/row-sort';
import { scoreOfField } from '@kc/pack/score/score';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireLink, requireRaw } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { signalOf } from '../http/connections.ts';
import { asError, orRefusal, sendRefusal } from '../http/refusals.ts';
import { openable } from './access.ts';
import { askedSortMarks } from './asked-sort-marks.ts';
import { binaryAnswer } from './binary-answer.ts';
import { fieldNamed } from './query/field-named.ts';
import type { FilterCache } from './query/filter-cache.ts';
import type { PackQueries } from './query/pack-queries.ts';
import { levelIn, readRowsQuery, whole } from './query-parameters.ts';

type LevelDeps = {
  readonly db: Db;
  readonly packQueries: PackQueries;
  readonly filterOf: FilterCache;
};

type ById = { Params: { id: string } };

/** The flat lists of a visualization: pages of pillars, clusters or keywords, and totals of selected rows. */
export function levelRoutes(deps: LevelDeps): FastifyPluginAsync {
  return async (scope) => {
    const preHandler = requireRaw('approved');
    const rows = (request: FastifyRequest<ById>, reply: FastifyReply) =>
      orRefusal(reply, () => sendRows(deps, request, reply));
    scope.get<ById>('/api/visualizations/:id/rows', { preHandler }, rows);
    scope.get<ById>('/api/shared/:id/rows', { preHandler: requireLink('explore') }, rows);
    await scope.register(async (selecting) => {
      const bodyLimit = limits.maxSelectedRows * rowBytes;
      selecting.addContentTypeParser(
        'application/octet-stream',
        { parseAs: 'buffer', bodyLimit },
        (_request, body, done) => done(null, body),
      );
      const totals = (request: FastifyRequest<ById>, reply: FastifyReply) =>
        orRefusal(reply, () => sendTotals(deps, request, reply));
      selecting.post<ById>('/api/visualizations/:id/selection-totals', { preHandler }, totals);
      selecting.post<ById>('/api/shared/:id/selection-totals', { preHandler: requireLink('explore') }, totals);
    });
  };
}

/**
 * `count` rows of a `level` within the node `within`, from rank `from` on, in the order of `sort`, with each `field`.
 * `around` is a node to find instead of a rank. `trend=1` includes the searches of each month; `vs` and `plan` are as for a
 * slice; `unknown` is for a sort by warnings. Access is checked first.
 */
async function sendRows(
  { db, packQueries, filterOf }: LevelDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const query = readRowsQuery(asked);
  if (!query) return sendRefusal(reply, { code: 'visualization/query-invalid' });
  if (query.within >= record.nodes || (query.around ?? 0) >= record.nodes)
    return sendRefusal(reply, { code: 'visualization/node-not-found' });
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
    JSON.stringify(marks),
    ...query.fields,
  ]);
  if (answer.isUnchanged) return reply.code(304).send();
  const sorted = query.sort.flatMap(({ by }) => fieldOf(by) ?? []);
  const named = [...query.fields, ...sorted];
  const ofFile = named.filter((name) => !scoreOfField(name));
  const known = ofFile.length > 0 ? await packQueries.fields({ packKey: record.pack_key }) : [];
  const isThere = (name: string) => !ofFile.includes(name) || fieldNamed(known, name) !== undefined;
  // A set has no order.
  const isOrdered = (name: string) => !ofFile.includes(name) || fieldNamed(known, name)?.kind !== 'set';
  if (!query.fields.every(isThere) || !sorted.every((name) => isThere(name) && isOrdered(name))) {
    return sendRefusal(reply, { code: 'visualization/query-invalid' });
  }
  await filterOf.scores(request.requestContext, record, scoreTextsIn(named));
  const signal = signalOf(reply);
  const body = await packQueries.rows({ packKey: record.pack_key, query, filter, ...marks, signal });
  if (!body) return sendRefusal(reply, { code: 'visualization/node-not-found' });
  return answer.send(body);
}

const rowBytes = 4;

/**
 * Totals over the union of the rows in the body; with `all=1`, over all rows of a `level` within the node `within`
 * except those. Nested rows and repeats count once.
 */
async function sendTotals(
  { db, packQueries, filterOf }: LevelDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const rows = rowsOf(request.body);
  if (rows.some((row) => row >= record.nodes)) return sendRefusal(reply, { code: 'visualization/node-not-found' });
  const filter = await filterOf(request.requestContext, record, asked.filter);
  const [level, within, isAll] = [levelIn(asked.level), whole(asked.within, 0), asked.all === '1'];
  if (within === undefined || (isAll ? !level : rows.length === 0)) {
    return sendRefusal(reply, { code: 'visualization/query-invalid' });
  }
  if (within >= record.nodes) return sendRefusal(reply, { code: 'visualization/node-not-found' });
  const selection = isAll && level ? { level, within, except: rows } : { rows };
  const { packKey, signal } = { packKey: record.pack_key, signal: signalOf(reply) };
  return reply.send(await packQueries.selectionTotals({ packKey, selection, filter, signal }));
}

/** Pack rows as 32-bit numbers, little-endian; none without a body. */
function rowsOf(body: unknown): Uint32Array {
  if (body === undefined || body === null) return new Uint32Array(0);
  if (!Buffer.isBuffer(body) || body.length % rowBytes !== 0) throw asError({ code: 'visualization/query-invalid' });
  return Uint32Array.from({ length: body.length / rowBytes }, (_, at) => body.readUInt32LE(at * rowBytes));
}
