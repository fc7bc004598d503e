export type Named = { readonly email: string; readonly displayName: string };

/** The people whose email or name contains the text. */
export function matching<P extends Named>(text: string, people: readonly P[]): readonly P[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return people;
  return people.filter(({ email, displayName }) => `${email}\n${displayName}`.toLowerCase().includes(wanted));
}
