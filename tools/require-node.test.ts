import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readText, root } from './source-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'kc-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a script prints when it is started like npm starts it, on a system with a Node of this version. */
function startedWith(systemVersion: string): string {
  const system = join(folder, 'node');
  writeFileSync(system, `#!/bin/sh\n[ "$1" = --version ] && echo v${systemVersion} || echo "the system's: $*"\n`);
  chmodSync(system, 0o755);
  const script = join(folder, 'script.mjs');
  writeFileSync(script, "console.log('the packaged:', ...process.argv.slice(2))");
  const start = ['--import', `${root}tools/require-node.mjs`, script, 'one', 'two'];
  const { stdout, stderr } = spawnSync(process.execPath, start, { encoding: 'utf8', env: { PATH: folder } });
  return (stdout + stderr).trim();
}

const isPackaged = process.execPath.includes('/node_modules/') && process.platform !== 'win32';

test.runIf(isPackaged)('a newer system Node replaces the packaged one', () => {
  const script = join(folder, 'script.mjs');
  expect(startedWith('99.0.0')).toBe(`the system's: --import ${root}tools/require-node.mjs ${script} one two`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  expect(startedWith(`${major}.${minor! + 1}.0`)).toContain("the system's");
});

test.runIf(isPackaged).each(['20.19.0', process.versions.node, '9.99.99'])(
  'with Node %s on the system the packaged one is used',
  (version) => {
    expect(startedWith(version)).toBe('the packaged: one two');
  },
);

test('SEC-37 no signal opens the inspector of the process that npm start starts, not even before the server is loaded', () => {
  const scripts = JSON.parse(readText('package.json')).scripts as Record<string, string>;
  const [node, ...start] = scripts.start!.split(' ');
  expect([node, start.pop()]).toEqual(['node', 'tools/start.ts']);
  const script = join(folder, 'signalled.mjs');
  // Where it is not disabled, the inspector opens within some milliseconds.
  writeFileSync(
    script,
    `import { url } from 'node:inspector';
     import { setTimeout as pause } from 'node:timers/promises';
     process.kill(process.pid, 'SIGUSR1');
     for (let look = 0; look < 50 && url() === undefined; look++) await pause(10);
     console.log(url() ?? 'none');`,
  );
  const { stdout } = spawnSync(process.execPath, [...start, script], { encoding: 'utf8', cwd: root, env: {} });
  expect(stdout.trim()).toBe('none');
});
