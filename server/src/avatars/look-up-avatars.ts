import { createHash } from 'node:crypto';
import type { Db } from '../database/open.ts';
import type { Log } from '../log.ts';
import { type Answer, type AvatarSource, askForPicture, fetchPicture } from './gravatar.ts';
import { type Due, dueAccounts, saveAnswer } from './queries.ts';

export type LookUpDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly outside: AvatarSource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Look-ups at the same time. */
const batch = 5;
/** Users per run; the others follow in the next one. */
const mostPerRun = 250;

const day = 24 * 3_600_000;
const lookAgainMs = 30 * day;
const retryMs = day;

/**
 * Looks up the pictures of all users who are due, five at a time. If a whole batch gets no response, the service is
 * down: the run ends, stored pictures stay, and these users are due again a day later.
 *
 * Can be repeated at any point: users already looked up are not due.
 */
export async function lookUpPictures(deps: LookUpDeps, signal: AbortSignal): Promise<void> {
  const { db, log, outside, now } = deps;
  const due = await dueAccounts(db, mostPerRun, now());
  for (let at = 0; at < due.length; at += batch) {
    const group = due.slice(at, at + batch);
    const answers = await Promise.all(group.map((person) => findPicture(outside, person, signal)));
    // Aborted because the server stops: there are no results for these.
    signal.throwIfAborted();
    for (const [index, answer] of answers.entries()) await save(deps, group[index]!, answer);
    if (answers.every((answer) => answer === 'unavailable')) {
      log.warn({ event: 'avatars', people: group.length }, 'The avatar service is unavailable; retrying later');
      return;
    }
  }
  if (due.length > 0) log.info({ event: 'avatars', people: due.length }, 'Looked up pictures');
}

function save({ db, now }: LookUpDeps, person: Due, answer: Answer): Promise<void> {
  const at = now();
  return saveAnswer(db, person, answer, at, at + (answer === 'unavailable' ? retryMs : lookAgainMs));
}

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
