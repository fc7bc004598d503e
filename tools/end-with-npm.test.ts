import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a process that npm started ends in order when npm gets a SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kc-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = join(import.meta.dirname, 'end-with-npm.ts');
  writeFileSync(
    join(folder, 'server.ts'),
    `import { endWithNpm } from ${JSON.stringify(module)};
    endWithNpm(50);
    const open = setInterval(() => {}, 1000);
    process.on('SIGTERM', () => {
      clearInterval(open);
      process.stdout.write('ended in order\\n');
    });
    process.stdout.write('started\\n');`,
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { start: `${JSON.stringify(process.execPath)} server.ts` } }),
  );
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.on('data', (bytes: Buffer) => {
    output += String(bytes);
    if (output.endsWith('started\n')) npm.kill('SIGTERM');
  });
  // The pipe ends with the last process that has it.
  await new Promise((resolve) => npm.stdout.on('end', resolve));
  expect(output).toBe('started\nended in order\n');
});
