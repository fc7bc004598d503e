import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needlessIn } from './trim-packages.ts';

const packages = mkdtempSync(join(tmpdir(), 'kc-packages-'));
for (const folder of ['linux/x64', 'linux/arm64', 'darwin/arm64', 'win32/x64'])
  mkdirSync(join(packages, 'onnxruntime-node/bin/napi-v6', folder), { recursive: true });
mkdirSync(join(packages, 'onnxruntime-web'));
const names = (folders: readonly string[]) => folders.map((folder) => folder.slice(packages.length + 1)).sort();

test('native code of other platforms is not needed, nor is what replaces it', () => {
  const native = 'onnxruntime-node/bin/napi-v6';
  expect(names(needlessIn(packages, { platform: 'linux', arch: 'arm64' }))).toEqual([
    `${native}/darwin/arm64`,
    `${native}/linux/x64`,
    `${native}/win32/x64`,
    'onnxruntime-web',
  ]);
});

test('without native code for a platform everything stays, because WebAssembly runs there', () => {
  expect(needlessIn(packages, { platform: 'linux', arch: 's390x' })).toEqual([]);
  expect(needlessIn(join(packages, 'none'), { platform: 'linux', arch: 'x64' })).toEqual([]);
});

test('of this install, the code for this machine stays', () => {
  const found = needlessIn('node_modules', process);
  expect(found.some((folder) => folder.endsWith('onnxruntime-web'))).toBe(true);
  expect(found.filter((folder) => folder.endsWith(join(process.platform, process.arch)))).toEqual([]);
});
