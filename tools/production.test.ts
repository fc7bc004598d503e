import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder, importTarget, readText, root, specifiersOf } from './source-files.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

// What `npm ci --omit=dev` installs is enough to run the server, and all of it is in the notices.

type Locked = { readonly dev?: boolean; readonly link?: boolean; readonly version: string };

const locked = (JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> }).packages;
const isProduction = (folder: string) => locked[folder] !== undefined && !locked[folder].dev;

/** The production dependencies in a workspace's `package.json`. */
function declaredBy(workspace: string): Set<string> {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readText(`${workspace}/package.json`)) as {
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
  };
  return new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
}

/** A file's text without imports of types, which are erased. */
const runtimeText = (file: string) => readText(file).replace(/^(?:import|export) type\b[^;]*;/gm, '');

/** The entries and all files they import, directly or indirectly: static and dynamic imports, and workers. */
function reachableFrom(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const file of found) {
    for (const specifier of specifiersOf(runtimeText(file))) {
      const to = importTarget(file, specifier);
      const path = [to, `${to}.ts`].find((candidate) => /\.ts$/.test(candidate) && existsSync(root + candidate));
      if (path) found.add(path);
    }
  }
  return [...found];
}

/**
 * `file -> package` for each imported package that a production install does not have, or that the workspace does not
 * declare.
 */
function missingPackages(file: string, text: string): string[] {
  const workspace = file.split('/')[0]!;
  return specifiersOf(text)
    .map((specifier) => importTarget(file, specifier))
    .filter((to) => to.startsWith('npm:'))
    .map((to) => to.slice('npm:'.length))
    .filter((name) => /^(?:@[\w.-]+\/)?[\w.-]+$/.test(name))
    .filter(
      (name) =>
        !declaredBy(workspace === 'tools' ? '.' : workspace).has(name) ||
        ![`${workspace}/node_modules/${name}`, `node_modules/${name}`].some(isProduction),
    )
    .map((name) => `${file} -> ${name}`);
}

const commands = filesUnder(['server/src/commands'], /(?<!\.test)\.ts$/);
const serverFiles = reachableFrom(['tools/start.ts', 'tools/with-loops.ts', ...commands]);

test('the server and the commands import no development package', () => {
  expect(serverFiles.length).toBeGreaterThan(200);
  expect(serverFiles).toContain('server/src/visualizations/ingest/ingest-worker.ts');
  expect(serverFiles.filter((file) => /\.test\.ts$|\/test\//.test(file))).toEqual([]);
  expect(serverFiles.flatMap((file) => missingPackages(file, runtimeText(file)))).toEqual([]);
});

test('the page imports no development package: everything the browser gets is in the notices', () => {
  const sources = filesUnder(['web/src'], /(?<!\.(?:test|conformance|d))\.tsx?$/);
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap((file) => missingPackages(file, runtimeText(file)))).toEqual([]);
});

test('an import of a development package, or of one that another workspace declares, is detected', () => {
  const text = "import { build } from 'vite';\nimport { type Table } from 'apache-arrow';\nimport pino from 'pino';";
  expect(missingPackages('server/src/main.ts', text)).toEqual([
    'server/src/main.ts -> vite',
    'server/src/main.ts -> apache-arrow',
  ]);
});

// Shows P2.12.
test('every production package is in the third-party notices, with the font licence', () => {
  const notices = thirdPartyNotices();
  const lines = new Set(notices.split('\n').map((line) => line.split('  ')[0]));
  const production = Object.entries(locked).filter(
    ([folder, { link }]) => folder.includes('node_modules/') && !link && isProduction(folder),
  );
  expect(production.length).toBeGreaterThan(150);
  const titles = production.map(([folder, { version }]) => `${folder.split('node_modules/').at(-1)} ${version}`);
  expect(titles.filter((title) => !lines.has(title))).toEqual([]);
  expect(notices).toContain('SIL OPEN FONT LICENSE');
  expect(notices).toContain('PostgreSQL Global Development Group');
});

test('build tools that leave code in what they build are in the notices, other development packages are not', () => {
  const notices = thirdPartyNotices();
  for (const name of ['tailwindcss', 'vite', 'rolldown', 'assemblyscript']) {
    expect(notices).toContain(`\n${name} ${locked[`node_modules/${name}`]!.version}  `);
  }
  expect(notices).not.toContain('\nvitest ');
});

test('every package under overrides is locked in that version', () => {
  const { overrides } = JSON.parse(readText('package.json')) as { overrides: Record<string, string> };
  const versionsOf = (name: string) =>
    Object.entries(locked).flatMap(([folder, { version }]) =>
      folder.endsWith(`node_modules/${name}`) ? [version] : [],
    );
  for (const [name, version] of Object.entries(overrides)) expect([name, ...versionsOf(name)]).toEqual([name, version]);
});
