import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second wherever PostgreSQL runs on Linux. */
const tickUs = 10_000;

type Process = {
  readonly pid: number;
  /** The command, without its path. */
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
  /** Of its child processes that have ended. */
  readonly endedTicks: number;
};

/**
 * Processor time in microseconds of the PostgreSQL that a server started: the postmaster and its current and past child
 * processes. 0 without `/proc`.
 */
export function postgresCpuUs(serverPid: number): number {
  const all = processes();
  const masters = all.filter(({ name, parent }) => name === 'postgres' && parent === serverPid);
  const ids = new Set(masters.map(({ pid }) => pid));
  const backends = all.filter(({ parent }) => ids.has(parent));
  const ticks =
    masters.reduce((sum, one) => sum + one.ticks + one.endedTicks, 0) +
    backends.reduce((sum, one) => sum + one.ticks, 0);
  return ticks * tickUs;
}

function processes(): Process[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)) ?? []);
  } catch {
    return [];
  }
}

/** Fields of proc(5) `stat`, counted after the command's name, which is in parentheses and may contain any character. */
function readProcess(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => fields[index] ?? 0);
    return { pid, name, parent: parent!, ticks: user! + system!, endedTicks: endedUser! + endedSystem! };
  } catch {
    return undefined; // It ended meanwhile.
  }
}
