/** The parameter of the page that names a draft. */
export const draftParameter = 'draft';

/** The draft that an address names. @param search with its question mark */
export function draftIn(search: string): string | undefined {
  const id = new URLSearchParams(search).get(draftParameter);
  return id !== null && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}
