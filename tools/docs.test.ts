import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../server/src/variables.ts';
import { filesUnder, readText, root } from './source-files.ts';

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesUnder(['docs'], /\.md$/)];

/**
 * The texts in backticks that are paths of this repository: they contain a slash or a known ending, and no blank,
 * wildcard or placeholder. Routes (`/login`), packages (`@scope/name`) and addresses are not paths.
 */
function pathsNamed(page: string): string[] {
  const named = [...page.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  return named.filter(
    (text) =>
      /^[a-z.][\w./-]*$/i.test(text) &&
      /^(?:[\w.-]+\/)|\w\.(ts|tsx|json|md|txt|css|html)$/.test(text) &&
      !/^(application|image|text|data)\//.test(text),
  );
}

const missing = (page: string) => [...new Set(pathsNamed(page))].filter((path) => !existsSync(root + path));

test.each(pages)('every path that %s names exists', (page) => {
  expect(missing(readText(page))).toEqual([]);
});

test('a missing path is detected, and routes, packages and commands are not paths', () => {
  expect(missing('see `server/src/attic.ts`, `ghost.md` and `rules/src/limits.ts`')).toEqual([
    'server/src/attic.ts',
    'ghost.md',
  ]);
  expect(pathsNamed('`/login` `@kc/rules/account` `npm test` `https://example.com/x` `DATA_DIR`')).toEqual([]);
});

test('a decision record has a unique number, which is in its title', () => {
  const records = filesUnder(['docs/decisions'], /\.md$/);
  const numbers = records.map((file) => file.split('/').at(-1)!.slice(0, 3));
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(3, '0')));
  expect(records.map((file) => readText(file).slice(0, 5))).toEqual(numbers.map((number) => `# ${number}`));
});

/** What is missing from a record: the line below its title, or a file name that matches the title. */
function flawsOf(file: string, text: string): string[] {
  const [title = '', blank, line = ''] = text.split('\n');
  const status = /^Date: \d{4}-\d\d-\d\d · Status: (?:accepted|superseded by \d{3}(?: and \d{3})*)$/;
  const name = title.replace(/^# /, '').toLowerCase();
  return [
    ...(blank === '' && status.test(line) ? [] : ['date and status']),
    ...(file.endsWith(`/${name.replace(/[^a-z0-9]+/g, '-')}.md`) ? [] : ['file name']),
  ];
}

test.each(filesUnder(['docs/decisions'], /\.md$/))(
  '%s has a date, a status and a name that matches its title',
  (file) => {
    expect(flawsOf(file, readText(file))).toEqual([]);
  },
);

test('a record without a date, with an unknown status or with a wrong name is detected', () => {
  const good = '# 007 Account deletion\n\nDate: 2026-11-21 · Status: accepted\n';
  expect(flawsOf('docs/decisions/007-account-deletion.md', good)).toEqual([]);
  expect(flawsOf('docs/decisions/007-deletion.md', good)).toEqual(['file name']);
  expect(flawsOf('docs/decisions/007-account-deletion.md', good.replace('accepted', 'done'))).toEqual([
    'date and status',
  ]);
  expect(flawsOf('docs/decisions/007-account-deletion.md', '# 007 Account deletion\n\nText')).toEqual([
    'date and status',
  ]);
});

const undocumented = (names: readonly string[], page: string) =>
  names.filter((name) => !page.includes(`| \`${name}\``));

test('every configuration variable has a row in docs/configuration.md', () => {
  expect(variables.length).toBeGreaterThan(20);
  expect(undocumented(variables, readText('docs/configuration.md'))).toEqual([]);
});

test('an undocumented variable is detected', () => {
  expect(undocumented(['PORT', 'NEW_ONE'], '| `PORT` | 3000 |')).toEqual(['NEW_ONE']);
});

/** Links of a page to files of the repository that do not exist. */
function deadLinks(page: string, folder: string): string[] {
  const links = [...page.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1]!);
  return links.filter((link) => !existsSync(new URL(link, `file://${root}${folder}`)));
}

test.each(pages)('no link of %s is dead', (page) => {
  expect(deadLinks(readText(page), page.replace(/[^/]+$/, ''))).toEqual([]);
});

test('a dead link is detected', () => {
  expect(deadLinks('[a](ghost.md) [b](https://example.com) [c](../package.json)', 'docs/')).toEqual(['ghost.md']);
});
