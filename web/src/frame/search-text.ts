/**
 * Parses and formats search parameters as plain text. The router's default parses values as JSON, which would turn a
 * node ID of sixteen decimal digits into a number and round it.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** With the leading `?`, or empty. Parameters without a value are omitted. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `?${text}` : '';
}
