import { createHash } from 'node:crypto';
import { type Answer, type AvatarSource, askForPicture, fetchPicture } from './gravatar.ts';

/** Twice as wide as the largest avatar on screen. */
const pixels = 128;

/**
 * The picture of a person: the one their sign-in provider named, else the one they gave the public avatar service.
 *
 * The service is asked by a hash of the email, which a mere HEAD answers for most people, who have none.
 * Source: spec §7 "Avatar lookup", security S15; the address, https://docs.gravatar.com/api/avatars/images/.
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

/** @param email in its stored form, lowercase and trimmed, as the service hashes it too */
function gravatarUrl({ gravatar }: AvatarSource, email: string): URL {
  const hash = createHash('sha256').update(email).digest('hex');
  return new URL(`/avatar/${hash}?d=404&s=${pixels}`, gravatar);
}
