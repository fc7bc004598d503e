import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addressSays } from '../../test/page/in-explorer.ts';
import type { Upload } from '../../test/page/maps-api.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';

const shoes: Upload = {
  keywords: [
    { keyword: 'trail shoes', volume: 30 },
    { keyword: 'how to run', volume: 20 },
    { keyword: 'road shoes', volume: 10 },
    { keyword: 'what are shoes', volume: 5 },
    { keyword: 'idle shoes', volume: 4 },
  ],
  hierarchy: {
    name: 'shoes',
    children: [
      {
        name: 'running',
        type: 'cluster',
        children: ['trail shoes', 'how to run', 'road shoes'].map((name) => ({ name })),
      },
      { name: 'walking', type: 'cluster', children: ['what are shoes', 'idle shoes'].map((name) => ({ name })) },
    ],
  },
};

test('the chart is drawn', async () => {
  await openExplorer(shoes);
  const canvas = document.querySelector('canvas')!;
  const colours = () => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  };
  await expect.poll(colours).toBeGreaterThan(10);
});

test('a one-click filter is a chip, and the address stores it', async () => {
  await openExplorer(shoes);
  (page.getByRole('application').element() as HTMLElement).focus();
  await userEvent.keyboard('f');
  const panel = page.getByRole('complementary', { name: 'Filter' });
  await panel.getByRole('button', { name: 'Questions' }).click();
  const active = page.getByRole('region', { name: 'Active filters' });
  await expect.element(active.getByText('2 of 5 keywords')).toBeVisible();
  await addressSays('f', 'ask-en');
});

// Shows P15.16.
test('the levels of a map of a list include its subtopics', async () => {
  const group = (type: string, name: string, ...children: object[]) => ({ name, type, children });
  const keywords = ['fells', 'mud', 'tar'].map((keyword, at) => ({ keyword, volume: 30 - at }));
  const [fells, mud, tar] = keywords.map(({ keyword }) => ({ name: keyword, type: 'keyword' }));
  const shoes = group('cluster', 'shoes', group('subtopic', 'trail', fells!, mud!), group('subtopic', 'town', tar!));
  await openExplorer({ keywords, hierarchy: group('root', 'r', group('pillar_topic', 'running', shoes)) } as Upload);
  (page.getByRole('application').element() as HTMLElement).focus();
  await userEvent.keyboard('f');
  const panel = page.getByRole('complementary', { name: 'Filter' });
  for (const name of ['Pillars', 'Clusters'])
    await expect.element(panel.getByRole('radio', { name })).toBeInTheDocument();
  await expect.element(panel.getByRole('radio', { name: 'Subtopics' })).toBeChecked();
});
