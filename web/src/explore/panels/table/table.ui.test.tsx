import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { shows } from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

/** Without the filter Plants have 840, Tools 500, Watering 150; with it Tools 50 and Watering 90. */
test.each([
  { search: '&f=has-garden', caption: 'Highest volume first', pillars: ['Watering', 'Tools'] },
  {
    search: '&f=has-garden&rest=faint',
    caption: 'Highest volume without the filter first',
    pillars: ['Tools', 'Watering', 'Plants'],
  },
])('the table says in which order its branches are: $caption', async ({ search, caption, pillars }) => {
  await openExplorer(garden, { search: `?view=table${search}` });
  await shows(caption);
  const names = () =>
    page
      .getByRole('row')
      .filter({ hasText: 'pillar topic' })
      .elements()
      .map((row) => pillars.find((name) => row.textContent.includes(name)));
  await expect.poll(names).toEqual(pillars);
});
