import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';

/** A lock inside the database, by which servers of earlier versions know that it is in use. */
const guardKey = 7102;

export type Guard = { release(): Promise<void> };

type GuardOptions = {
  connect(): pg.ClientConfig;
  /** Called before each attempt while the connection is lost. */
  revive(): Promise<void>;
  /** Another server took the lock meanwhile: this one must end. */
  onTaken(): void;
  readonly log: Log;
};

/**
 * Takes the lock for this process, which holds the data directory, on a dedicated connection, and notices when the
 * database has gone. It may still see a server that was just killed, so this retries for a second.
 *
 * @returns `undefined` if another server holds it Source: SECURITY.md, REL-08.
 */
export async function takeGuard(options: GuardOptions): Promise<Guard | undefined> {
  let released = false;
  let client: pg.Client | undefined;

  const tryOnce = async (): Promise<boolean> => {
    const next = new pg.Client({ ...options.connect(), connectionTimeoutMillis: 2_000, keepAlive: true });
    next.on('error', () => undefined);
    await next.connect();
    const { rows } = await next.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [guardKey]);
    if (!rows[0]?.held) {
      await next.end();
      return false;
    }
    client = next;
    next.once('end', () => void regain());
    return true;
  };

  const regain = async (): Promise<void> => {
    while (!released) {
      await sleep(1_000);
      if (released) return;
      try {
        await options.revive();
        if (await tryOnce()) return;
        return options.onTaken();
      } catch (error) {
        options.log.error({ err: error }, 'The database does not respond; retrying');
      }
    }
  };

  for (let attempt = 0; !(await tryOnce()); attempt++) {
    if (attempt === 5) return undefined;
    await sleep(200);
  }
  return {
    async release() {
      released = true;
      await client?.end();
    },
  };
}
