import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../../test/page/open-app.tsx';
import type { ApiDocument } from './operations.ts';

const document = {
  paths: {
    '/api/admin-check/fix': {
      post: {
        tags: ['adminCheck'],
        'x-who': 'approved',
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: { updated: { type: 'boolean' } }, required: ['updated'] },
              },
            },
          },
        },
      },
    },
    '/healthz': { get: { tags: ['server'], 'x-who': 'anyone', responses: { 200: {} } } },
  },
} as unknown as ApiDocument;

// Shows P1.11.
test('the calls are listed, each with its access and shapes', async () => {
  await openApp('/docs', { api: { 'GET /api/openapi.json': () => Response.json(document) } });
  const call = page.getByRole('listitem').filter({ hasText: '/api/admin-check/fix' });
  await expect.element(call.getByText('approved')).toBeVisible();
  await call.getByText('/api/admin-check/fix').click();
  await expect.element(call.getByText(/updated: boolean/)).toBeVisible();
  await expect.element(page.getByText('/healthz')).toBeVisible();
  const guide = page.getByRole('link', { name: 'Automated imports' });
  await expect.element(guide).toHaveAttribute('href', '/guides/automation.txt');
});
