import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { livePostmaster } from '../server/src/database/postmaster.ts';

/** The place where everything that a proof starts has its folders, so that leftovers can be found. */
export type ProofPlace = {
  /** For `TMPDIR`. */
  readonly folder: string;
  /** Ends every PostgreSQL whose data is there, and removes the folder. */
  clear(): Promise<void>;
};

export function proofPlace(): ProofPlace {
  const folder = mkdtempSync(join(tmpdir(), 'kc-proof-'));
  // The database's user must be able to enter it.
  chmodSync(folder, 0o711);
  return {
    folder,
    async clear() {
      for (const data of clustersUnder(folder)) await endCluster(data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function clustersUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('postmaster.pid')).map((name) => dirname(join(folder, name)));
}

const patienceMs = 15_000;

/** Requests a fast shutdown, and kills after a while. */
async function endCluster(data: string): Promise<void> {
  const pid = livePostmaster(data)?.pid;
  if (pid === undefined) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; livePostmaster(data); waited += 50) {
    if (waited === patienceMs) process.kill(pid, 'SIGKILL');
    await sleep(50);
  }
}

/** Ends a process and its group, gently first. */
export async function endGroup(leader: number): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  // An ended process counts until it is reaped, which may never happen: the wait has a limit.
  for (let waited = 0; signalGroup(leader, 0) && waited < 2 * patienceMs; waited += 50) {
    if (waited === patienceMs) signalGroup(leader, 'SIGKILL');
    await sleep(50);
  }
}

/** @returns whether a process of the group is left */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
