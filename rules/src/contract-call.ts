import { oc } from '@orpc/contract';
import type { TokenScope } from './access-token.ts';
import type { LinkNeed } from './link.ts';
import { refusal } from './shapes.ts';

/**
 * Who may call. The server enforces it before the handler runs; only `status` is open to pending and denied users.
 * `link`: the visitors of a link, whatever else they may do.
 */
export type Who = 'anyone' | 'signed-in' | 'approved' | 'admin' | 'link';

/**
 * `needs`: what a call for visitors of a link needs of it. `scope`: what an access token must include; no token may make a
 * call without it.
 */
export type About = { readonly who: Who; readonly needs?: LinkNeed; readonly scope?: TokenScope | undefined };

/**
 * One shape for every refusal; the HTTP status is its kind. Faults also have a code, never a stack trace or a raw
 * message.
 */
const api = oc.$meta<About>({ who: 'admin' }).errors({
  INVALID: { status: 422, data: refusal },
  UNAUTHENTICATED: { status: 401, data: refusal },
  REFUSED: { status: 403, data: refusal },
  MISSING: { status: 404, data: refusal },
  CONFLICT: { status: 409, data: refusal },
  TOO_MANY: { status: 429, data: refusal },
  FAULT: { status: 500, data: refusal },
});

/** A call of the contract: who may make it, and where. What it takes and gives is added to it. */
export const route = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: `/${string}`, about: About) =>
  api.route({ method, path }).meta(about);
