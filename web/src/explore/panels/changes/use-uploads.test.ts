import { expect, test } from 'vitest';
import { directionText, isNewer, uploadMoment, uploadMoments } from './use-uploads.ts';

const upload = (name: string, date: number) => ({ rootName: name, uploadDate: date });
const may = upload('may.json', new Date(2026, 4, 1, 9, 41).getTime());
const later = upload('later.json', new Date(2026, 4, 1, 16, 5).getTime());

test('both uploads of a comparison are named with date and time, and which is the older one', () => {
  const plain = (text: string) => text.replaceAll(/\s/gu, ' ');
  expect(plain(directionText(may, later))).toBe(
    'From may.json of May 1, 2026, 09:41 AM (older) to later.json of May 1, 2026, 04:05 PM (newer, on the screen)',
  );
  expect(plain(directionText(later, may))).toContain(
    '04:05 PM (newer) to may.json of May 1, 2026, 09:41 AM (older, on',
  );
});

test('exports are named by their days, and the later one is the newer, whenever it was published', () => {
  const april = { ...later, rootName: 'drupal', exportedOn: '2026-04-30' };
  const march = { ...may, rootName: 'drupal', exportedOn: '2026-03-31', uploadDate: later.uploadDate + 1 };
  const plain = (text: string) => text.replaceAll(/\s/gu, ' ');
  expect(plain(directionText(march, april))).toMatch(
    /^From drupal, exported Mar 31, 2026, published .+ \(older\) to drupal, exported Apr 30, 2026, published .+ \(newer, on the screen\)$/,
  );
  expect(plain(uploadMoment(april))).toBe('the export of Apr 30, 2026');
  expect(plain(uploadMoments(april))).toBe('Exported Apr 30, 2026 · published May 1, 2026, 04:05 PM');
  expect([isNewer(april, march), isNewer(march, april)]).toEqual([true, false]);
  // The same export twice, and one beside a file whose day is unknown: by when they were published.
  expect(isNewer({ ...april, uploadDate: 2 }, { ...april, uploadDate: 1 })).toBe(true);
  expect(isNewer({ uploadDate: 2 }, { ...april, uploadDate: 1 })).toBe(true);
});
