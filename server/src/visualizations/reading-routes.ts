import { scoreOfField } from '@kc/pack/score/score';
import type { LinkNeed } from '@kc/rules/link';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireLink, requireRaw } from '../accounts/require.ts';
import { asError, orRefusal } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { fieldNamed } from './query/field-named.ts';
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
