import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noTicks, type Tick, tickedAll, tickedTo, toggled, usesOf } from './ticks.ts';

const node = (address: string, type = 'cluster'): Tick => ({ address, type, name: address, keywords: 1 });
const list = ['a', 'b', 'c', 'd', 'e'].map((address) => node(address));
const ticked = (ticks: typeof noTicks) => [...ticks.picks.rows.keys()].sort().join('');

test('a second click removes the tick', () => {
  const once = toggled(noTicks, list[1]!);
  expect([ticked(once), ticked(toggled(once, list[1]!))]).toEqual(['b', '']);
});

test('Shift ticks everything from the last clicked row, and the range follows it in both directions', () => {
  const from = toggled(noTicks, list[2]!);
  expect(ticked(tickedTo(from, list, 'e'))).toBe('cde');
  expect(ticked(tickedTo(tickedTo(from, list, 'e'), list, 'a'))).toBe('abc');
});

test('without a row to start from, Shift ticks one row', () => {
  expect(ticked(tickedTo(noTicks, list, 'd'))).toBe('d');
  // The row to start from is no longer listed.
  expect(ticked(tickedTo(toggled(noTicks, node('z')), list, 'd'))).toBe('dz');
});

// Shows P22.2.
test('any clicks tick what counting them by hand ticks', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4)), (clicks) => {
      const ticks = clicks.reduce((now, at) => toggled(now, list[at]!), noTicks);
      const odd = list.filter((_, at) => clicks.filter((one) => one === at).length % 2 === 1);
      expect(ticked(ticks)).toBe(odd.map(({ address }) => address).join(''));
    }),
  );
});

test('matches are ticked in addition to what is ticked', () => {
  expect(ticked(tickedAll(toggled(noTicks, list[0]!), [list[0]!, list[4]!]))).toBe('ae');
});

test.each([
  { of: ['cluster', 'cluster'], can: 'merge name lock move strays exclude' },
  { of: ['cluster'], can: 'split rename name lock move strays exclude' },
  { of: ['pillar_topic'], can: 'split rename name lock strays exclude' },
  { of: ['pillar_topic', 'cluster'], can: 'name lock strays exclude' },
  { of: ['keyword', 'keyword'], can: 'move strays exclude' },
  { of: ['keyword', 'cluster'], can: 'strays exclude' },
  { of: ['keyword', 'cluster', 'stray'], can: 'strays exclude' },
  { of: ['stray'], can: '' },
  { of: ['root'], can: '' },
  { of: [], can: '' },
])('$of offers: $can', ({ of, can }) => {
  const uses = usesOf(of.map((type, at) => node(`${at}`, type)));
  expect(Object.keys(uses).filter((use) => uses[use as keyof typeof uses])).toEqual(can.split(' ').filter(Boolean));
});
