import * as z from 'zod/mini';
import { tokenScopes } from './access-token.ts';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** Milliseconds since 1970, UTC. */
const time = z.number();
const scopes = z.array(z.enum(tokenScopes)).check(z.minLength(1), z.maxLength(tokenScopes.length));

/** An access token as its owner and administrators see it: without the token itself. */
const listedToken = z.object({
  id,
  name: z.string(),
  scopes,
  /** The only visualization that it opens, with its name; absent for all of its owner. */
  visualization: z.optional(z.object({ id, name: z.string() })),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: z.optional(time),
});
export type ListedToken = z.infer<typeof listedToken>;

/** Access tokens, with which programs make the calls of a person. No token may make these calls. */
export const accessTokens = {
  /** The response is the only one that ever contains the token. */
  make: route('POST', '/access-tokens', { who: 'approved' })
    .input(
      z.strictObject({
        name: storableText({ max: limits.maxTokenNameLength }),
        scopes,
        expiresAt: z.number().check(z.int()),
        visualizationId: z.optional(id),
      }),
    )
    .output(z.extend(listedToken, { token: z.string() })),
  /** Those of the user that have not ended, the newest first. */
  list: route('GET', '/access-tokens', { who: 'approved' }).output(z.array(listedToken)),
  /** Ends a token for good. Administrators may end those of others. */
  revoke: route('DELETE', '/access-tokens/{id}', { who: 'approved' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
  /** Those of all users that have not ended, the newest first. */
  all: route('GET', '/access-tokens/all', { who: 'admin' }).output(
    z.array(z.extend(listedToken, { owner: z.string() })),
  ),
};
