/** The token of a link whose fragment carries it, as `#token=…` or bare `#…`. A fragment reaches no server and no log. */
export function tokenOf(hash: string): string {
  const fragment = hash.replace(/^#/, '');
  return new URLSearchParams(fragment).get('token') ?? fragment;
}
