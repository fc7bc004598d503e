import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test.each(['claim-link', 'doctor'])('%s --help prints the usage, and does nothing', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'kc-help-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') };
  const command = join(import.meta.dirname, `${name}.ts`);
  expect(execFileSync(process.execPath, [command, '--help'], { env, encoding: 'utf8', stdio: 'pipe' })).toBe(
    `Usage: npm run ${name}\n`,
  );
  expect(existsSync(env.DATA_DIR)).toBe(false);
});
