import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { installedBinaries, ownBinaries } from './binaries.ts';
import { prepareHome } from './cluster-home.ts';

const folder = mkdtempSync(join(tmpdir(), 'kc-binaries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const installed = installedBinaries();

test('the binaries of another installation are used in place, with the version they report', () => {
  const { folder: used, version } = ownBinaries(join(installed.folder, 'bin'), undefined);
  expect(used).toBe(installed.folder);
  expect(installed.version.startsWith(version)).toBe(true);
});

test.each([
  ['a folder without PostgreSQL', () => folder],
  ['a folder that does not exist', () => join(folder, 'none', 'bin')],
  ['the folder above "bin"', () => installed.folder],
])('%s is refused with the name of the variable', (_, bin) => {
  expect(() => ownBinaries(bin(), undefined)).toThrow(/^POSTGRES_BIN must name a folder/);
});

test('a cluster of another major version is refused with the way to move it', () => {
  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
  expect(() => prepareHome(dataDir, 'nobody', createLog('ERROR'))).toThrow(
    /was made by PostgreSQL 12, and this is PostgreSQL 18\..* Make a backup with the old version/,
  );
});
