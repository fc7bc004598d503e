/** `npm start`: builds the web bundle if its sources changed, then becomes the server. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureLoops } from './wasm-loops.ts';
import { isStale } from './web-bundle.ts';

ensureLoops();
if (isStale()) {
  process.stdout.write('Building the web bundle …\n');
  const build = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
  if (build.status !== 0) {
    process.stderr.write('The web bundle could not be built.\n');
    process.exit(1);
  }
}
await import('../server/src/main.ts');
