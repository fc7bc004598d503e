import { type RowSort, readSort, topicsOf } from '@kc/pack/levels/row-sort';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { type PointLevel, pointLevels } from '@kc/pack/vocabulary/choices';
import { downloadName } from '@kc/rules/download-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { openable } from '../access.ts';
import type { OwnedRecord } from '../queries.ts';
import type { ExportedKind, ExportedRows, UnplacedRows } from '../query/export-csv.ts';
import type { ExportQuery } from '../query/exports.ts';
import type { SortMarksQuery } from '../query/marks.ts';
import { areColumns, fieldsIn, type TableRows } from '../query/table-workbook.ts';
import {
  type ById,
  demandFields,
  invalidQuery,
  noSuchNode,
  type ReadingDeps,
  readingRoute,
  readSortMarks,
  rowsIn,
  takeRows,
} from '../reading-routes.ts';
import { type ExportDetails, type ExportSenders, sendExport } from './downloads.ts';

/** What is exported, without the filter. */
type What =
  | ({ readonly form: 'csv' } & ExportedRows)
  | ({ readonly form: 'xlsx' } & TableRows)
  | { readonly form: 'json'; readonly node: number }
  | ({ readonly form: 'csv' | 'json' } & UnplacedRows);

type ExportDeps = ReadingDeps &
  ExportSenders & {
    /** Milliseconds since 1970. */
    now(): number;
  };

/** The exports of a visualization: a table, or a branch that can be uploaded again. */
export function exportRoutes(deps: ExportDeps): FastifyPluginAsync {
  const { db, packQueries, filterOf, now } = deps;
  async function send(request: FastifyRequest<ById>, reply: FastifyReply, what: What): Promise<FastifyReply> {
    const record = await openable(db, request.requestContext, request.params.id);
    const { filter } = request.query as Record<string, unknown>;
    // A filter selects nodes, and these keywords belong to none.
    const isUnplaced = 'unplaced' in what;
    const query = { ...what, filter: isUnplaced ? '' : await filterOf(request.requestContext, record, filter) };
    const columns = 'columns' in query ? query.columns : [];
    const [shown, sorted] = [fieldsIn(columns), 'level' in query ? fieldsIn(query.sort.map(({ by }) => by)) : []];
    await demandFields(packQueries, record.pack_key, shown, sorted);
    if (nodesOf(query).some((row) => row >= record.nodes)) throw noSuchNode();
    const sort = [...('level' in query ? query.sort : []), ...columns.map((by) => ({ by, descending: false }))];
    await filterOf.scores(request.requestContext, record, scoreTextsIn([...shown, ...sorted]));
    const sortedBy = sort.length > 0 ? await orderOf(request, record, sort) : undefined;
    const params = { packKey: record.pack_key, fileKey: record.file_key, query, sortedBy };
    return sendExport(deps, request, reply, record, {
      details: auditDetails(query),
      type: mediaTypes[query.form],
      begin: (signal) => packQueries.beginExport({ ...params, signal }),
      name: (branch) =>
        downloadName({
          fileName: record.file_name,
          branch,
          what: contentOf(query),
          isFiltered: query.filter !== '',
          now: now(),
          extension: query.form,
        }),
    });
  }

  /** Ignores the comparison unless the sort needs it: the upload that a screen compares with may have been deleted. */
  function orderOf(request: FastifyRequest<ById>, record: OwnedRecord, sort: RowSort): Promise<SortMarksQuery> {
    const { vs, ct, unknown } = request.query as Record<string, unknown>;
    const params = { unknown, ...(topicsOf(sort).has('change') && { vs, ct }) };
    return readSortMarks({ db, filterOf }, request.requestContext, record, params, sort);
  }

  /** The columns of a table, and when it is made. */
  function asTable({ query }: FastifyRequest<ById>): Pick<TableRows, 'columns' | 'now'> {
    const columns = [(query as Record<string, unknown>).column ?? []].flat().map(String);
    if (!areColumns(columns)) throw invalidQuery();
    return { columns, now: now() };
  }

  return async (scope) => {
    readingRoute(scope, { ...table, path: 'export.csv' }, (request, reply) =>
      send(request, reply, { form: 'csv', node: nodeOf(request), ...readContent(request) }),
    );
    readingRoute(scope, { ...table, path: 'export.xlsx' }, (request, reply) =>
      send(request, reply, { form: 'xlsx', node: nodeOf(request), ...readList(request), ...asTable(request) }),
    );
    readingRoute(scope, { ...branch, path: 'export.json' }, (request, reply) =>
      send(request, reply, { form: 'json', node: nodeOf(request) }),
    );
    for (const form of ['csv', 'json'] as const) {
      readingRoute(scope, { ...branch, path: `not-in-hierarchy.${form}` }, (request, reply) =>
        send(request, reply, { form, unplaced: true }),
      );
    }
    await scope.register(async (listed) => {
      takeRows(listed, limits.maxExportedRows);
      readingRoute(listed, { ...table, method: 'POST', path: 'export.csv' }, (request, reply) =>
        send(request, reply, { form: 'csv', rows: someRows(request) }),
      );
      readingRoute(listed, { ...table, method: 'POST', path: 'export.xlsx' }, (request, reply) =>
        send(request, reply, { form: 'xlsx', rows: someRows(request), ...asTable(request) }),
      );
    });
  };
}

