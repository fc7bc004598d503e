/**
 * `node tools/shown-by.ts`: writes into `docs/product.md` and `SECURITY.md` which tests show what they promise. The tests say so: a
 * promise of the product stands in the line above its test, as in `// Shows P2.4, P5.1.`; a criterion of security begins the title
 * of a test, as in "T7, T8 guessing is limited", or stands in such a line anywhere in the file.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type NamedTest, testsIn } from './named-tests.ts';
import { filesUnder, readText, root } from './source-files.ts';

/** A file of tests, with its text. */
export type TestFile = { readonly file: string; readonly text: string };

/** Without the test of these lines, whose numbers are examples. */
export const testFiles = (): TestFile[] =>
  filesUnder(['rules', 'pack', 'cluster', 'server', 'web', 'e2e', 'tools'], /\.(test|spec)\.tsx?$/)
    .filter((file) => file !== 'tools/product.test.ts')
    .map((file) => ({ file, text: readText(file) }));

/** Numbers of promises, such as `P2.4`, that a text cites. */
export const promisesIn = (text: string): string[] => [...text.matchAll(/\bP\d{1,2}\.\d{1,2}\b/g)].map(String);

const criterion = String.raw`(?:(?:SEC|REL)-\d\d|[ST]\d{1,2})`;

/** Numbers of criteria that a text cites: `SEC-04`, `REL-31`, `T7`, `S12`. */
export const criteriaIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(String.raw`(?<![\w}])${criterion}\b`, 'g'))].map(String);

const criteriaShown = new RegExp(
  String.raw`(?:^ *// Shows |['"\`])(${criterion}(?:(?:,| and)? ${criterion})*)(?=[ :.])`,
  'gm',
);

/** Numbers of criteria that a file of tests says it shows. */
const criteriaShownIn = (text: string): string[] =>
  [...text.matchAll(criteriaShown)].flatMap((match) => criteriaIn(match[1]!));

export type ShowingTest = NamedTest & { readonly file: string };

/** By the number of a promise, the tests that say they show it, in the order of their files. */
export function testsOfPromises(files: readonly TestFile[]): Map<string, ShowingTest[]> {
  const found = new Map<string, ShowingTest[]>();
  for (const { file, text } of files) {
    const tests = text.includes('// Shows P') ? testsIn(file, text) : [];
    for (const test of tests)
      for (const number of promisesIn(/^ *\/\/ Shows (P[\d., P]+)\.$/.exec(test.lineAbove)?.[1] ?? ''))
        found.set(number, [...(found.get(number) ?? []), { ...test, file }]);
  }
  return found;
}

/** The page of the product, with the tests below each promise. */
export function productPage(page: string, files: readonly TestFile[]): string {
  const tests = testsOfPromises(files);
  return page.replace(/^- \*\*(P[\d.]+)\*\*.*\n(?: {2}.*\n)*/gm, (promise, number: string) => {
    const said = promise.replace(/^ {2}Shown by .*\n/m, '');
    const shown = (tests.get(number) ?? []).map(({ file, title }) => `\`${file}\` “${title}”`);
    return shown.length === 0 ? said : `${said}  Shown by ${shown.join('; ')}.\n`;
  });
}

/** The page about security, with the files of tests in the last column of each criterion. */
export function securityPage(page: string, files: readonly TestFile[]): string {
  const citing = files.map(({ file, text }) => ({ file, numbers: new Set(criteriaShownIn(text)) }));
  return page.replace(/^(\| (\S+) \|.*\|)[^|\n]*\|$/gm, (row, start: string, number: string) => {
    if (criteriaIn(number).length === 0) return row;
    const shown = citing.filter(({ numbers }) => numbers.has(number)).map(({ file }) => `\`${file}\``);
    return `${start} ${shown.join(' ')} |`;
  });
}

export const pages = [
  { file: 'docs/product.md', written: productPage },
  { file: 'SECURITY.md', written: securityPage },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = testFiles();
  for (const { file, written } of pages) writeFileSync(root + file, written(readText(file), files));
}
