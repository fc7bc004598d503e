import type { Refusal } from '@kc/rules/result';
import { isRefusal } from './refusal.ts';

/** The refusal in an error body: bare, or under `data` as in the contract. */
export async function refusalIn(answer: Response): Promise<Refusal | undefined> {
  if (!answer.headers.get('content-type')?.includes('json')) return undefined;
  const body: unknown = await answer.json();
  if (isRefusal(body) && !isErrorEnvelope(body)) return body;
  return isErrorEnvelope(body) && isRefusal(body.data) ? body.data : undefined;
}

function isErrorEnvelope(body: unknown): body is { data: unknown } {
  return typeof body === 'object' && body !== null && 'data' in body;
}
