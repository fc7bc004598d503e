import { defaultSettings } from '@kc/rules/settings';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Upload } from '../../test/page/maps-api.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';

const shoes: Upload = {
  keywords: [{ keyword: 'trail shoes', volume: 30 }],
  hierarchy: {
    name: 'shoes',
    children: [{ name: 'sports', children: [{ name: 'running', children: [{ name: 'trail shoes' }] }] }],
  },
};

const opens = async (search: string, depth: string, change: { autoExpand?: boolean } = {}) => {
  const { dataRefreshInterval, userImports, clientLinks } = defaultSettings;
  const settings = { defaultDepth: '3', autoExpand: true, dataRefreshInterval, userImports, clientLinks } as const;
  await openExplorer(shoes, { search, api: { 'settings.screen': () => ({ ...settings, ...change }) } });
  const radio = page.getByRole('group', { name: 'Depth' }).getByRole('radio', { name: depth, exact: true });
  await expect.element(radio).toBeChecked();
};

// Shows P11.7.
test('the explorer opens with the default depth, and a link with its own', async () => {
  await opens('', 'Auto');
  await opens('?d=1', '1');
});

test('without auto-expand a tree starts with one level, and the other views keep their depth', async () => {
  await opens('?view=tree', '1', { autoExpand: false });
  await opens('', '3', { autoExpand: false });
});
