import { inTime, patience } from './in-time.ts';

/**
 * Loads the description of the whole HTTP API, which the server generates from its contract.
 *
 * @throws if it cannot be loaded
 */
export async function readApiDocument(signal: AbortSignal): Promise<unknown> {
  return inTime(patience.read, signal, async (ending) => {
    const response = await fetch('/api/openapi.json', { signal: ending });
    if (!response.ok) throw Object.assign(new Error('No API document'), { data: { code: 'fault/unavailable' } });
    return response.json();
  });
}
