/** `npm start`: builds the web bundle if its sources changed, then runs the server in the same process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.ts';
import { ensureLoops } from './wasm-loops.ts';
import { canBuild, isStale } from './web-bundle.ts';

ensureLoops();
if (isStale()) {
  if (!canBuild()) {
    process.stderr.write(
      'The web bundle is missing or older than its sources, and this is an install without development packages.\n' +
        'Build it first: npm ci && npm run build && npm ci --omit=dev\n',
    );
    process.exit(1);
  }
  process.stdout.write('Building the web bundle …\n');
  const build = spawnSync(process.execPath, ['--disable-sigusr1', join(import.meta.dirname, 'build.ts')], {
    stdio: 'inherit',
  });
  if (build.status !== 0) {
    process.stderr.write('The web bundle could not be built.\n');
    process.exit(1);
  }
}
endWithNpm();
await import('../server/src/main.ts');
