import { type Level, levels } from '@kc/pack/levels/level';
import { fieldOf, type RowSort, readSort, topicsOf } from '@kc/pack/levels/row-sort';
import { scoreOfField } from '@kc/pack/score/score';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { downloadName } from '@kc/rules/download-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { countedFor, requireLink, requireRaw } from '../../accounts/require.ts';
import type { Db } from '../../database/open.ts';
import { signalOf } from '../../http/connections.ts';
import { attachmentHeader } from '../../http/headers.ts';
import { asError, orRefusal, sendRefusal } from '../../http/refusals.ts';
import { openable } from '../access.ts';
import { askedSortMarks } from '../asked-sort-marks.ts';
import type { OwnedRecord } from '../queries.ts';
import type { ExportedKind, ExportedRows, UnplacedRows } from '../query/export-csv.ts';
import type { ExportQuery } from '../query/exports.ts';
import { fieldNamed } from '../query/field-named.ts';
import type { FilterCache } from '../query/filter-cache.ts';
import type { AskedSortMarks } from '../query/marks.ts';
import type { PackQueries } from '../query/pack-queries.ts';
import { areColumns, fieldsIn, type TableRows } from '../query/table-workbook.ts';
import {
  type Download,
  type Downloads,
  type ExportPlaces,
  partsOf,
  stalledMs,
  streamOf,
  type Taken,
} from './downloads.ts';

/** What is exported, without the filter. */
type What =
  | ({ readonly form: 'csv' } & ExportedRows)
  | ({ readonly form: 'xlsx' } & TableRows)
  | { readonly form: 'json'; readonly node: number }
  | ({ readonly form: 'csv' | 'json' } & UnplacedRows);

type ById = { Params: { id: string } };

/** HEAD would compute the whole export and discard it. */
const options = { preHandler: requireRaw('approved'), exposeHeadRoute: false };
/** Visitors of a link get tables, if it includes downloads. */
const linkOptions = { preHandler: requireLink('downloads'), exposeHeadRoute: false };

type ExportDeps = {
  readonly db: Db;
  readonly packQueries: PackQueries;
  readonly downloads: Downloads;
  readonly places: ExportPlaces;
  readonly filterOf: FilterCache;
  /** Milliseconds since 1970. */
  now(): number;
};

/** The exports of a visualization: a table, or a branch that can be uploaded again. */
export function exportRoutes({ db, packQueries, downloads, places, filterOf, now }: ExportDeps): FastifyPluginAsync {
  async function send(request: FastifyRequest<ById>, reply: FastifyReply, what: What): Promise<FastifyReply> {
    const record = await openable(db, request.requestContext, request.params.id);
    const { filter } = request.query as Record<string, unknown>;
    // A filter selects nodes, and these keywords belong to none.
    const isUnplaced = 'unplaced' in what;
    const query = { ...what, filter: isUnplaced ? '' : await filterOf(request.requestContext, record, filter) };
    if ('level' in query && !(await canSort(record.pack_key, query.sort))) {
      return sendRefusal(reply, { code: 'visualization/query-invalid' });
    }
    const columns = 'columns' in query ? query.columns : [];
    if (!(await hasFields(record.pack_key, fieldsIn(columns)))) {
      return sendRefusal(reply, { code: 'visualization/query-invalid' });
    }
    if (nodesOf(query).some((row) => row >= record.nodes)) {
      return sendRefusal(reply, { code: 'visualization/node-not-found' });
    }
    const sort = [...('level' in query ? query.sort : []), ...columns.map((by) => ({ by, descending: false }))];
    await filterOf.scores(request.requestContext, record, scoreTextsIn(fieldsIn(columns)));
    const sortedBy = sort.length > 0 ? await orderOf(request, record, sort) : undefined;
    const leave = places.take(countedFor(request.requestContext));
    let download: Download;
    try {
      download = await downloads.begin(request.requestContext, reply, record, takenBy(query));
    } catch (error) {
      leave();
      throw error;
    }
    const asked = { packKey: record.pack_key, fileKey: record.file_key, query, sortedBy };
    const gone = signalOf(reply);
    const begin = () => packQueries.beginExport({ ...asked, signal: gone });
    const deps = partsOf(packQueries, begin, { gone, leave, failed: download.failed });
    // Compute the first part before sending headers: an immediate fault is then an error response, not a truncated
    // file.
    const first = await deps.next();
    const name = downloadName({
      fileName: record.file_name,
      branch: first.value?.branch,
      what: contentOf(query),
      isFiltered: query.filter !== '',
      now: now(),
      extension: query.form,
    });
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    return reply
      .header('Content-Disposition', attachmentHeader(name))
      .type(mediaTypes[query.form])
      .send(streamOf(first, deps));
  }

  /** Without what only the columns of a screen are about: the upload that they compare with can be gone. */
  function orderOf(request: FastifyRequest<ById>, record: OwnedRecord, sort: RowSort): Promise<AskedSortMarks> {
    const { vs, ct, unknown } = request.query as Record<string, unknown>;
    const asked = { unknown, ...(topicsOf(sort).has('change') && { vs, ct }) };
    return askedSortMarks({ db, filterOf }, request.requestContext, record, asked, sort);
  }

  /** Whether the file has the fields that a sort names. A set has no order. */
  async function canSort(packKey: string, sort: RowSort): Promise<boolean> {
    const named = sort.flatMap(({ by }) => fieldOf(by) ?? []);
    const known = named.length > 0 ? await packQueries.fields({ packKey }) : [];
    return named.every((name) => (fieldNamed(known, name)?.kind ?? 'set') !== 'set');
  }

  /** Whether the file has these fields. A score needs none. */
  async function hasFields(packKey: string, names: readonly string[]): Promise<boolean> {
    const ofFile = names.filter((name) => !scoreOfField(name));
    const known = ofFile.length > 0 ? await packQueries.fields({ packKey }) : [];
    return ofFile.every((name) => fieldNamed(known, name) !== undefined);
  }

  /** The columns of a table, and when it is made. */
  function asTable({ query }: FastifyRequest<ById>): Pick<TableRows, 'columns' | 'now'> {
    const columns = [(query as Record<string, unknown>).column ?? []].flat().map(String);
    if (!areColumns(columns)) throw asError({ code: 'visualization/query-invalid' });
    return { columns, now: now() };
  }

  return async (scope) => {
    const sendTable = (request: FastifyRequest<ById>, reply: FastifyReply) =>
      orRefusal(reply, () => send(request, reply, { form: 'csv', node: nodeOf(request), ...contentAsked(request) }));
    scope.get<ById>('/api/visualizations/:id/export.csv', options, sendTable);
    scope.get<ById>('/api/shared/:id/export.csv', linkOptions, sendTable);
    const sendList = (request: FastifyRequest<ById>, reply: FastifyReply) =>
      orRefusal(reply, () =>
        send(request, reply, { form: 'xlsx', node: nodeOf(request), ...listAsked(request), ...asTable(request) }),
      );
    scope.get<ById>('/api/visualizations/:id/export.xlsx', options, sendList);
    scope.get<ById>('/api/shared/:id/export.xlsx', linkOptions, sendList);
    scope.get<ById>('/api/visualizations/:id/export.json', options, (request, reply) =>
      orRefusal(reply, () => send(request, reply, { form: 'json', node: nodeOf(request) })),
    );
    for (const form of ['csv', 'json'] as const) {
      scope.get<ById>(`/api/visualizations/:id/not-in-hierarchy.${form}`, options, (request, reply) =>
        orRefusal(reply, () => send(request, reply, { form, unplaced: true })),
      );
    }
    await scope.register(async (listed) => {
      const bodyLimit = limits.maxExportedRows * rowBytes;
      listed.addContentTypeParser(
        'application/octet-stream',
        { parseAs: 'buffer', bodyLimit },
        (_request, body, done) => done(null, body),
      );
      const sendRows = (request: FastifyRequest<ById>, reply: FastifyReply) =>
        orRefusal(reply, () => send(request, reply, { form: 'csv', rows: rowsOf(request.body) }));
      listed.post<ById>('/api/visualizations/:id/export.csv', options, sendRows);
      listed.post<ById>('/api/shared/:id/export.csv', linkOptions, sendRows);
      const sendShown = (request: FastifyRequest<ById>, reply: FastifyReply) =>
        orRefusal(reply, () => send(request, reply, { form: 'xlsx', rows: rowsOf(request.body), ...asTable(request) }));
      listed.post<ById>('/api/visualizations/:id/export.xlsx', options, sendShown);
      listed.post<ById>('/api/shared/:id/export.xlsx', linkOptions, sendShown);
    });
  };
}

