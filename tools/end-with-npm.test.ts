import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a server with npm, and ends it with `end` once it has started. @returns what it printed */
async function outputOf(server: string, end: (npm: ChildProcess, server: number) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kc-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = join(import.meta.dirname, 'end-with-npm.ts');
  writeFileSync(
    join(folder, 'server.ts'),
    `import { endWithNpm } from ${JSON.stringify(module)};
    endWithNpm(50);
    ${server}
    setTimeout(() => process.stdout.write('started ' + process.pid + '\\n'), 200);`,
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { start: `${JSON.stringify(process.execPath)} server.ts` } }),
  );
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.on('data', (bytes: Buffer) => {
    output += String(bytes);
    const started = /^started (\d+)\n$/.exec(output);
    if (started) end(npm, Number(started[1]));
  });
  // The pipe ends with the last process that has it.
  await new Promise((resolve) => npm.stdout.on('end', resolve));
  return output.replace(/\d+/, '');
}

test('a process that npm started ends in order when npm gets a SIGTERM', async () => {
  const server = `const open = setInterval(() => {}, 1000);
    process.on('SIGTERM', () => {
      clearInterval(open);
      process.stdout.write('ended in order\\n');
    });`;
  expect(await outputOf(server, (npm) => npm.kill('SIGTERM'))).toBe('started \nended in order\n');
});

test('one that is told to end together with npm is told once', async () => {
  const server = `const open = setInterval(() => {}, 1000);
    process.on('SIGTERM', () => {
      process.stdout.write('told\\n');
      setTimeout(() => clearInterval(open), 500);
    });`;
  const endBoth = (npm: ChildProcess, pid: number) => {
    process.kill(pid, 'SIGTERM');
    npm.kill('SIGTERM');
  };
  expect(await outputOf(server, endBoth)).toBe('started \ntold\n');
});
