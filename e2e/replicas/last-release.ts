import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Release } from '../../tools/releases.ts';
import { root } from '../../tools/source-files.ts';

const workspaces = ['rules', 'pack', 'cluster', 'server', 'web'] as const;

/** Why the code of a release cannot be had here; undefined if it can. */
export function whyNoCode({ name, commit }: Release): string | undefined {
  const { error, status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
  if (error) return `The code of ${name} comes from git, which is not installed`;
  if (status === 0) return undefined;
  return `This clone has no commit ${commit}, which is ${name}: git fetch --unshallow brings it`;
}

/**
 * The code of a release in a new folder, with the packages of this checkout. The workspaces are packages as well: they are the
 * release's own.
 *
 * @returns the folder
 */
export function unpackRelease({ name, commit }: Release): string {
  const folder = mkdtempSync(join(tmpdir(), `kc-${name}-`));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  linkPackages(folder, '.');
  for (const workspace of workspaces) {
    linkPackages(folder, workspace);
    symlinkSync(join('..', '..', workspace), join(folder, 'node_modules/@kc', workspace));
  }
  return folder;
}

/** What begins with a full stop are caches and lists of what is installed. */
function linkPackages(folder: string, workspace: string): void {
  const installed = join(root, workspace, 'node_modules');
  if (!existsSync(installed)) return;
  const linked = join(folder, workspace, 'node_modules');
  mkdirSync(linked);
  for (const name of readdirSync(installed)) {
    if (name === '@kc') mkdirSync(join(linked, name));
    else if (!name.startsWith('.')) symlinkSync(join(installed, name), join(linked, name));
  }
}

/** Builds its page, as its start would do. */
export async function buildRelease(folder: string): Promise<void> {
  const build = spawn(process.execPath, ['tools/build.ts'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const [status] = (await once(build, 'exit')) as [number | null];
  if (status !== 0) throw new Error('The page of the last release could not be built');
}
