import type { ForceDeleteAnswer } from '@kc/rules/raw-routes';
import { type Refusal, refusedWith, toRefusal } from '@kc/rules/result';
import { client } from '../../../api/client.ts';
import { inTime, patience } from '../../../api/in-time.ts';
import { stepUpHandle } from '../../../session/change-session.ts';

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
export async function deleteUser(id: string): Promise<DeletionOutcome> {
  try {
    await forceDelete(id, await tokenOfOneDeletion());
    return { is: 'deleted' };
  } catch (error) {
    return isFault(toRefusal(error)) ? fallBack(id) : ended(error);
  }
}

async function fallBack(id: string): Promise<DeletionOutcome> {
  try {
    const idToken = await tokenOfOneDeletion();
    const { authRemains } = await client.accounts.deleteRecords({ id, idToken });
    if (!authRemains) return { is: 'deleted' };
  } catch (error) {
    return ended(error);
  }
  const last = await client.accounts.deleteUserAuth({ userId: id }).catch(() => ({ success: false }));
  return last.success ? { is: 'deleted' } : { is: 'deleted-partly' };
}

function ended(error: unknown): DeletionOutcome {
  const refusal = toRefusal(error);
  return refusal.code === 'step-up/required' ? { is: 'password-needed' } : { is: 'failed', refusal };
}

/** Whether the server failed, as opposed to refusing. */
const isFault = ({ code }: Refusal): boolean => code.startsWith('fault/');

/** @throws the refusal `step-up/required` if the administrator has to confirm the password again */
async function tokenOfOneDeletion(): Promise<string> {
  const stepUp = stepUpHandle();
  if (stepUp === undefined) throw refusedWith({ code: 'step-up/required' });
  return (await client.session.idToken({ stepUp })).idToken;
}

/** @throws errors that `toRefusal` turns into a refusal */
async function forceDelete(userId: string, idToken: string): Promise<void> {
  const body = await inTime(patience.change, undefined, async (signal) => {
    const response = await fetch('/api/forceDeleteUser', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userId, idToken }),
      signal,
    });
    return (await response.json().catch(() => undefined)) as ForceDeleteAnswer | undefined;
  });
  if (body && 'ok' in body) return;
  throw Object.assign(new Error(body?.error ?? 'No answer'), { data: body?.data });
}
