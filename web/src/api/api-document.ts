/**
 * Loads the description of the whole HTTP API, which the server generates from its contract.
 *
 * @throws if it cannot be loaded
 */
export async function readApiDocument(signal: AbortSignal): Promise<unknown> {
  const response = await fetch('/api/openapi.json', { signal });
  if (!response.ok) throw Object.assign(new Error('No API document'), { data: { code: 'fault/unavailable' } });
  return response.json();
}
