import type { Db } from '../database/open.ts';
import type { Log } from '../log.ts';
import { findPicture } from './find-picture.ts';
import type { Answer, AvatarSource } from './gravatar.ts';
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
