const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ends this process like a SIGTERM when the shell that npm started it in is gone. A SIGTERM to `npm start` reaches that
 * shell but not the process in it, which would go on without anybody who could stop it.
 *
 * A process that was told to end is not told again: a second signal ends the server at once, and leaves its database running.
 *
 * @param everyMs how often it looks
 */
export function endWithNpm(everyMs = 500): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const stop = (): void => clearInterval(looking);
  let isHeard = false;
  let isAlone = false;
  const looking = setInterval(() => {
    if (isAlone) {
      stop();
      process.kill(process.pid, 'SIGTERM');
    } else if (process.ppid !== parent) {
      // A signal that was sent to both is heard before the next look.
      isAlone = true;
    } else if (!isHeard && process.listenerCount('SIGTERM') > 0) {
      // Not earlier: where nobody else listens, a listener would keep the signal from ending the process.
      isHeard = true;
      for (const signal of signals) process.once(signal, stop);
    }
  }, everyMs);
  looking.unref();
}
