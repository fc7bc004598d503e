import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Whether `strace` is installed and allowed to trace processes. */
export const canTrace = (): boolean =>
  process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/**
 * Kills a process, or one that it starts from now on, when one of its threads makes a system call for the `nth` time
 * from now on.
 *
 * @param call a system call, such as `fsync`
 * @returns a function that cancels it
 */
export async function killAtCall(pid: number, call: string, nth: number): Promise<() => Promise<void>> {
  const fault = `inject=${call}:signal=KILL:when=${nth}`;
  const tracer = spawn('strace', ['-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', fault, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(tracer, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.on('data', (bytes) => {
      said += bytes;
      if (/attached/.test(said)) resolve();
    });
    tracer.once('exit', () => reject(new Error(`strace did not begin: ${said}`)));
    tracer.once('error', reject);
  });
  return async () => {
    tracer.kill('SIGTERM');
    await ended;
  };
}
