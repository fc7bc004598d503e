import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Evidence, evidenceIn, faultOf, faultsOf, testsIn } from './cited-tests.ts';
import { filesUnder, readText, root } from './source-files.ts';

const page = 'docs/product.md';

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
      tests: evidenceIn(part),
      records: [...part.matchAll(/\]\((decisions\/\d{3}-[\w-]+\.md)\)/g)].map((match) => match[1]!),
    }));
}

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

test('every test that a promise names exists under that title, and asserts something', () => {
  expect(faultsOf(promises.flatMap(({ tests }) => tests))).toEqual([]);
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
  expect(faultsOf([{ file: 'tools/ghost.test.ts', title: 'x' }])).toEqual(['tools/ghost.test.ts has no test "x"']);
  expect(citedIn('see P3.4 and SEC-01')).toEqual(['P3.4']);
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
