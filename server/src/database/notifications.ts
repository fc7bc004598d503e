import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type Queryable, quietConnection } from './open.ts';

/** Notifications to all replicas. Delivered if and when the sending transaction commits. */
export type Notification =
  /** An account's role, status or sessions changed. */
  | { readonly about: 'session'; readonly accountId: string }
  /** The settings changed. */
  | { readonly about: 'settings' }
  /** The list of accounts changed. */
  | { readonly about: 'accounts' }
  /** An account's visualizations changed. */
  | { readonly about: 'visualizations'; readonly accountId: string }
  /** A draft changed that this account owns or began. */
  | { readonly about: 'drafts'; readonly accountId: string }
  /** The plan of an account's data changed. Administrators are notified of all of them. */
  | { readonly about: 'plans'; readonly accountId: string }
  /** A link has ended. */
  | { readonly about: 'links'; readonly linkId: string }
  /** Notifications may have been missed because the connection was down. Sent by {@link listen} itself. */
  | { readonly about: 'missed' };

const channel = 'kc';

export async function notify(db: Queryable, notification: Notification): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(notification)})`.execute(db);
}

/** Another request wants to continue an upload: the request that is receiving it stops. */
export const uploadChannel = 'upload_wanted';

/** An upload progressed or was deleted: its reader checks again. */
export const uploadMovedChannel = 'upload_moved';

export async function uploadMoved(db: Queryable, id: string): Promise<void> {
  await sql`select pg_notify(${uploadMovedChannel}, ${id})`.execute(db);
}

export async function stopUpload(db: Queryable, id: string): Promise<void> {
  await sql`select pg_notify(${uploadChannel}, ${id})`.execute(db);
}

export type Listener = {
  /** @returns ends the subscription */
  on(handler: (notification: Notification) => void): () => void;
  close(): Promise<void>;
};

/**
 * This process's listening connection. If it breaks, reconnects every second. Then calls `onGap` and sends `missed` to
 * the handlers, because notifications have been lost.
 */
export function listen(connect: () => pg.ClientConfig, log: Log, onGap: () => void): Listener {
  const handlers = new Set<(notification: Notification) => void>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async (isAgain: boolean): Promise<void> => {
    const next = new pg.Client({ ...connect(), ...quietConnection, connectionTimeoutMillis: 2_000 });
    const lost = once(() => {
      if (closed) return;
      log.warn('The connection for notifications broke; reconnecting');
      retry = setTimeout(() => void open(true), 1_000);
    });
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => {
      const notification = JSON.parse(payload ?? '{}') as Notification;
      for (const handler of handlers) handler(notification);
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      client = next;
      if (isAgain) onGap();
      for (const handler of handlers) handler({ about: 'missed' });
    } catch {
      lost();
    }
  };
  void open(false);
  return {
    on(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function once(run: () => void): () => void {
  let ran = false;
  return () => {
    if (ran) return;
    ran = true;
    run();
  };
}
