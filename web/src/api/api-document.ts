/**
 * The description of the whole HTTP API, as the server makes it from its contract.
 *
 * @throws when it cannot be read
 */
export async function readApiDocument(signal: AbortSignal): Promise<unknown> {
  const response = await fetch('/api/openapi.json', { signal });
  if (!response.ok) throw Object.assign(new Error('No API document'), { data: { code: 'fault/unavailable' } });
  return response.json();
}
