import { namesBy } from '@kc/pack/upload/field-map';
import { fieldOf } from '@kc/pack/upload/fields';
import type { MemberSummary } from '@kc/pack/upload/member-summary';
import { type FieldMap, fieldMeanings } from '@kc/rules/upload';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctedMap, meaningsOf, memberOptions, memberRows, stillUnrecognised } from './member-meanings.ts';

const member = (name: string, meaning: MemberSummary['meaning'], more: Partial<MemberSummary> = {}): MemberSummary => ({
  name,
  meaning,
  sample: '7',
  known: 5,
  entries: 10,
  numbers: 5,
  intents: 0,
  ...more,
});
const members = [
  member('search_volume', 'volume'),
  member('Difficulty', 'difficulty'),
  member('Reach', 'keep'),
  member('Monthly', 'keep'),
  member('url', 'named'),
];
const [volume, difficulty, reach, monthly, url] = [0, 1, 2, 3, 4] as const;
type Step = readonly [place: number, meaning: Parameters<typeof correctedMap>[3]];
const after = (...steps: readonly Step[]): FieldMap =>
  steps.reduce((map, [place, meaning]) => correctedMap(members, map, place, meaning), {} as FieldMap);
const meaningsAfter = (...steps: readonly Step[]) => meaningsOf(members, after(...steps));

test('without corrections, members are what their names say', () => {
  expect(meaningsAfter()).toEqual(['volume', 'difficulty', 'keep', 'keep', 'named']);
});

test('a meaning that exists once moves, and the member that had it is kept as it is', () => {
  expect(meaningsAfter([reach, 'volume'])).toEqual(['keep', 'difficulty', 'volume', 'keep', 'named']);
  expect(meaningsAfter([reach, 'volume'], [monthly, 'volume'])).toEqual([
    'keep',
    'difficulty',
    'keep',
    'volume',
    'named',
  ]);
  expect(meaningsAfter([difficulty, 'volume'])).toEqual(['keep', 'volume', 'keep', 'keep', 'named']);
  expect(meaningsAfter([url, 'clicks'], [reach, 'clicks'])).toEqual(['volume', 'difficulty', 'clicks', 'keep', 'keep']);
});

test('meanings that may repeat stay with every member that has them', () => {
  expect(meaningsAfter([volume, 'leaveOut'], [reach, 'leaveOut'])).toEqual([
    'leaveOut',
    'difficulty',
    'leaveOut',
    'keep',
    'named',
  ]);
});

test('a meaning that was taken back leaves no correction', () => {
  expect(after([reach, 'volume'], [reach, 'keep'])).toEqual({});
  expect(after([reach, 'volume'], [volume, 'volume'])).toEqual({});
  expect(after([url, 'leaveOut'], [url, 'named'])).toEqual({});
});

test('of two members with names for one meaning, the one that is chosen has it', () => {
  const two = [member('volume', 'volume'), member('sv', 'volume')];
  expect(meaningsOf(two, {})).toEqual(['volume', 'volume']);
  const chosen = correctedMap(two, {}, 1, 'volume');
  expect(meaningsOf(two, chosen)).toEqual(['keep', 'volume']);
});

// Shows P21.9.
test('after any corrections, the panel says what the reader of the server does', () => {
  const names = ['search_volume', 'sv', 'KD', 'Reach', 'Monthly', 'url', 'clicks', 'Intent', 'ctr'];
  const all = names.map((name) => {
    const field = fieldOf(name)?.name;
    const meaning = field === undefined ? 'keep' : (fieldMeanings.find((one) => one === field) ?? 'named');
    return member(name, meaning);
  });
  const step = fc
    .nat({ max: names.length - 1 })
    .chain((place) => fc.constantFrom(...memberOptions(all[place]!).map(({ value }) => [place, value] as const)));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const map = steps.reduce((last, [place, value]) => correctedMap(all, last, place, value), {} as FieldMap);
      const nameOf = namesBy(map);
      const shown = meaningsOf(all, map);
      for (const [at, { name }] of all.entries()) {
        const read = nameOf(name);
        const field = read === undefined ? undefined : fieldOf(read)?.name;
        if (shown[at] === 'leaveOut') expect(read).toBeUndefined();
        else if (shown[at] === 'keep') expect([read !== undefined, field]).toEqual([true, undefined]);
        else if (shown[at] === 'ctrPercent') expect(read).toBe('ctr (in percent)');
        else expect(field).toBe(shown[at] === 'named' ? 'url' : shown[at]);
      }
      const last = steps.at(-1);
      if (last) expect(shown[last[0]]).toBe(last[1]);
    }),
  );
});

