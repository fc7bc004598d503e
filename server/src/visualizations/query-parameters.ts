/** A parameter that can occur several times, each time with a different value. */
export function texts(parameter: unknown): string[] | undefined {
  const list: unknown[] = parameter === undefined ? [] : [parameter].flat();
  const found = list.filter((text) => typeof text === 'string');
  return found.length === list.length && new Set(found).size === found.length ? found : undefined;
}

/** A whole number that fits a row; undefined if it is none. */
export function whole(text: unknown, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
