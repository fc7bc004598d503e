import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Queryable } from './open.ts';

/**
 * The time of the database, which all servers share. What expires does so by this clock: a machine whose own clock is wrong
 * neither signs everybody out nor keeps a session for ever.
 */
type DatabaseClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Asks the database again now. A database that does not answer leaves the clock as it is. */
  adjust(): Promise<void>;
  stop(): void;
};

/** Machines drift by milliseconds in this time, and a machine that was suspended catches up after it. */
const adjustMs = 10_000;
/** A reading that took longer says too little: the request waited, for a connection or on the way. */
const longestMs = 500;
/** A machine's clock that differs by more than this is reported. */
const tolerableMs = 5_000;

/** What a test replaces. Both in milliseconds: the first never goes back, the second counts from 1970. */
export type MachineClocks = { elapsed(): number; wall(): number };
const ownClocks: MachineClocks = { elapsed: () => performance.now(), wall: () => Date.now() };

/** @returns milliseconds since 1970 */
export async function readDatabaseTime(db: Queryable): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms
  `.execute(db);
  return rows[0]!.ms;
}

/**
 * Reads the database's clock, and counts on from there by the time elapsed on this machine.
 *
 * @throws if the database does not answer
 */
export async function startDatabaseClock(db: Queryable, log: Log, clocks = ownClocks): Promise<DatabaseClock> {
  /** The database's time when nothing had elapsed on this machine. */
  let { origin } = await readOrigin(db, clocks);
  let wasWrong = false;
  const now = (): number => Math.floor(origin + clocks.elapsed());
  const compare = (): void => {
    const aheadMs = clocks.wall() - now();
    const isWrong = Math.abs(aheadMs) > tolerableMs;
    if (isWrong && !wasWrong) {
      const aheadSeconds = Math.round(aheadMs / 1000);
      log.warn({ event: 'clock', aheadSeconds }, "This machine's clock differs from the database's, which counts");
    }
    wasWrong = isWrong;
  };
  const adjust = async (): Promise<void> => {
    try {
      const read = await readOrigin(db, clocks);
      if (read.tookMs > longestMs) return;
      origin = read.origin;
      compare();
    } catch {
      // Queries report a database that is down.
    }
  };
  compare();
  const timer = setInterval(() => void adjust(), adjustMs).unref();
  return { now, adjust, stop: () => clearInterval(timer) };
}

/** The database read its clock between question and answer: in the middle, as far as we know. */
async function readOrigin(db: Queryable, { elapsed }: MachineClocks): Promise<{ origin: number; tookMs: number }> {
  const sentAt = elapsed();
  const time = await readDatabaseTime(db);
  const receivedAt = elapsed();
  return { origin: time - (sentAt + receivedAt) / 2, tookMs: receivedAt - sentAt };
}