test('a correction that hardly fits the values says so; what is right by its name is not doubted', () => {
  const texts = [
    member('Reach', 'keep', { known: 8, numbers: 1, intents: 3 }),
    member('volume', 'volume', { numbers: 0 }),
  ];
  const warnings = (map: FieldMap) => memberRows(texts, map).map(({ warning }) => warning);
  expect(warnings({})).toEqual([undefined, undefined]);
  expect(warnings({ Reach: 'cpc' })).toEqual(['Only 12 % of the values are numbers.', undefined]);
  expect(warnings({ Reach: 'intent' })).toEqual(['Only 37 % of the values are search intents.', undefined]);
  expect(warnings({ Reach: 'leaveOut' })).toEqual([undefined, undefined]);
});

test('click rates of at most 1 may be shares or percentages, unless clicks and impressions tell', () => {
  const warningOf = (greatest: number, map: FieldMap = {}, ...others: MemberSummary[]) =>
    memberRows([member('ctr', 'ctr', { greatest }), ...others], map)[0]!.warning;
  const question = 'In ctr, 0.07 may mean 7 % or 0.07 %, because no number is above 1. It is read as';
  expect(warningOf(0.07)).toBe(`${question} 7 %.`);
  expect(warningOf(0.07, { ctr: 'ctrPercent' })).toBe(`${question} 0.07 %.`);
  expect(memberOptions({ meaning: 'ctr' })).toContainEqual({ value: 'ctrPercent', label: 'CTR, in percent' });
  expect([warningOf(0), warningOf(3), warningOf(0.07, { ctr: 'keep' })]).toEqual([undefined, undefined, undefined]);
  const [clicks, impressions] = [member('clicks', 'clicks'), member('impressions', 'impressions')];
  expect(warningOf(0.07, {}, clicks, impressions)).toBeUndefined();
  expect(warningOf(0.07, {}, clicks)).toBeDefined();
  const hard = (greatest: number, fraction?: number) =>
    memberRows([member('KD', 'difficulty', { greatest, fraction })], {})[0]!.warning;
  const read = 'In KD, 0.9 may mean 90 % or 0.9 %, because no number is above 1. It is read as 90 %.';
  expect([hard(0.9, 0.9), hard(1, 0.9)]).toEqual([read, read]);
  expect([hard(1), hard(45, 0.9)]).toEqual([undefined, undefined]);
});

test('a row has the share of the entries with a known value', () => {
  expect(memberRows(members, {})[0]).toEqual({
    name: 'search_volume',
    meaning: 'volume',
    sample: '7',
    known: 0.5,
    warning: undefined,
  });
});

test('only members with a field of their own can be what their names say', () => {
  expect(memberOptions({ meaning: 'named' })[0]).toEqual({ value: 'named', label: 'As its name says' });
  const options = memberOptions({ meaning: 'keep' }).map(({ label }) => label);
  expect([options.length, options[0], options.at(-1)]).toEqual([fieldMeanings.length, 'Search volume', 'Leave out']);
});

test('a member that was given a meaning, or left out, is no longer listed as unrecognised', () => {
  const names = ['Reach', 'Monthly', 'Far below'];
  expect(stillUnrecognised(names, members, {})).toEqual(names);
  expect(stillUnrecognised(names, members, { Reach: 'volume' })).toEqual(['Monthly', 'Far below']);
  expect(stillUnrecognised(names, members, { Monthly: 'leaveOut' })).toEqual(['Reach', 'Far below']);
});
