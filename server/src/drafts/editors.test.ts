import { expect, test } from 'vitest';
import type { EditingProcess } from './editing-process.ts';
import { createEditors } from './editing-process.ts';

/** Editors whose processes only count: what has been started, and what has been ended. */
function countingEditors() {
  const started: (EditingProcess & { ended: boolean })[] = [];
  const editors = createEditors(0, () => {
    const process = {
      ended: false,
      send: async () => ({ kind: 'started' }) as const,
      get hasEnded() {
        return process.ended;
      },
      end() {
        process.ended = true;
      },
    };
    started.push(process);
    return process;
  });
  return { editors, running: () => started.filter(({ ended }) => !ended).length, started };
}
const isNew = async (_: EditingProcess, fresh: boolean): Promise<boolean> => fresh;

test('a draft keeps its process until it is forgotten, or the process has ended', async () => {
  const { editors, started, running } = countingEditors();
  expect(await editors.with('a', isNew)).toBe(true);
  expect(await editors.with('a', isNew)).toBe(false);
  editors.forget('a');
  expect(await editors.with('a', isNew)).toBe(true);
  started.at(-1)!.end();
  expect(await editors.with('a', isNew)).toBe(true);
  expect(running()).toBe(1);
  editors.stop();
  expect(running()).toBe(0);
});

test('of three drafts, the one that was changed longest ago loses its process', async () => {
  const { editors, running } = countingEditors();
  for (const draft of ['a', 'b', 'a', 'c']) await editors.with(draft, isNew);
  expect(running()).toBe(2);
  expect(await editors.with('a', isNew)).toBe(false);
  expect(await editors.with('b', isNew)).toBe(true);
  editors.stop();
});

test('a third draft waits while two are being changed, and takes the place of the first that is done', async () => {
  const { editors, running } = countingEditors();
  const ends: (() => void)[] = [];
  const busy = ['a', 'b'].map((draft) =>
    editors.with(draft, () => new Promise<void>((resolve) => void ends.push(resolve))),
  );
  let isThere = false;
  const third = editors.with('c', async () => {
    isThere = true;
    expect(running()).toBe(2);
  });
  await Promise.resolve();
  expect(isThere).toBe(false);
  ends[1]!();
  await third;
  expect(isThere).toBe(true);
  ends[0]!();
  await Promise.all(busy);
  expect(running()).toBe(2);
  editors.stop();
});
