import type { ForceDeleteAnswer } from '@kc/rules/raw-routes';
import { inTime, patience } from './in-time.ts';

/**
 * Permanently deletes an account.
 *
 * @throws errors that `toRefusal` turns into a refusal
 */
export async function forceDeleteUser(userId: string, idToken: string): Promise<void> {
  const answer = await inTime(patience.change, undefined, async (signal) => {
    const response = await fetch('/api/forceDeleteUser', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userId, idToken }),
      signal,
    });
    return (await response.json().catch(() => undefined)) as ForceDeleteAnswer | undefined;
  });
  if (answer && 'ok' in answer) return;
  throw Object.assign(new Error(answer?.error ?? 'No answer'), { data: answer?.data });
}
