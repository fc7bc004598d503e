/**
 * Search parameters as plain text, in and out. The router's own way reads values as JSON, which would turn a node's
 * address of sixteen decimal digits into a number and round it.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** With the leading `?`, or empty. Parameters without a value are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `?${text}` : '';
}
