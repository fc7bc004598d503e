import type { Refusal } from '@kc/rules/result';
import type { ListedAccount } from '@kc/rules/shapes';
import { concernsSession, toRefusal } from '../../../api/refusal.ts';
import type { Change } from './changes.ts';

export type Failure = { readonly change: Change; readonly refusal: Refusal };
export type Outcome = { readonly done: readonly Change[]; readonly failed: readonly Failure[] };

/** Calls under way at a time: the server answers other people meanwhile. */
const atOnce = 4;

/**
 * Makes changes, a few at a time, in their order. One that fails stops no other.
 *
 * @param send saves one; rejects as calls of the API do
 * @param onSaved hears of each account as the server has it now
 * @throws what a call rejected with when it says that nothing more can be done with this session
 */
export async function runChanges(
  changes: readonly Change[],
  send: (change: Change) => Promise<ListedAccount>,
  onSaved: (account: ListedAccount) => void,
): Promise<Outcome> {
  const done: Change[] = [];
  const failed: Failure[] = [];
  const left = changes.values();
  const work = async () => {
    for (const change of left) {
      try {
        onSaved(await send(change));
        done.push(change);
      } catch (error) {
        const refusal = toRefusal(error);
        if (concernsSession(refusal)) throw error;
        failed.push({ change, refusal });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, changes.length) }, work));
  return { done, failed };
}
