import { can } from '@kc/rules/access';
import type { MessageCode } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';
import { mayCall, personOf, type RequestContext } from '../../accounts/require.ts';
import type { Listener, Notification } from '../../database/notifications.ts';
import type { Db, Queryable } from '../../database/open.ts';
import { kindOf } from '../../http/refusals.ts';
import type { Log } from '../../log.ts';

/** The sender of an upload during one of their requests, which may take minutes. */
export type Sender = {
  /** Why they may not send now, by session, role and status in the database. */
  refusalNow(through: Queryable): Promise<Refusal | undefined>;
  /**
   * @param through the transaction that stores what was sent
   * @throws Refused if the session has ended, or the sender may no longer upload: files are for administrators, lists for those who may import
   */
  demand(through: Queryable): Promise<void>;
  /**
   * Calls `onLost` as soon as {@link demand} would throw, whichever server removed the right.
   * @returns stops watching
   */
  watch(onLost: () => void): () => void;
};

export type SenderDeps = { readonly db: Db; readonly listener: Pick<Listener, 'on'>; readonly log: Log };

/** Sessions expire silently, and notifications can get lost. */
const lookAgainMs = 25_000;

/** @returns the sender of an upload; of a keyword list, for the map of `listOwner` */
export function createSenders({
  db,
  listener,
  log,
}: SenderDeps): (context: RequestContext, listOwner?: string) => Sender {
  return (context, listOwner) => {
    const { id } = personOf(context).account;
    const refusalNow = async (through: Queryable): Promise<Refusal | undefined> => {
      const now = { ...context, person: await context.readAgain(through) };
      const answer = listOwner === undefined ? mayCall('admin', now) : await mayImport(through, now, listOwner);
      return answer.ok ? undefined : answer.refusal;
    };
    return {
      refusalNow,
      async demand(through) {
        const refusal = await refusalNow(through);
        if (refusal) throw new Refused(kindOf(refusal.code).status, refusal);
      },
      watch(onLost) {
        // A database that is briefly unavailable ends no upload: the next commit checks again.
        const look = (): void =>
          void refusalNow(db)
            .then((refusal) => refusal && onLost())
            .catch((error: unknown) => log.warn({ err: error }, 'An upload could not check its sender'));
        const concerns = (notification: Notification): boolean =>
          notification.about === 'missed' ||
          notification.about === 'settings' ||
          (notification.about === 'session' && notification.accountId === id);
        const unsubscribe = listener.on((notification) => {
          if (concerns(notification)) look();
        });
        const timer = setInterval(look, lookAgainMs);
        return () => {
          clearInterval(timer);
          unsubscribe();
        };
      },
    };
  };
}

/** Whether this user may import lists for an owner now. */
export async function mayImport(db: Queryable, { person, builtInAdmins }: RequestContext, ownerId: string) {
  const { user_imports: isAllowed } = await db.selectFrom('settings').select('user_imports').executeTakeFirstOrThrow();
  return can(person?.account, { do: 'lists/import', ownerId, isAllowed }, builtInAdmins);
}

/** A refusal, with the status of its response. */
export class Refused extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  constructor(status: number, refusal: Refusal) {
    super(refusal.code);
    this.status = status;
    this.refusal = refusal;
  }
}

/** What the protocol itself refuses. Clients decide by the status what they do next. */
export class TusError extends Refused {
  constructor(status: TusStatus) {
    super(status, { code: codes[status] ?? 'request/invalid' });
  }
}

type TusStatus = 400 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 423;

const codes: Partial<Record<TusStatus, MessageCode>> = {
  404: 'request/not-found',
  410: 'request/not-found',
  423: 'fault/unavailable',
};
