import { oc } from '@orpc/contract';
import { refusal } from './shapes.ts';

/** Who may call. The server enforces it before the handler runs; only `status` is open to pending and denied users. */
export type Who = 'anyone' | 'signed-in' | 'approved' | 'admin';

/**
 * One shape for every refusal; the HTTP status is its kind. Faults also have a code, never a stack trace or a raw
 * message.
 */
export const api = oc.$meta<{ who: Who }>({ who: 'admin' }).errors({
  INVALID: { status: 422, data: refusal },
  UNAUTHENTICATED: { status: 401, data: refusal },
  REFUSED: { status: 403, data: refusal },
  MISSING: { status: 404, data: refusal },
  CONFLICT: { status: 409, data: refusal },
  TOO_MANY: { status: 429, data: refusal },
  FAULT: { status: 500, data: refusal },
});
