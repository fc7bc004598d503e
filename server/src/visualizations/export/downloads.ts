import type { FastifyReply } from 'fastify';
import { personOf, type RequestContext } from '../../accounts/require.ts';
import { audit } from '../../database/audit.ts';
import type { Listener, Notification } from '../../database/notifications.ts';
import type { Db } from '../../database/open.ts';
import { consume, type Limit } from '../../http/rate-limits.ts';
import { asError } from '../../http/refusals.ts';
import type { Log } from '../../log.ts';
import { maySee } from '../access.ts';
import type { OwnedRecord } from '../queries.ts';

export type DownloadDeps = {
  readonly db: Db;
  readonly listener: Pick<Listener, 'on'>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  now(): number;
};

/**
 * What the audit log says of what is taken away. Never the filter's words: they are what somebody looks for, and say more
 * of a person than that they looked.
 */
export type Taken = {
  readonly form: 'csv' | 'json' | 'original';
  /** How much of it, "a branch" say; everything when left out. */
  readonly part?: string | undefined;
  readonly filtered?: true | undefined;
};

export type Download = {
  /** Tells the audit log that a fault broke it off. */
  failed(): Promise<void>;
};

/** Whatever of a visualization leaves the product as a file. */
export type Downloads = {
  /**
   * Begins a download: tells the audit log, and from then on breaks the answer off as soon as its reader may not see the
   * visualization any more, whatever the reason. What breaks off is no whole answer to any browser.
   *
   * @throws the refusal when there were too many
   */
  begin(context: RequestContext, reply: FastifyReply, record: OwnedRecord, taken: Taken): Promise<Download>;
  stop(): void;
};

/** Each is a line of a log that is never shortened. */
const limit: Limit = { name: 'export', uses: 600, windowMs: 3_600_000 };
/** A session may end by its time, and what was said may have got lost. */
const lookAgainMs = 25_000;

export function createDownloads({ db, listener, log, now }: DownloadDeps): Downloads {
  const open = new Set<(notification: Notification) => void>();
  const unsubscribe = listener.on((notification) => {
    for (const hear of open) hear(notification);
  });

  function watch(context: RequestContext, reply: FastifyReply, record: OwnedRecord, onLost: () => Promise<void>): void {
    // Who went away while the log was told has nothing to lose, and will not be heard to go.
    if (reply.raw.destroyed) return;
    const concerns = new Set([personOf(context).account.id, record.user_id]);
    let isLost = false;
    const look = async (): Promise<void> => {
      const person = await context.readAgain();
      const stays = await maySee(db, { ...context, person }, record.id);
      // Two may look at once, and whoever has everything has lost nothing: it is told of once, or not at all.
      if (stays || isLost || reply.raw.writableFinished || reply.raw.destroyed) return;
      isLost = true;
      reply.raw.destroy();
      await onLost();
    };
    // A database that is away for a moment costs nobody a download.
    const guarded = (): void =>
      void look().catch((error: unknown) => log.warn({ err: error }, 'A download could not ask the database'));
    const hear = (notification: Notification): void => {
      if (!('accountId' in notification) || concerns.has(notification.accountId)) guarded();
    };
    const timer = setInterval(guarded, lookAgainMs);
    open.add(hear);
    reply.raw.once('close', () => {
      clearInterval(timer);
      open.delete(hear);
    });
    // Between the request and here somebody may have lost what they had.
    guarded();
  }

  return {
    async begin(context, reply, record, taken) {
      const actor = personOf(context).account.id;
      const wait = await consume(db, limit, actor, now());
      if (wait > 0) throw asError({ code: 'sign-in/too-many', params: { seconds: wait } });
      const details = { file: record.file_name, visualization: record.id, ...taken };
      const line = { actor, action: 'export', target: record.user_id } as const;
      await audit(db, { ...line, details }, now());
      watch(context, reply, record, () => audit(db, { ...line, result: 'refused', details }, now()));
      return { failed: () => audit(db, { ...line, result: 'failed', details }, now()) };
    },
    stop: unsubscribe,
  };
}
