// Shows SEC-34.
import { expect, test } from 'vitest';
import { expressionsIn, whySlow } from './regular-expressions.ts';
import { filesUnder, readText } from './source-files.ts';

/** Expressions that take quadratic time, or are not known here, and why no text makes them slow. */
const bounded: Readonly<Record<string, string>> = {
  'cluster/src/draft/context.ts: \\B(?=(\\d{3})+$)': 'the digits of a number',
  'web/src/ui/number-text.ts: \\B(?=(?:\\d{3})+$)': 'the digits of a number below 1e12',
  'cluster/src/words/words.ts: ?': 'one of several expressions, each of which is found by itself',
  'pack/src/find/name-pattern.ts: \\{(?<least>\\d{1,9})(?:,(': 'at most 200 characters',
  'pack/src/upload/numbers.ts: ^[<>≤≥~≈]?\\s*[=]?\\s*(?:(': 'at most 64 characters',
  'pack/src/upload/numbers.ts: ^(?:between|zwischen|ent': 'at most 64 characters',
  'pack/src/upload/numbers.ts: (?<=\\S)\\s*[–—~]\\s*|\\s+-\\': 'at most 64 characters',
  'cluster/src/read/xlsx/sheet.ts: \\[[^\\]]*\\]|"[^"]*"|\\\\.|_': 'at most 255 characters',
  'rules/src/password-strength.ts: ^(.{1,4}?)\\1+$': 'four tries, each linear',
};

const rooms = ['rules/src', 'pack/src', 'cluster/src', 'server/src', 'web/src'];
const sources = filesUnder(rooms, /\.tsx?$/).filter((file) => !/\.(test|spec|conformance)\.tsx?$/.test(file));
const all = sources.flatMap((file) => {
  const text = readText(file);
  return /RegExp|\//.test(text) ? expressionsIn(file, text).map((one) => ({ file, ...one })) : [];
});
const slow = all.flatMap(({ file, line, source, flags }) => {
  const why = source === undefined ? 'unknown' : whySlow(source, flags);
  return why === undefined ? [] : [{ name: `${file}: ${source?.slice(0, 24) ?? '?'}`, line, why }];
});

test('every regular expression takes time proportional to the length of the text', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(slow.filter(({ name }) => !(name in bounded))).toEqual([]);
});

test('every exception is still needed', () => {
  expect(Object.keys(bounded).filter((name) => !slow.some((one) => one.name === name))).toEqual([]);
});

test.each([
  ['blanks at the end', String.raw`\s+$`],
  ['slashes at the end', String.raw`\/+$`],
  ['a formula after line breaks', String.raw`(?<=[,;\n])(?=[\s"]*[=+])`],
  ['two quantifiers that share a character', String.raw`^[a-z]*\w*!`],
  ['a quantifier within another', '^(?:a+)+$'],
  ['a lookahead from every place', 'x(?=[xy]*z)'],
  ['a lookbehind from every place', '(?<=a*)b'],
  ['a repeated back-reference', String.raw`^(.+)\1+$`],
])('%s are found to be slow', (_what, source) => {
  expect(whySlow(source, 'u')).toBeDefined();
});

test.each([
  String.raw`^\s+|(?<!\s)\s+$`,
  String.raw`(?<![\s"])[\s"]*(?=[=+])`,
  'a+',
  '[^/]*',
  String.raw`^\w+@\w+\.\w+$`,
])('/%s/ is not slow', (source) => {
  expect(whySlow(source, 'u')).toBeUndefined();
});

test('literals, templates and constants are found, whatever is around them', () => {
  const text = String.raw`
    const part: string = '[a-z]';
    const raw = String.raw~\s+~;
    const half = (a as number) / 2 / b; // it's /no regex/
    const tsx = <p title="/x/">{text.replace(/[/]"+$/gu, '')}</p>;
    const most = 3;
    new RegExp(~^#{raw}#{part}{#{most}}$~, 'u');
    RegExp(text);
    RegExp(part, flags);`
    .replaceAll('~', '`')
    .replaceAll('#{', '${');
  expect(expressionsIn('planted.tsx', text)).toEqual([
    { line: 5, source: '[/]"+$', flags: 'gu' },
    { line: 7, source: String.raw`^\s+[a-z]{3}$`, flags: 'u' },
    { line: 8, source: undefined, flags: '' },
    { line: 9, source: undefined, flags: '' },
  ]);
});
