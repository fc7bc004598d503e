import { randomUUID } from 'node:crypto';
import type { Listener, Notification } from '../database/notifications.ts';

/** A kind of change that pages are notified of. */
export type Change = Exclude<Notification['about'], 'missed' | 'links'>;
export const changes: readonly Change[] = ['session', 'accounts', 'settings', 'visualizations', 'drafts', 'plans'];

/** Set on every response below `/api`: its content was read after this time. */
export const readAtHeader = 'Read-At';

/**
 * When this server was notified of each change. Every response carries the time at which its handling began, and an event
 * stream begins with the times of the last changes, so a page knows which of its responses are older than a change.
 *
 * The handling of a request begins before its data are read from the database, and a notification arrives after the change
 * was committed. So a response that is newer than the last notification either contains every other change, or the
 * notification of that change is still to come, and then the stream reports it.
 */
export type ChangeTimes = {
  /** Identifies this server, because its times cannot be compared with those of other servers. */
  readonly server: string;
  /** In milliseconds since an unknown moment. */
  now(): number;
  /**
   * The time of the last change of one kind.
   *
   * @param accountId whose; absent for changes that concern everybody, or for those of all accounts
   */
  last(about: Change, accountId?: string): number;
  /** @param handler called with each notification and its time; all times are different @returns ends the subscription */
  on(handler: (notification: Notification, at: number) => void): () => void;
};

/** Accounts and kinds of change that are remembered. Beyond, everything counts as changed just now. */
const maxTimes = 20_000;

export function createChangeTimes(
  listener: Pick<Listener, 'on'>,
  { clock = () => performance.now(), most = maxTimes } = {},
): ChangeTimes {
  const handlers = new Set<(notification: Notification, at: number) => void>();
  const times = new Map<string, number>();
  // Nobody needs to know for how long the server has been running.
  const start = clock() - Math.random() * 1e9;
  const now = (): number => clock() - start;
  /** Everything counts as changed then. */
  let floor = now();
  let latest = floor;

  listener.on((notification) => {
    // Two notifications can arrive within one tick of the clock.
    latest = Math.max(now(), latest + 0.001);
    note(notification, latest);
    for (const handler of handlers) handler(notification, latest);
  });

  function note(notification: Notification, at: number): void {
    const { about } = notification;
    if (about === 'links') return;
    if (about === 'missed' || times.size >= most) {
      times.clear();
      floor = at;
    }
    if (about === 'missed') return;
    times.set(about, at);
    if ('accountId' in notification) times.set(`${about} ${notification.accountId}`, at);
  }

  return {
    server: randomUUID(),
    now,
    last: (about, accountId) => times.get(accountId === undefined ? about : `${about} ${accountId}`) ?? floor,
    on(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}

/** The value of {@link readAtHeader} for a response whose handling begins now. */
export const readAt = ({ server, now }: Pick<ChangeTimes, 'server' | 'now'>): string => `${server} ${now().toFixed(3)}`;
