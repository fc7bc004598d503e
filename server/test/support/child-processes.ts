import { readdir, readFile } from 'node:fs/promises';

/** The processes that this one has started with a script of this name. Linux alone tells. */
export async function childProcesses(script: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [command, stat] = await Promise.all(
      ['cmdline', 'stat'].map((file) => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')),
    );
    const parent = Number(/\) \w (\d+)/.exec(stat ?? '')?.[1]);
    if (parent === process.pid && command?.includes(script)) found.push(Number(entry));
  }
  return found;
}

/** Ends them as the kernel does when the machine runs out of memory. @returns how many there were */
export async function killChildren(script: string): Promise<number> {
  const found = await childProcesses(script);
  for (const id of found) endIfThere(id);
  return found.length;
}

/** A process may end by itself after it was found. */
function endIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
