/** Builds the web bundle into `web/dist`, with a compressed copy beside every text file. `npm run build` */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { guidePath, guides, noticesPath } from '../rules/src/paths.ts';
import { thirdPartyNotices } from './third-party-notices.ts';
import { ensureLoops } from './wasm-loops.ts';
import { bundleFolder, stamp } from './web-bundle.ts';

// A test runner sets this to `test`, which would bundle the libraries' development versions.
process.env.NODE_ENV = 'production';
ensureLoops();
const web = resolve(import.meta.dirname, '..', 'web');
await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel: 'warn' });
writeFileSync(join(bundleFolder, noticesPath), thirdPartyNotices());
for (const guide of guides) {
  const file = join(bundleFolder, guidePath(guide));
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(web, '..', 'docs', `${guide}.md`), file);
}
compress(bundleFolder);
stamp();

function compress(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|html|svg|json|txt)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    if (bytes.length < 1024) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes));
  }
}
