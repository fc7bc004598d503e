import { isRefusal, type Refusal } from '@kc/rules/result';

const sessionCodes: ReadonlySet<string> = new Set(['session/required', 'session/not-approved', 'admin/only']);

/** Whether a refusal means that the session or its rights differ from what the page assumes. */
export function concernsSession(refusal: Refusal): boolean {
  return sessionCodes.has(refusal.code);
}

/** The refusal in an error body: bare, or under `data` as in the contract. */
export async function refusalIn(response: Response): Promise<Refusal | undefined> {
  if (!response.headers.get('content-type')?.includes('json')) return undefined;
  return refusalInBody(await response.json());
}

/** The refusal in an error body that was parsed. */
export function refusalInBody(body: unknown): Refusal | undefined {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
  return isRefusal(data) ? data : undefined;
}
