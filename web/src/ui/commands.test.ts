import { expect, test } from 'vitest';
import { matchCommands } from './commands.ts';

const command = (title: string, group: string) => ({ id: title, title, group, run: () => undefined });
const commands = [
  command('Colour by Volume', 'Picture'),
  command('Sign Out', 'Do'),
  command('Sunburst', 'Picture'),
  command('Sign out everywhere', 'Do'),
];
const titles = (text: string) => matchCommands(commands, text).map(({ title }) => title);

test('prefixes of words match a command, in any order and case', () => {
  expect(titles('SIGN')).toEqual(['Sign Out', 'Sign out everywhere']);
  expect(titles('vol col')).toEqual(['Colour by Volume']);
  expect(titles('everywhere sig')).toEqual(['Sign out everywhere']);
  expect(titles('olume')).toEqual([]);
});

test('a group’s name matches all its commands, and no text matches every command, sorted by group', () => {
  expect(titles('pict')).toEqual(['Colour by Volume', 'Sunburst']);
  expect(titles('  ')).toEqual(['Colour by Volume', 'Sunburst', 'Sign Out', 'Sign out everywhere']);
});
