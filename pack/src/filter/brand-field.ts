/** The field in which a file marks branded keywords: a category of yes and no, or 1 and 0. */
export function brandField<F extends { readonly name: string; readonly kind: string }>(
  fields: readonly F[],
): F | undefined {
  return fields.find(({ name, kind }) => kind !== 'set' && /^(?:is[\s_-]*)?branded$/iu.test(name.trim()));
}
