import type { Refusal } from '@kc/rules/result';
import { toRefusal } from '../../../api/refusal.ts';

/** The API calls that a deletion uses; they reject as API calls do. */
export type DeletionCalls = {
  /**
   * A token for one deletion; rejects with `step-up/required` if the administrator has to confirm the password again.
   */
  idToken(): Promise<string>;
  forceDelete(userId: string, idToken: string): Promise<void>;
  deleteRecords(userId: string, idToken: string): Promise<{ authRemains: boolean }>;
  deleteAuth(userId: string): Promise<{ success: boolean }>;
};

export type DeletionOutcome =
  | { readonly is: 'deleted' }
  /** Account and visualizations are deleted, but the locked credential may remain. */
  | { readonly is: 'deleted-partly' }
  | { readonly is: 'password-needed' }
  | { readonly is: 'failed'; readonly refusal: Refusal };

/**
 * Deletes an account. If the server fails, falls back step by step: everything in one call; then account and
 * visualizations; then the remaining credential. A refusal is final.
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

/** Whether the server failed, as opposed to refusing. */
const isFault = ({ code }: Refusal): boolean => code.startsWith('fault/');
