import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

export const readText = (file: string): string => readFileSync(root + file, 'utf8');

/** Files below folders of the repository whose path matches, with forward slashes; what npm or a build made is left out. */
export function filesUnder(folders: readonly string[], matching: RegExp): string[] {
  return folders
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll('\\', '/')),
    )
    .filter((file) => !/(^|\/)(node_modules|dist|\.cache)\//.test(file) && matching.test(file))
    .sort();
}
