import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder, readText, root } from './source-files.ts';

const page = 'docs/product.md';

type Evidence = { readonly file: string; readonly title: string };
type ProductPromise = {
  readonly number: string;
  readonly tests: readonly Evidence[];
  /** Links to decision records, as the page writes them. */
  readonly records: readonly string[];
};

/**
 * The promises of a page, in its order: list items that begin with a bold number, each up to the next item or heading.
 */
function promisesOf(text: string): ProductPromise[] {
  return text
    .split(/^(?=- \*\*P|#|$)/m)
    .filter((part) => part.startsWith('- **P'))
    .map((part) => ({
      number: /^- \*\*(P[\d.]+)\*\*/.exec(part)?.[1] ?? part.slice(0, 20),
      tests: [...part.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g)].map(([, file, title]) => ({
        file: file!,
        title: title!,
      })),
      records: [...part.matchAll(/\]\((decisions\/\d{3}-[\w-]+\.md)\)/g)].map((match) => match[1]!),
    }));
}

/**
 * The titles in a test file: texts that are the first of several arguments of a call, as for `test`, `describe`,
 * `story` and their `each`.
 */
function titlesOf(source: string): string[] {
  const literals = source.matchAll(/(?:^\s*|\()(['"`])((?:\\.|(?!\1)[^\\\n])+)\1,/gm);
  return [...literals].map((match) => match[2]!.replace(/\\(['"`])/g, '$1'));
}

const isShown = ({ file, title }: Evidence): boolean =>
  existsSync(root + file) && titlesOf(readText(file)).some((one) => one.includes(title));

/** Numbers out of sequence: within a section they increase by one, and a new section begins at 1. */
function misnumbered(numbers: readonly string[]): string[] {
  let [section, item] = [0, 0];
  return numbers.filter((number) => {
    const isNext = number === `P${section}.${item + 1}`;
    const isNewSection = item > 0 || section === 0 ? number === `P${section + 1}.1` : false;
    [section, item] = isNext ? [section, item + 1] : isNewSection ? [section + 1, 1] : [section, item];
    return !isNext && !isNewSection;
  });
}

/** Numbers of promises that a text cites. */
const citedIn = (text: string): string[] => [...text.matchAll(/\bP\d{1,2}\.\d{1,2}\b/g)].map((match) => match[0]);

const promises = promisesOf(readText(page));

test('the page has its promises', () => {
  expect(promises.length).toBeGreaterThanOrEqual(80);
});

test('every promise has a test or a decision record', () => {
  const bare = promises.filter(({ tests, records }) => tests.length + records.length === 0);
  expect(bare.map(({ number }) => number)).toEqual([]);
});

test('every test that a promise names exists, under that title', () => {
  const missing = promises.flatMap(({ number, tests }) =>
    tests.filter((one) => !isShown(one)).map(({ file, title }) => `${number} ${file} "${title}"`),
  );
  expect(missing).toEqual([]);
});

test('every decision record that a promise names exists', () => {
  const missing = promises.flatMap(({ records }) => records.filter((record) => !existsSync(`${root}docs/${record}`)));
  expect(missing).toEqual([]);
});

test('promises are numbered without a gap or a repetition', () => {
  expect(misnumbered(promises.map(({ number }) => number))).toEqual([]);
});

test('every promise that a source cites exists', () => {
  const known = new Set(promises.map(({ number }) => number));
  const folders = ['rules', 'pack', 'server', 'web', 'e2e', 'bench', 'tools'];
  const sources = filesUnder(folders, /\.(tsx?|css|mjs)$/).filter((file) => file !== 'tools/product.test.ts');
  const unknown = sources.flatMap((file) =>
    citedIn(readText(file))
      .filter((number) => !known.has(number))
      .map((number) => `${file} ${number}`),
  );
  expect(unknown).toEqual([]);
});

test('a promise without evidence, a wrong title, a gap and an unknown citation are detected', () => {
  const [first, second] = promisesOf('# T\n\n- **P1.1** One.\n  Shown by `a/b.test.ts` "it works".\n- **P1.3** Two.\n');
  expect(first!.tests).toEqual([{ file: 'a/b.test.ts', title: 'it works' }]);
  expect(second!.tests).toEqual([]);
  expect(misnumbered(['P1.1', 'P1.3', 'P1.2', 'P2.1', 'P2.1', 'P4.1'])).toEqual(['P1.3', 'P2.1', 'P4.1']);
  expect(isShown({ file: 'tools/product.test.ts', title: 'nobody wrote this title'.toUpperCase() })).toBe(false);
  expect(isShown({ file: 'tools/ghost.test.ts', title: 'x' })).toBe(false);
  expect(titlesOf("test('it’s so', () => {});\ntest.each(a)(\n  'don\\'t %s',\n  b);\nsay('no title');")).toEqual([
    'it’s so',
    "don't %s",
  ]);
  expect(citedIn('see P3.4 and SEC-01')).toEqual(['P3.4']);
});
