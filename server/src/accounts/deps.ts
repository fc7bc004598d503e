import type { News } from '@kc/rules/webhook';
import type { Config } from '../config.ts';
import type { Listener } from '../database/notifications.ts';
import type { Db, Tx } from '../database/open.ts';
import type { Log } from '../log.ts';
import type { BotCheck } from './bot-check.ts';
import type { LinkMails } from './link-mails.ts';
import type { Passwords } from './passwords.ts';

/** The dependencies of accounts, passed in when the server is assembled. */
export type AccountDeps = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly listener: Listener;
  readonly passwords: Passwords;
  readonly mails: LinkMails;
  readonly botCheck: BotCheck;
  /** Queues, within a transaction, the removal of these stored files after `removeAfter`. */
  queueFileDeletion(tx: Tx, keys: readonly string[], removeAfter: Date): Promise<void>;
  /** Tells webhooks what has happened, if its transaction is committed. */
  announce(tx: Tx, news: News): Promise<void>;
  /** The key with which this server seals data. All replicas have the same one. */
  readonly secret: string;
  /** The product's version, which the page compares with its own. */
  readonly version: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
};
