import { expect, test } from 'vitest';
import { nextWords, waitingWords } from './space-button.tsx';

// Shows P3.8.
test('waiting words never repeat in a row', () => {
  for (const previous of waitingWords) {
    for (const random of [0, 0.25, 0.5, 0.75, 0.999]) expect(nextWords(previous, random)).not.toBe(previous);
  }
});

test('every waiting word can be the first', () => {
  const first = [0, 0.2, 0.4, 0.6, 0.8].map((random) => nextWords(undefined, random));
  expect(first).toEqual([...waitingWords]);
});

test('the waiting words are the specified ones', () => {
  expect(waitingWords).toEqual(
    expect.arrayContaining([
      'Your dude is getting ready',
      'Let me cook',
      'Firing up the engines',
      'Preparing your SEO magic',
      'Getting your data ready',
    ]),
  );
});
