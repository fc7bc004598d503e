import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

/** The repository's path, with a slash at the end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

export const readText = (file: string): string => readFileSync(root + file, 'utf8');

/** Files in folders of the repository whose paths match, with forward slashes; without those of npm and of builds. */
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

/** What a specifier refers to: a path of this repository, `npm:name` or `node:name`. */
export function importTarget(file: string, specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier));
  const own = /^@kc\/([a-z]+)\/(.+)$/.exec(specifier);
  if (own) return `${own[1]}/src/${own[2]}`;
  const segments = specifier.split('/');
  return `npm:${segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')}`;
}

/** All specifiers of a file: imports, re-exports, dynamic imports and `new URL('./x.ts', import.meta.url)`. */
export function specifiersOf(text: string): string[] {
  const imports = text.matchAll(/(?:(?<!['"])\b(?:from|import)\s*|\bimport\s*\(\s*)['"]([^'"\n]+)['"]/g);
  const workers = text.matchAll(/new URL\(\s*['"](\.[^'"\n]+\.tsx?)['"]\s*,\s*import\.meta\.url/g);
  return [...imports, ...workers].map((match) => match[1]!);
}
