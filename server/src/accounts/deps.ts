import type { Transaction } from 'kysely';
import type { Config } from '../config.ts';
import type { Listener } from '../database/notifications.ts';
import type { Db } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import type { BotCheck } from './bot-check.ts';
import type { LinkMails } from './link-mails.ts';
import type { Passwords } from './passwords.ts';

/** What the accounts work with; handed in by whoever puts the server together. */
export type AccountDeps = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly listener: Listener;
  readonly passwords: Passwords;
  readonly mails: LinkMails;
  readonly botCheck: BotCheck;
  /** Queues, within a transaction, that these stored files are removed once `removeAfter` has come. */
  queueFileDeletion(tx: Transaction<Database>, keys: readonly string[], removeAfter: Date): Promise<void>;
  /** What this server seals with; every replica has the same. */
  readonly secret: string;
  /** The product's version, as the web asks for it. */
  readonly version: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
};
