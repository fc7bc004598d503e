import { expect, test } from 'vitest';
import { copied } from './row-actions.ts';

test('the toast says what was copied', async () => {
  const board: string[] = [];
  const copy = async (text: string) => void board.push(text);
  expect(await copied('ann@example.com', 'email', copy)).toBe('Email copied');
  expect(await copied('u1', 'id', copy)).toBe('Id copied');
  expect(board).toEqual(['ann@example.com', 'u1']);
});

test('a browser that refuses clipboard access is reported', async () => {
  const refuse = () => Promise.reject(new Error('NotAllowedError'));
  expect(await copied('u1', 'id', refuse)).toBe('The browser does not allow copying here');
  expect(await copied('u1', 'id')).toBe('The browser does not allow copying here');
});
