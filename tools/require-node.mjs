// Loaded before every script of package.json. Written in JavaScript that any Node can read: older versions cannot run
// TypeScript.
import { spawnSync } from 'node:child_process';
import * as nodeModule from 'node:module';
import { delimiter, join, sep } from 'node:path';

const needed = 24;
const packages = `${sep}node_modules${sep}`;

switchToNewestNode();
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `Keyword Clustering needs Node ${needed} or newer, and this is Node ${process.versions.node}.\n` +
      '"npm ci" brings one on Linux and Windows, and npm\'s scripts use it; elsewhere install Node 24.\n',
  );
  process.exit(1);
}

// Keeps the compiled sources for the next start, beside those of worker processes. If it cannot be written, nothing is kept.
nodeModule.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'keyword-clustering'));

/**
 * npm puts the packaged Node before the system's on the path. If the system has a newer one, it replaces this process:
 * the packages lag behind security fixes.
 */
function switchToNewestNode() {
  if (!process.execPath.includes(packages) || typeof process.execve !== 'function') return;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '' || `${folder}${sep}`.includes(packages)) continue;
    const node = join(folder, 'node');
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    if (!stdout) continue;
    // Only the first one on the path is the system's.
    if (isNewer(stdout.trim().slice(1), process.versions.node)) {
      process.execve(node, [node, ...process.execArgv, ...process.argv.slice(1)], process.env);
    }
    return;
  }
}

/** Compares versions such as 24.21.0 part by part. */
function isNewer(version, than) {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && a[at] > b[at];
}
