import { addressOf } from '@kc/pack/plan/node-paths';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import type { RawCall } from '../../../../test/page/fake-api.ts';
import { focus, follow, isGone, shows } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { openLink } from '../../../../test/page/open-link.tsx';

const cluster = (name: string) => ({
  name,
  type: 'cluster',
  children: [{ name: `${name} one`, type: 'keyword', volume: 10 }],
});
const chat: Upload = {
  keywords: [],
  hierarchy: { name: 'chat', type: 'root', children: ['Bots', 'Mail', 'Phone'].map(cluster) },
};
const nodeOf = (name: string) => addressOf('chat', [[name, 0]]);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const item = (name: string) => page.getByRole('menuitem', { name });

/** What was downloaded: the calls for files. */
function downloads() {
  const taken = vi.fn<(url: string) => void>();
  const take = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[download]');
    if (!link) return;
    event.preventDefault();
    const { pathname, searchParams } = new URL(link.href);
    taken(`${pathname}?${searchParams}`);
  };
  addEventListener('click', take);
  onTestFinished(() => removeEventListener('click', take));
  return taken;
}

/** The list of the plan with two of three clusters, and what copying asks the server for. */
async function openPlan() {
  const asked = vi.fn<(query: string) => void>();
  const briefs = ({ query }: RawCall) => {
    asked(query.toString());
    return new Response('# Bots\n');
  };
  await openExplorer(chat, {
    search: '?view=table&level=clusters',
    api: { 'GET /api/visualizations/{id}/briefs.md': briefs, 'GET /api/visualizations/{id}/outline.md': briefs },
  });
  const clusters = page.getByRole('grid', { name: 'Clusters of chat' });
  for (const name of ['Bots', 'Mail']) {
    const row = clusters.getByRole('row', { name: new RegExp(`\\b${name}\\b`) });
    await expect.element(row).toBeVisible();
    row.element().querySelector<HTMLElement>('[data-pick]')!.click();
  }
  await focus(clusters);
  await userEvent.keyboard('x');
  await shows('Added 2 entries to the plan.');
  return asked;
}

// Shows P24.20.
test('the brief of an entry is copied and downloaded from its editor, by keyboard', async () => {
  const asked = await openPlan();
  const copied = vi.spyOn(navigator.clipboard, 'write').mockImplementation(async ([one]) => {
    expect(await (await one!.getType('text/plain')).text()).toBe('# Bots\n');
  });
  await follow(`?panel=plan&sel=${nodeOf('Bots')}`);
  await focus(button('Brief…'));
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Copy as Markdown')).toBeVisible();
  expect(await violations()).toEqual([]);
  await item('Copy as Markdown').click();
  // plan/outline-copied
  await shows('Copied as Markdown.');
  expect(asked).toHaveBeenCalledExactlyOnceWith(`nodes=${nodeOf('Bots')}`);
  expect(copied).toHaveBeenCalledOnce();
  const taken = downloads();
  await button('Brief…').click();
  await item('Page to print (HTML)').click();
  await expect.poll(() => taken.mock.calls).toEqual([[`/api/visualizations/map/briefs.html?nodes=${nodeOf('Bots')}`]]);
});

test('the briefs of a selection are one file', async () => {
  await openPlan();
  await follow('?view=table&level=plan');
  const plan = page.getByRole('grid', { name: 'Plan of chat' });
  await expect.poll(() => plan.getByRole('row').elements().length).toBe(3);
  await focus(plan);
  await userEvent.keyboard('{Control>}a{/Control}');
  const taken = downloads();
  await button('Briefs…').click();
  await item('Markdown').click();
  await expect
    .poll(() => taken.mock.calls)
    .toEqual([[`/api/visualizations/map/briefs.md?nodes=${nodeOf('Bots')}.${nodeOf('Mail')}`]]);
});

test('when handing over, briefs are a format, and as many keywords are listed as was chosen', async () => {
  const asked = await openPlan();
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async ([one]) => void (await one!.getType('text/plain')));
  await button('Share').click();
  await item('Hand over…').click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  await isGone(dialog.getByRole('combobox', { name: 'Keywords of each entry' }));
  await dialog.getByText('Markdown', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Keywords of each entry' }).click();
  await page.getByRole('option', { name: 'The heaviest 50' }).click();
  await dialog.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect.poll(() => asked.mock.calls).toEqual([['top=50']]);
  await dialog.getByText('Briefs to print').click();
  await shows(/chat-briefs-[\d-]+\.html/);
  const href = new URL((dialog.getByRole('link', { name: 'Download' }).element() as HTMLAnchorElement).href);
  expect(href.pathname + href.search).toBe('/api/visualizations/map/briefs.html?top=50');
  expect(await violations()).toEqual([]);
});

test('visitors of a link have briefs if it lets them take files', async () => {
  const planned = [{ node: nodeOf('Bots'), set: { status: 'planned' } }];
  await openLink(chat, { planned, page: { withPlan: true, withDownloads: true }, search: '&panel=plan' });
  const taken = downloads();
  await button('Brief…').click();
  await item('Page to print (HTML)').click();
  await expect.poll(() => taken.mock.calls[0]?.[0]).toMatch(/^\/api\/shared\/[^/]+\/briefs\.html\?nodes=/);
  await openLink(chat, { planned, page: { withPlan: true, withDownloads: false }, search: '&panel=plan' });
  await shows('1 entry');
  await isGone(button('Brief…'));
});
