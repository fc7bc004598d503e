import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded before a server by a proof, with `node --import`: writes to the file that TEST_LOOP_DELAYS names, a line each
// time, how many milliseconds later than asked for the server's own event loop came round.

const betweenMs = 20;
const linesAtATime = 50;
const file = process.env.TEST_LOOP_DELAYS;
if (file && isMainThread) watch(file);

function watch(into: string): void {
  let lines: string[] = [];
  let asked = performance.now();
  const look = (): void => {
    lines.push(`${Math.max(0, performance.now() - asked - betweenMs).toFixed(2)}\n`);
    if (lines.length === linesAtATime) {
      appendFileSync(into, lines.join(''));
      lines = [];
    }
    asked = performance.now();
    setTimeout(look, betweenMs).unref();
  };
  setTimeout(look, betweenMs).unref();
}
