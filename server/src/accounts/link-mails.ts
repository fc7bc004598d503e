import { randomBytes } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { type Db, inTransaction, type Tx } from '../database/open.ts';
import { type Queue, startJobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { resetLetter, verificationLetter } from '../mail/mail-texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { accountByEmail, lockAccounts, type StoredAccount } from './queries.ts';
import { issueToken } from './tokens.ts';

/** Mails that contain a link, with the lifetime of each link's token. */
const kinds = {
  reset: { lifeMs: limits.resetLinkMs, write: resetLetter },
  verify: { lifeMs: limits.verifyLinkMs, write: verificationLetter },
} as const;

/** A queued job: the recipient, the kind of mail, and since when. The token is created when the mail is written. */
export type LetterRequest = { readonly kind: keyof typeof kinds; readonly email: string; readonly askedAt: number };

/** Mails with links, sent by a job, so that a slow or unavailable mail server blocks nobody. */
export type LinkMails = {
  /** Queues a mail within the caller's transaction. Does not check whether the account exists. */
  enqueue(tx: Tx, kind: LetterRequest['kind'], email: string): Promise<void>;
  stop(): Promise<void>;
};

type MailContent = {
  readonly config: Config;
  readonly db: Db;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly log: Log;
  readonly now: () => number;
};

type LinkMailDeps = MailContent & {
  /** For the job runner's connections, with the server's own role. */
  readonly connection: () => pg.ClientConfig;
  readonly mailer: Mailer;
  /** Whether no other server uses this database. */
  readonly alone: boolean;
  /** Aborted when no more mails may be sent. */
  readonly rest?: AbortSignal | undefined;
};

/** Source: SECURITY.md, SEC-15, REL-34. */
export async function startLinkMails(parts: LinkMailDeps): Promise<LinkMails> {
  const queue: Queue<LetterRequest> = {
    name: 'link-mails',
    expireSeconds: 120,
    retrySeconds: 30,
    run: (request) => sendLetter(parts, request),
  };
  const jobs = await startJobs({
    connection: parts.connection(),
    queues: [queue],
    works: true,
    alone: parts.alone,
    rest: parts.rest,
    log: parts.log,
  });
  return {
    enqueue: (tx, kind, email) =>
      jobs.enqueue(tx, queue, randomBytes(16).toString('hex'), { kind, email, askedAt: parts.now() }),
    async stop() {
      await jobs.stop();
      parts.mailer.close();
    },
  };
}

/**
 * Sends one mail, if its recipient may have it. Throws while the mail server is unavailable; the job runner retries
 * until the link would have expired.
 */
export async function sendLetter({ config, db, mailer, log, now }: MailContent, request: LetterRequest): Promise<void> {
  const { kind, email, askedAt } = request;
  const { lifeMs, write } = kinds[kind];
  const isLate = now() > askedAt + lifeMs;
  const addressed = await inTransaction(db, async (tx) => {
    const account = await accountByEmail(tx, email);
    // Under lock: an account whose email is changing either is no longer found by it, or invalidates this link with the
    // change.
    const [locked] = account ? await lockAccounts(tx, [account.id]) : [];
    if (!locked || locked.email !== email || !mayReceive(kind, locked, config)) return undefined;
    return { account: locked, token: isLate ? '' : await issueToken(tx, kind, locked.id, lifeMs, now()) };
  });
  if (!addressed) return;
  const { account, token } = addressed;
  if (isLate) {
    log.warn({ event: 'mail', kind, account: account.id, result: 'given up' }, 'A mail could not be sent in time');
    return;
  }
  const person = { email: account.email, displayName: account.display_name };
  try {
    await mailer.send(write(person, token, config));
  } catch (error) {
    log.warn(
      { event: 'mail', kind, account: account.id, result: 'failed', err: error },
      'A mail could not be sent yet',
    );
    throw error;
  }
  log.info({ event: 'mail', kind, account: account.id, result: 'ok' }, 'A mail was sent');
}

/**
 * A built-in administrator who is not proven yet has the claim link. Access to a mailbox makes nobody an administrator.
 */
function mayReceive(kind: LetterRequest['kind'], account: StoredAccount, config: Config): boolean {
  if (account.is_sample) return false;
  if (account.email_proven_at) return kind === 'reset';
  return !config.builtInAdmins.has(account.email);
}
