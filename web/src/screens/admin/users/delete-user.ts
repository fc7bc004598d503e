import type { Refusal } from '@kc/rules/result';
import { toRefusal } from '../../../api/refusal.ts';

/** The calls that deleting somebody takes, each rejecting as calls of the API do. */
export type DeletionCalls = {
  /** A token for one deletion; rejects with `step-up/required` when the password has to be given again. */
  idToken(): Promise<string>;
  forceDelete(userId: string, idToken: string): Promise<void>;
  deleteRecords(userId: string, idToken: string): Promise<{ authRemains: boolean }>;
  deleteAuth(userId: string): Promise<{ success: boolean }>;
};

export type DeletionOutcome =
  | { readonly is: 'deleted' }
  /** Account and visualizations are gone; the locked credential may be there still. */
  | { readonly is: 'deleted-partly' }
  | { readonly is: 'password-needed' }
  | { readonly is: 'failed'; readonly refusal: Refusal };

/**
 * Deletes somebody, falling back step by step when the server fails at it: everything at once; account and
 * visualizations; the credential that is left of them. A refusal is an answer and ends it.
 *
 * Source: spec §7 "Force delete", decisions §2.7.
 */
export async function deleteUser(calls: DeletionCalls, userId: string): Promise<DeletionOutcome> {
  try {
    await calls.forceDelete(userId, await calls.idToken());
    return { is: 'deleted' };
  } catch (error) {
    return isFault(toRefusal(error)) ? fallBack(calls, userId) : ended(error);
  }
}

async function fallBack(calls: DeletionCalls, userId: string): Promise<DeletionOutcome> {
  try {
    const { authRemains } = await calls.deleteRecords(userId, await calls.idToken());
    if (!authRemains) return { is: 'deleted' };
  } catch (error) {
    return ended(error);
  }
  const last = await calls.deleteAuth(userId).catch(() => ({ success: false }));
  return last.success ? { is: 'deleted' } : { is: 'deleted-partly' };
}

function ended(error: unknown): DeletionOutcome {
  const refusal = toRefusal(error);
  return refusal.code === 'step-up/required' ? { is: 'password-needed' } : { is: 'failed', refusal };
}

/** Whether something broke, as opposed to a rule that said no. */
const isFault = ({ code }: Refusal): boolean => code.startsWith('fault/');
