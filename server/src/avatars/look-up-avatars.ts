import { createHash } from 'node:crypto';
import type { Db } from '../database/open.ts';
import type { Log } from '../log.ts';
import { type AvatarSource, fetchPicture, type LookUpResult, pictureExists } from './gravatar.ts';
import { type DueAccount, dueAccounts, saveResult } from './queries.ts';

export type LookUpDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly outside: AvatarSource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Concurrent look-ups. */
const batchSize = 5;
/** Users per run; the next run looks up the others. */
const maxPerRun = 250;

const dayMs = 24 * 3_600_000;
/** After a result, with or without a picture. */
const refreshAfterMs = 30 * dayMs;
/** After the service was unavailable. */
const retryAfterMs = dayMs;

/**
 * Looks up the pictures of the users who are due, {@link batchSize} at a time. If the service responds to none of a
 * batch, it is down: the run ends, stored pictures stay, and these users are due again after {@link retryAfterMs}.
 *
 * Can be repeated at any point: users already looked up are not due.
 */
export async function lookUpPictures(deps: LookUpDeps, signal: AbortSignal): Promise<void> {
  const { db, log, outside, now } = deps;
  const due = await dueAccounts(db, maxPerRun, now());
  for (let at = 0; at < due.length; at += batchSize) {
    const batch = due.slice(at, at + batchSize);
    const results = await Promise.all(batch.map((account) => findPicture(outside, account, signal)));
    // An aborted request reads as unavailable. When the server stops, nothing of this batch may be stored.
    signal.throwIfAborted();
    for (const [index, result] of results.entries()) await save(deps, batch[index]!, result);
    if (results.every((result) => result === 'unavailable')) {
      log.warn({ event: 'avatars', people: batch.length }, 'The avatar service is unavailable; retrying later');
      return;
    }
  }
  if (due.length > 0) log.info({ event: 'avatars', people: due.length }, 'Looked up pictures');
}

function save({ db, now }: LookUpDeps, account: DueAccount, result: LookUpResult): Promise<void> {
  const at = now();
  return saveResult(db, account, result, at, at + (result === 'unavailable' ? retryAfterMs : refreshAfterMs));
}

/** Twice the width of the largest avatar on screen. */
const pixels = 128;

/**
 * A user's picture: the one named by their identity provider, otherwise the one at the public avatar service.
 *
 * The service gets a hash of the email. Most people have no picture there, so a HEAD request comes first.
 *
 * Source: SECURITY.md, S15; the form of the URL: https://docs.gravatar.com/api/avatars/images/.
 */
async function findPicture(
  outside: AvatarSource,
  account: { readonly email: string; readonly photoUrl: string | null },
  signal: AbortSignal,
): Promise<LookUpResult> {
  const named = account.photoUrl && URL.canParse(account.photoUrl) ? new URL(account.photoUrl) : undefined;
  if (named && outside.photoOrigins.has(named.origin)) {
    const result = await fetchPicture(outside, named, signal);
    if (result !== 'none') return result;
  }
  const url = gravatarUrl(outside, account.email);
  const exists = await pictureExists(outside, url, signal);
  if (exists === 'unavailable') return 'unavailable';
  if (!exists) return 'none';
  return fetchPicture(outside, url, signal);
}

/** @param email in its stored form, lowercase and trimmed, which is also what the service hashes */
function gravatarUrl({ gravatar }: AvatarSource, email: string): URL {
  const hash = createHash('sha256').update(email).digest('hex');
  return new URL(`/avatar/${hash}?d=404&s=${pixels}`, gravatar);
}
