import type { RequestContext } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed } from '../http/refusals.ts';
import { mayImport } from '../visualizations/upload/sender.ts';

/**
 * Whether this account may import lists for an owner right now.
 *
 * @param db a transaction, if the answer decides something in it
 * @throws the refusal as the contract's error
 */
export async function demandImport(db: Queryable, context: RequestContext, ownerId: string): Promise<void> {
  const now = { ...context, person: await context.readAgain(db) };
  allowed(await mayImport(db, now, ownerId));
}
