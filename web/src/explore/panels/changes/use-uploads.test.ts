import { expect, test } from 'vitest';
import { directionText } from './use-uploads.ts';

const upload = (name: string, date: number) => ({ id: name, name, date, keywords: 1, description: '' });
const may = upload('may.json', new Date(2026, 4, 1, 9, 41).getTime());
const later = upload('later.json', new Date(2026, 4, 1, 16, 5).getTime());

test('both uploads of a comparison are named with date and time, and which is the older one', () => {
  const plain = (text: string) => text.replaceAll(/\s/gu, ' ');
  expect(plain(directionText(may, later))).toBe(
    'From may.json of May 1, 2026, 9:41 AM (older) to later.json of May 1, 2026, 4:05 PM (newer, on the screen)',
  );
  expect(plain(directionText(later, may))).toContain('4:05 PM (newer) to may.json of May 1, 2026, 9:41 AM (older, on');
});
