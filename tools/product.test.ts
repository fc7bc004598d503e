import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultOf, testsIn } from './named-tests.ts';
import {
  criteriaIn,
  pages,
  productPage,
  promisesIn,
  securityPage,
  type TestFile,
  testFiles,
  testsOfPromises,
} from './shown-by.ts';
import { filesUnder, readText, root } from './source-files.ts';

/**
 * The promises of a page with their links to decision records, in its order: list items that begin with a bold number.
 */
const promisesOf = (text: string) =>
  [...text.matchAll(/^- \*\*(P[\d.]+)\*\*.*\n(?: {2}.*\n)*/gm)].map(([item, number]) => ({
    number: number!,
    records: [...item.matchAll(/\]\((decisions\/\d{3}-[\w-]+\.md)\)/g)].map((match) => match[1]!),
  }));

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

const promises = promisesOf(readText('docs/product.md'));
const files = testFiles();
const tests = testsOfPromises(files);

test('the page has its promises', () => {
  expect(promises.length).toBeGreaterThanOrEqual(300);
});

test('every promise has a test or a decision record', () => {
  const bare = promises.filter(({ number, records }) => !tests.has(number) && records.length === 0);
  expect(bare.map(({ number }) => number)).toEqual([]);
});

test('every test that shows a promise asserts something', () => {
  const silent = [...tests].flatMap(([number, some]) =>
    some.flatMap(({ file, title, asserts }) => (asserts ? [] : [`${number}: ${file} "${title}"`])),
  );
  expect(silent).toEqual([]);
});

test('every line that says what a test shows is right above one', () => {
  const lines = files.flatMap(({ text }) =>
    [...text.matchAll(/^ *\/\/ Shows (P.*)$/gm)].flatMap(([line]) => promisesIn(line)),
  );
  expect(lines.length).toBe([...tests.values()].flat().length);
});

test.each(pages)(
  '$file names the tests that show what it says; `node tools/shown-by.ts` writes them',
  ({ file, written }) => {
    const page = readText(file);
    expect(page).toBe(written(page, files));
  },
);

test('every decision record that a promise names exists', () => {
  const missing = promises.flatMap(({ records }) => records.filter((record) => !existsSync(`${root}docs/${record}`)));
  expect(missing).toEqual([]);
});

test('promises are numbered without a gap or a repetition', () => {
  expect(misnumbered(promises.map(({ number }) => number))).toEqual([]);
});

test('every promise and criterion that a source cites exists', () => {
  const folders = ['rules', 'pack', 'server', 'web', 'e2e', 'bench', 'tools'];
  const sources = filesUnder(folders, /\.(tsx?|css|mjs)$/).filter((file) => file !== 'tools/product.test.ts');
  const cited = (numbersIn: (text: string) => string[], known: ReadonlySet<string>) =>
    sources.flatMap((file) =>
      numbersIn(readText(file)).flatMap((number) => (known.has(number) ? [] : [`${file} ${number}`])),
    );
  const criteria = [...readText('SECURITY.md').matchAll(/^\| (\S+) \|/gm)].map((match) => match[1]!);
  expect(criteria.length).toBeGreaterThan(150);
  expect(cited(promisesIn, new Set(promises.map(({ number }) => number)))).toEqual([]);
  expect(cited(criteriaIn, new Set(criteria))).toEqual([]);
});

test('pages name the tests that say what they show', () => {
  const some: TestFile[] = [
    { file: 'a/b.test.ts', text: "// Shows P1.1, P1.2.\ntest('it works', () => { expect(1).toBe(1); });\n" },
    { file: 'a/c.spec.ts', text: "// Shows P1.1.\ntest.each([1])('%s works', named);\n\ntest('T7 silent', named);\n" },
  ];
  const product = '# T\n\n- **P1.1** One\n  and more.\n  Shown by `x` “y”.\n- **P1.2** Two.\n- **P1.3** Three.\n';
  expect(productPage(product, some)).toBe(`# T

- **P1.1** One
  and more.
  Shown by \`a/b.test.ts\` “it works”.
- **P1.2** Two.
  Shown by \`a/b.test.ts\` “it works”.
- **P1.3** Three.
`);
  expect(securityPage('| No. | x | y |\n| T7 | limits | `gone` |\n| S1 | x |  |\n', some)).toBe(
    '| No. | x | y |\n| T7 | limits | `a/c.spec.ts` |\n| S1 | x |  |\n',
  );
  expect(misnumbered(['P1.1', 'P1.3', 'P1.2', 'P2.1', 'P2.1', 'P4.1'])).toEqual(['P1.3', 'P2.1', 'P4.1']);
  expect(promisesIn('see P3.4 and SEC-01')).toEqual(['P3.4']);
  expect(criteriaIn('see P3.4 and SEC-01, T7.')).toEqual(['SEC-01', 'T7']);
  expect(criteriaIn('`{day}T00:00`')).toEqual([]);
});

test('a test that lost its assertions is detected', () => {
  const file = 'e2e/made-up.spec.ts';
  const faults = (body: string, title = 'it works') =>
    faultOf({ file, title }, testsIn(file, `${support}\ntest('it works', async () => {\n${body}\n});`)) ?? 'none';
  const support = `
    import { stopClock } from './clock.ts';
    const prepares = async () => { await page.goto('/'); await prepares(); };
    const checks = async () => { await nested(); };
    async function nested() { expect(1).toBe(1); }`;
  for (const body of ['expect(1).toBe(1);', 'await expect.poll(a).toBe(1);', "await page.getByText('x').waitFor();"])
    expect(faults(body)).toBe('none');
  for (const body of ['await checks();', 'fc.assert(property);', 'await page.waitForURL(to);', 'steps.see(it);'])
    expect(faults(body)).toBe('none');
  const empty = ['', '// expect(1).toBe(1);', "say('expect(1).toBe(1)');", 'await prepares();', 'page.click();'];
  for (const body of [
    ...empty,
    'expect(await work());',
    'expect.poll(work);',
    'visitor.expectProblem(/x/);',
    'await stopClock(page);',
  ])
    expect(faults(body), body).toBe(`${file} "it works" asserts nothing`);
  expect(
    faultOf(
      { file, title: 'it works' },
      testsIn(file, `describe.skip('g', () => { test('it works', () => { expect(1).toBe(1); }); });`),
    ),
  ).toBe(`${file} "it works" asserts nothing`);
  expect(faults('', 'it sleeps')).toBe(`${file} has no test "it sleeps"`);
  const titled = (text: string) => testsIn('a/b.test.ts', text).map(({ title, asserts }) => [title, asserts]);
  expect(
    titled(`
      test('it’s so', () => { expect(1).toBe(1); });
      test.each(a)('don\\'t %s', { timeout: 1 }, named);
      function named() { assert(true); }
      say('no title', () => {});
      test.skip('left out', () => { expect(1).toBe(1); });
      test('waits', () => { page.waitFor(); });
      describe('both', () => { test('one', named); test('other', () => {}); });`),
  ).toEqual([
    ['it’s so', true],
    ["don't %s", true],
    ['left out', false],
    ['waits', false],
    ['both', false],
    ['one', true],
    ['other', false],
  ]);
});