const branch = { exposeHeadRoute: false } as const;
/** Visitors of a link get tables, if it includes downloads. */
const table = { link: 'downloads', exposeHeadRoute: false } as const;

/** Rows in the order of the export; at least one. */
function someRows(request: FastifyRequest<ById>): number[] {
  const rows = rowsIn(request);
  if (rows.length === 0) throw invalidQuery();
  return rows;
}

/** The rows that a query names. */
function nodesOf(query: What): readonly number[] {
  if ('rows' in query) return query.rows;
  return 'node' in query ? [query.node] : [];
}

function nodeOf({ query }: FastifyRequest<ById>): number {
  const { node = '0' } = query as Record<string, unknown>;
  if (typeof node !== 'string' || !/^\d{1,10}$/.test(node)) throw invalidQuery();
  return Number(node);
}

/** The rows of a branch: a flat list in an order, or in the order of the tree all of them or those of one kind. */
function readContent({
  query,
}: FastifyRequest<ById>): { level: PointLevel; sort: RowSort } | { kind: ExportedKind | undefined } {
  const { level, kind } = query as Record<string, unknown>;
  return level === undefined ? { kind: kindOf(kind) } : readList({ query });
}

function readList({ query }: Pick<FastifyRequest<ById>, 'query'>): { level: PointLevel; sort: RowSort } {
  const { level, sort } = query as Record<string, unknown>;
  const [listed, order] = [pointLevels.find((one) => one === level), typeof sort === 'string' ? readSort(sort) : []];
  if (!listed || !order) throw invalidQuery();
  return { level: listed, sort: order };
}

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

function kindOf(kind: unknown): ExportedKind | undefined {
  if (kind === undefined || kind === 'keywords' || kind === 'clusters') return kind;
  throw invalidQuery();
}

/** What the name of the file says about its rows. */
function contentOf(query: ExportQuery): string {
  if ('level' in query) return query.level;
  if ('rows' in query) return 'shown';
  return ('kind' in query && query.kind) || ('unplaced' in query ? 'keywords' : 'everything');
}

function auditDetails(query: ExportQuery): ExportDetails {
  return { form: query.form, ...partOf(query), ...(query.filter !== '' && { filtered: true }) };
}

function partOf(query: ExportQuery): Pick<ExportDetails, 'part'> {
  if ('rows' in query) return { part: `${query.rows.length} rows` };
  if ('unplaced' in query) return { part: 'what is not in the hierarchy' };
  return query.node > 0 ? { part: 'a branch' } : {};
}
