import { fieldOf, writeSort } from '@kc/pack/levels/row-sort';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { signalOf } from '../http/connections.ts';
import { openable } from './access.ts';
import { askedSortMarks } from './asked-sort-marks.ts';
import { binaryAnswer } from './binary-answer.ts';
import { levelIn, readRowsQuery, whole } from './query-parameters.ts';
import {
  type ById,
  demandFields,
  invalidQuery,
  noSuchNode,
  type ReadingDeps,
  readingRoute,
  rowsIn,
  takeRows,
} from './reading-routes.ts';

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