const rowBytes = 4;

/** Pack rows as 32-bit numbers, little-endian, in the order of the export; at least one. */
function rowsOf(body: unknown): number[] {
  if (!Buffer.isBuffer(body) || body.length === 0 || body.length % rowBytes !== 0) {
    throw asError({ code: 'visualization/query-invalid' });
  }
  return Array.from({ length: body.length / rowBytes }, (_, index) => body.readUInt32LE(index * rowBytes));
}

/** The rows that a query names. */
function nodesOf(query: What): readonly number[] {
  if ('rows' in query) return query.rows;
  return 'node' in query ? [query.node] : [];
}

function nodeOf({ query }: FastifyRequest<ById>): number {
  const { node = '0' } = query as Record<string, unknown>;
  if (typeof node !== 'string' || !/^\d{1,10}$/.test(node)) throw asError({ code: 'visualization/query-invalid' });
  return Number(node);
}

/** The rows of a branch: a flat list in an order, or in the order of the tree all of them or those of one kind. */
function contentAsked({
  query,
}: FastifyRequest<ById>): { level: Level; sort: RowSort } | { kind: ExportedKind | undefined } {
  const { level, kind } = query as Record<string, unknown>;
  return level === undefined ? { kind: kindOf(kind) } : listAsked({ query });
}

function listAsked({ query }: Pick<FastifyRequest<ById>, 'query'>): { level: Level; sort: RowSort } {
  const { level, sort } = query as Record<string, unknown>;
  const [listed, order] = [levels.find((one) => one === level), typeof sort === 'string' ? readSort(sort) : []];
  if (!listed || !order) throw asError({ code: 'visualization/query-invalid' });
  return { level: listed, sort: order };
}

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

function kindOf(kind: unknown): ExportedKind | undefined {
  if (kind === undefined || kind === 'keywords' || kind === 'clusters') return kind;
  throw asError({ code: 'visualization/query-invalid' });
}

/** What the name of the file says about its rows. */
function contentOf(query: ExportQuery): string {
  if ('level' in query) return query.level;
  if ('rows' in query) return 'shown';
  return ('kind' in query && query.kind) || ('unplaced' in query ? 'keywords' : 'everything');
}

function takenBy(query: ExportQuery): Taken {
  return { form: query.form, ...partOf(query), ...(query.filter !== '' && { filtered: true }) };
}

function partOf(query: ExportQuery): Pick<Taken, 'part'> {
  if ('rows' in query) return { part: `${query.rows.length} rows` };
  if ('unplaced' in query) return { part: 'what is not in the hierarchy' };
  return query.node > 0 ? { part: 'a branch' } : {};
}
