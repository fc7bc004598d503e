import { can } from '@kc/rules/access';
import type { FastifyPluginAsync } from 'fastify';
import { personOf, requireRaw } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { sendRefusal } from '../http/refusals.ts';
import { readPicture } from './queries.ts';

/**
 * `GET /api/avatars/{id}`: an account's picture, for that user and for administrators. Others do not learn whether it
 * exists. Access is checked before any 304. Source: SECURITY.md, S15, T50.
 */
export function avatarRoute(db: Db): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { id: string } }>(
      '/api/avatars/:id',
      { preHandler: requireRaw('signed-in') },
      async (request, reply) => {
        const { id } = request.params;
        const { account } = personOf(request.requestContext);
        const allowed = can(account, { do: 'avatars/view', accountId: id }, request.requestContext.builtInAdmins);
        if (!allowed.ok) return sendRefusal(reply, allowed.refusal);
        const found = /^[\w-]{1,64}$/.test(id) ? await readPicture(db, id) : undefined;
        if (!found) return sendRefusal(reply, { code: 'request/not-found' });
        reply.header('ETag', found.etag);
        if (request.headers['if-none-match']?.split(/,\s*/).includes(found.etag)) return reply.code(304).send();
        return reply.type(found.content_type).send(found.picture);
      },
    );
  };
}
