import { expect, test } from 'vitest';
import { messages, sayRefusal } from '../rules/src/all-messages.ts';
import { filesUnder, readText } from './source-files.ts';
import { type Section, specified, specifiedElsewhere, specifiedOfUploads } from './specified-texts.ts';
import { testedByGroup, untestedCodes } from './untested-texts.ts';

const sections: readonly (readonly [string, Section])[] = [
  ...Object.entries(specified),
  ...Object.entries(specifiedOfUploads),
];
const specifiedMessages = sections.flatMap(([section, { messages: texts = {} }]) =>
  Object.entries(texts).map(([code, text]) => [section, code, text] as const),
);
const textsOnScreen = [
  ...sections.flatMap(([section, { onScreen: places = {} }]) =>
    Object.entries(places).map(([place, texts]) => [section, place, texts] as const),
  ),
  ...Object.entries(specifiedElsewhere).map(([place, { texts }]) => ['§2', place, texts] as const),
];

/** The constant parts of a text, between its parameters. */
const pieces = (text: string): string[] => text.split(/\{\w+\}/).filter((piece) => piece !== '');

/** Every parameter reads as its own name in braces, like in the specified texts. */
const placeholders: object = new Proxy({}, { get: (_target, name) => `{${String(name)}}` });

const shownText = (code: string): string =>
  sayRefusal({ code, params: placeholders as Readonly<Record<string, string>> });

test.each(specifiedMessages)('%s: %s reads %j', (_section, code, text) => {
  expect(messages).toHaveProperty([code]);
  const actual = shownText(code);
  // A text that contains a value may continue after what the specification quotes.
  expect(/\{\w+\}$/.test(text) ? actual.startsWith(text.replace(/\{\w+\}$/, '')) : actual === text, actual).toBe(true);
});

test.each(textsOnScreen)('%s: %s has its texts', (_section, place, texts) => {
  const folder = /\.\w+$/.test(place) ? place.replace(/\/[^/]+$/, '') : place;
  const files = filesUnder([folder], /\.(tsx?|html)$/).filter((file) => file.startsWith(place) && !isTest(file));
  const sources = files.map((file) => readText(file).replace(/\s+/g, ' ')).join('\n');
  expect(texts.filter((text) => pieces(text).some((piece) => !sources.includes(piece)))).toEqual([]);
});

test.each(Object.values(specifiedElsewhere))('$test mentions $texts', ({ texts, test: file }) => {
  const text = readText(file);
  expect(texts.filter((one) => !text.includes(one))).toEqual([]);
});

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

/** The sources of the tests in which a text is shown. Those of `rules`, where texts are defined, do not count. */
const testSources = filesUnder(['e2e', 'web/src', 'server/src'], /\.(test|spec)\.tsx?$/).map((file) =>
  readText(file).replaceAll("\\'", "'"),
);
const isTested = (code: string): boolean => {
  const longest = pieces(shownText(code)).sort((a, b) => b.length - a.length)[0]!;
  return testSources.some((text) => text.includes(longest));
};

const isTestedByGroup = (code: string): boolean => Object.keys(testedByGroup).some((start) => code.startsWith(start));

// Shows P19.9.
test('every text of the catalogue is tested by its wording', () => {
  const untested = Object.keys(messages).filter((code) => !isTested(code) && !isTestedByGroup(code));
  expect(untested.filter((code) => !(code in untestedCodes))).toEqual([]);
});

test('every exception is still needed', () => {
  expect(Object.keys(untestedCodes).filter((code) => !(code in messages) || isTested(code))).toEqual([]);
});

/** Files that contain the texts; being mentioned there does not count as use. */
const catalogues: readonly string[] = [
  'rules/src/messages.ts',
  'rules/src/entry-messages.ts',
  'rules/src/list-messages.ts',
  'rules/src/draft-messages.ts',
  'rules/src/all-messages.ts',
  'rules/src/explorer-messages.ts',
];

test('every code of the catalogue is used', () => {
  const sources = filesUnder(['rules/src', 'cluster/src', 'server/src', 'web/src'], /\.tsx?$/)
    .filter((file) => !isTest(file) && !catalogues.includes(file))
    .map((file) => readText(file))
    .join('\n');
  // The reader of lists has codes of its own, and puts `list/` before them.
  const isUsed = (code: string) =>
    sources.includes(`'${code}'`) || sources.includes(`'${code.replace(/^list\//, '')}'`);
  expect(Object.keys(messages).filter((code) => !isUsed(code))).toEqual([]);
});
