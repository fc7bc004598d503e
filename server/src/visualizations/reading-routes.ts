import { fieldOf, type RowSort, topicsOf } from '@kc/pack/levels/row-sort';
import { scoreOfField } from '@kc/pack/score/score';
import { seasonOfField } from '@kc/pack/season/season-name';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import { readThresholds } from '@kc/rules/changes';
import type { LinkNeed } from '@kc/rules/link';
import type { Field, WithheldField } from '@kc/rules/shapes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, requireLink, requireRaw } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError, orRefusal } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { comparable } from './access.ts';
import type { OwnedRecord } from './queries.ts';
import type { ComparedWith } from './query/comparisons.ts';
import type { FilterCache } from './query/filter-cache.ts';
import type { SortMarksQuery } from './query/marks.ts';
import type { PackQueries } from './query/pack-queries.ts';

/** What the raw routes that read packs need. */
export type ReadingDeps = Pick<ServerParts, 'db' | 'packQueries' | 'filterOf'>;

export type ById = { Params: { id: string } };

type Reading = {
  readonly method?: 'GET' | 'POST';
  /** What follows `/api/visualizations/:id/`. */
  readonly path: string;
  /** What a link must include, so that its visitors may make this call. Without it, they may not. */
  readonly link?: LinkNeed;
  /** Whether HEAD is answered as well: it would compute everything and discard it. */
  readonly exposeHeadRoute?: boolean;
};

/** A route that reads a visualization, and the same one for visitors of a link. What the handler throws as a refusal is sent. */
export function readingRoute(
  scope: FastifyInstance,
  { method = 'GET', path, link, exposeHeadRoute = true }: Reading,
  handler: (request: FastifyRequest<ById>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const answer = (request: FastifyRequest<ById>, reply: FastifyReply) =>
    orRefusal(reply, () => handler(request, reply));
  const route = (url: string, preHandler: ReturnType<typeof requireRaw>) =>
    scope.route<ById>({ method, url, preHandler, exposeHeadRoute, handler: answer });
  route(`/api/visualizations/:id/${path}`, requireRaw('approved'));
  if (link) route(`/api/shared/:id/${path}`, requireLink(link));
}

const rowBytes = 4;

/** Lets the routes of a scope take rows in their bodies: as 32-bit numbers, little-endian. */
export function takeRows(scope: FastifyInstance, maxRows: number): void {
  const options = { parseAs: 'buffer', bodyLimit: maxRows * rowBytes } as const;
  scope.addContentTypeParser('application/octet-stream', options, (_request, body, done) => done(null, body));
}

/** The rows in the body of a request; none without a body. See {@link takeRows}. */
export function rowsIn({ body }: FastifyRequest<ById>): number[] {
  if (body === undefined || body === null) return [];
  if (!Buffer.isBuffer(body) || body.length % rowBytes !== 0) throw invalidQuery();
  return Array.from({ length: body.length / rowBytes }, (_, at) => body.readUInt32LE(at * rowBytes));
}

/**
 * @param shown names of fields of the file, or scores
 * @param sorted the same, for an order
 * @throws the refusal of a query for fields that the file does not have, or in the order of a set: it has none
 */
export async function demandFields(
  packQueries: PackQueries,
  packKey: string,
  shown: readonly string[],
  sorted: readonly string[] = [],
): Promise<void> {
  const isOfFile = (name: string) => !scoreOfField(name);
  const ofFile = [...shown, ...sorted].filter(isOfFile);
  if (ofFile.length === 0) return;
  const known = await packQueries.fields({ packKey });
  const isThere = ofFile.every((name) => fieldNamed(known, name) !== undefined);
  const isOrdered = sorted.filter(isOfFile).every((name) => fieldNamed(known, name)?.kind !== 'set');
  if (!isThere || !isOrdered) throw invalidQuery();
}

export const invalidQuery = () => asError({ code: 'visualization/query-invalid' });
export const noSuchNode = () => asError({ code: 'visualization/node-not-found' });

type Deps = { readonly db: Db; readonly filterOf: FilterCache };

/**
 * The data of a list that is not in its pack: the upload `vs` of the request, the plan if `plan` requests it, and what its
 * sort needs. With `unknown=1`, a sort by warnings counts what is mostly unknown as well.
 *
 * @throws the refusal of somebody who may not read it
 */
export async function readSortMarks(
  { db, filterOf }: Deps,
  context: RequestContext,
  record: OwnedRecord,
  params: Readonly<Record<string, unknown>>,
  sort: RowSort,
): Promise<SortMarksQuery> {
  const topics = topicsOf(sort);
  const isPlanned = params.plan !== undefined || topics.has('plan');
  return {
    compared: await readComparison(db, context, record, params),
    planned: isPlanned ? await filterOf.plan(context, record) : undefined,
    warned: topics.has('warnings')
      ? { key: await filterOf.warnings(context, record), withUnknown: params.unknown === '1' }
      : undefined,
  };
}

/** The earlier upload `vs` that a request compares with, and its thresholds `ct`; undefined without one. */
export async function readComparison(
  db: Db,
  context: RequestContext,
  { id }: OwnedRecord,
  { vs, ct }: Record<string, unknown>,
): Promise<ComparedWith | undefined> {
  if (vs === undefined) return undefined;
  const thresholds = ct === undefined ? defaultThresholds : typeof ct === 'string' && readThresholds(ct);
  if (typeof vs !== 'string' || !thresholds) throw asError({ code: 'visualization/query-invalid' });
  const { before } = await comparable(db, context, id, vs);
  return { vsKey: before.pack_key, thresholds };
}

/**
 * The field of a file that a request names; undefined for a name it does not know, and for a field that is withheld. The
 * peak month has a name for each newest month, and every one can be requested.
 *
 * @param known what the file has
 */
export function fieldNamed(known: readonly (Field | WithheldField)[], name: string): Field | undefined {
  const isSeason = seasonOfField(name) !== undefined;
  const found = known.find((field) => field.name === name || (isSeason && seasonOfField(field.name) !== undefined));
  return found?.kind === 'none' ? undefined : found;
}

/** Figures that every pack has for each row. */
const builtIn: ReadonlySet<string> = new Set(['keywords', 'volume', 'difficulty', 'cpc']);

/**
 * @param figures as keys of a sort name them
 * @throws a refusal if one of them is no number of the file
 */
export async function checkFigures(packQueries: PackQueries, packKey: string, figures: readonly string[]) {
  const others = figures.filter((figure) => !builtIn.has(figure));
  const names = others.map((figure) => fieldOf(figure) ?? '').filter((name) => !scoreOfField(name));
  if (names.length === 0) return;
  const fields = await packQueries.fields({ packKey });
  const isNumber = (name: string) => fields.some((field) => field.name === name && field.kind === 'number');
  if (!names.every(isNumber)) throw asError({ code: 'visualization/query-invalid' });
}
