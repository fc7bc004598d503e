/**
 * `node tools/trim-packages.ts`: removes from an install for production what the machine of a container image never loads: code of
 * ONNX Runtime for other platforms, and its WebAssembly, which replaces native code that does not run. Prints what that was.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

type Platform = { readonly platform: string; readonly arch: string };

/**
 * The folders of an install that are not needed on a platform. Without native code for it, WebAssembly stays.
 *
 * @param packages `node_modules`
 */
export function needlessIn(packages: string, { platform, arch }: Platform): string[] {
  const folders = (path: string): string[] =>
    existsSync(path) ? readdirSync(path).flatMap((name) => (isFolder(join(path, name)) ? [join(path, name)] : [])) : [];
  const native = folders(join(packages, 'onnxruntime-node', 'bin'))
    .flatMap(folders)
    .flatMap(folders);
  const own = native.filter((folder) => folder.endsWith(join(platform, arch)));
  if (own.length === 0) return [];
  return [...native.filter((folder) => !own.includes(folder)), join(packages, 'onnxruntime-web')].filter(existsSync);
}

const isFolder = (path: string): boolean => statSync(path).isDirectory();

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);
}

if (import.meta.main) {
  for (const folder of needlessIn('node_modules', process)) {
    console.log(`Removed ${folder}, ${Math.round(sizeOf(folder) / 1e6)} MB`);
    rmSync(folder, { recursive: true });
  }
}
