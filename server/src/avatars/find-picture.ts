import { createHash } from 'node:crypto';
import { type Answer, type AvatarSource, askForPicture, fetchPicture } from './gravatar.ts';

/** Twice the width of the largest avatar on screen. */
const pixels = 128;

/**
 * A user's picture: the one named by their identity provider, otherwise the one at the public avatar service.
 *
 * The service is asked by a hash of the email; for most people, who have no picture, a HEAD request suffices. Source:
 * SECURITY.md, S15; the address: https://docs.gravatar.com/api/avatars/images/.
 */
export async function findPicture(
  outside: AvatarSource,
  person: { readonly email: string; readonly photoUrl: string | null },
  signal: AbortSignal,
): Promise<Answer> {
  const named = person.photoUrl && URL.canParse(person.photoUrl) ? new URL(person.photoUrl) : undefined;
  if (named && outside.photoOrigins.has(named.origin)) {
    const answer = await fetchPicture(outside, named, signal);
    if (answer !== 'none') return answer;
  }
  const url = gravatarUrl(outside, person.email);
  const isThere = await askForPicture(outside, url, signal);
  if (isThere !== true) return isThere || 'none';
  return fetchPicture(outside, url, signal);
}

/** @param email in its stored form, lowercase and trimmed, which is also what the service hashes */
function gravatarUrl({ gravatar }: AvatarSource, email: string): URL {
  const hash = createHash('sha256').update(email).digest('hex');
  return new URL(`/avatar/${hash}?d=404&s=${pixels}`, gravatar);
}
