/**
 * Ends this process like a SIGTERM when the shell that npm started it in is gone. A SIGTERM to `npm start` reaches that
 * shell but not the process in it, which would go on without anybody who could stop it.
 *
 * @param everyMs how often it looks
 */
export function endWithNpm(everyMs = 500): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs);
  looking.unref();
}
