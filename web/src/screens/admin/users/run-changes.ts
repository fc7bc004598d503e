import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import type { ListedAccount } from '@kc/rules/shapes';
import { concernsSession, toRefusal } from '../../../api/refusal.ts';
import type { Change } from './changes.ts';

export type Failure = { readonly change: Change; readonly refusal: Refusal };
export type Outcome = { readonly done: readonly Change[]; readonly failed: readonly Failure[] };

/** What the server says about one change: the account as it is now, or why it stayed as it was. */
export type ChangeResult = { readonly account: ListedAccount } | { readonly refusal: Refusal };

/**
 * Makes changes in their order, as many per call as a call takes. Each call is one transaction: it saves everything that
 * the rules allow, or fails as a whole. A call that fails does not stop the next one.
 *
 * @param send saves one batch and returns a result per change; rejects as API calls do
 * @param onSaved called for each account as the server has it now
 * @throws what a call rejected with if the session can do nothing more
 */
export async function runChanges(
  changes: readonly Change[],
  send: (batch: readonly Change[]) => Promise<readonly ChangeResult[]>,
  onSaved: (accounts: readonly ListedAccount[]) => void,
): Promise<Outcome> {
  const done: Change[] = [];
  const failed: Failure[] = [];
  for (let start = 0; start < changes.length; start += limits.maxBulkChanges) {
    const batch = changes.slice(start, start + limits.maxBulkChanges);
    try {
      const results = await send(batch);
      const saved: ListedAccount[] = [];
      for (const [index, change] of batch.entries()) {
        const result = results[index]!;
        if ('refusal' in result) failed.push({ change, refusal: result.refusal });
        else {
          done.push(change);
          saved.push(result.account);
        }
      }
      onSaved(saved);
    } catch (error) {
      const refusal = toRefusal(error);
      if (concernsSession(refusal)) throw error;
      for (const change of batch) failed.push({ change, refusal });
    }
  }
  return { done, failed };
}
