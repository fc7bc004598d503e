import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// A proof loads this before a server with `node --import`. It measures the event loop delay of the server in
// milliseconds, and writes one line per measurement to the file that TEST_LOOP_DELAYS names.

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
