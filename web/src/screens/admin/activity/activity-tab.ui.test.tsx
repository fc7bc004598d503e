import type { ActivityLine } from '@kc/rules/admin-shapes';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../../test/page/fake-api.ts';
import { accountsOf, openDashboard } from '../../../../test/page/open-users.tsx';

let written = 100;
const line = (change: Partial<ActivityLine>): ActivityLine => ({
  id: written--,
  at: 0,
  actor: 'ann@example.com',
  target: 'ann@example.com',
  actorId: 'ann',
  targetId: 'ann',
  actorDeleted: false,
  targetDeleted: false,
  kind: 'settings',
  result: 'ok',
  details: {},
  ...change,
});
const row = (name: RegExp) => page.getByRole('row', { name });
const signUp = (name: string) =>
  line({
    kind: 'sign-up',
    actor: `${name}@example.com`,
    target: `${name}@example.com`,
    details: { status: 'approved' },
  });

// Shows P12.2.
test('shows who did what, filters, pages and is downloaded', async () => {
  const list = vi.fn(({ kind, before }: { kind?: string | undefined; before?: unknown }) =>
    kind === 'sign-up'
      ? { lines: [signUp('late')] }
      : before === undefined
        ? { lines: [line({ kind: 'settings' })], next: 99 }
        : { lines: [line({ kind: 'claim' })] },
  );
  await openDashboard('/admin?tab=activity', { ...accountsOf().api, 'activity.list': list });
  await expect.element(row(/ann@example\.com Changed the settings/)).toBeVisible();
  await page.getByRole('button', { name: 'Show older' }).click();
  await expect.element(row(/Claimed a built-in account/)).toBeVisible();
  await expect.element(row(/Changed the settings/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Show older' })).not.toBeInTheDocument();

  await page.getByRole('combobox', { name: 'Kind of activity' }).click();
  await page.getByRole('option', { name: 'Signed up' }).click();
  await page.getByLabelText('Search activity').fill('LATE@');
  await expect.poll(() => list.mock.lastCall![0]).toEqual({ kind: 'sign-up', text: 'LATE@' });
  await expect.element(row(/late@example\.com/).getByText('status: approved')).toBeVisible();
  await expect.element(row(/Changed the settings/)).not.toBeInTheDocument();
  const download = page.getByRole('link', { name: 'Download CSV' });
  await expect.element(download).toHaveAttribute('href', '/api/activity.csv?kind=sign-up&text=LATE%40');
  await expect.element(download).toHaveAttribute('download');
});

// Shows P12.2.
test('an act on many accounts is one entry with their number, which opens', async () => {
  const lines = Array.from({ length: 30 }, (_, at) =>
    line({
      kind: 'status',
      at: 1_000_000 - 200 * at,
      target: `user-${at}@example.com`,
      targetId: `user-${at}`,
      details: { from: 'pending', to: 'approved' },
    }),
  );
  const others = [line({ kind: 'settings', at: 1_000_500 }), line({ kind: 'claim', at: 1 })];
  const list = () => ({ lines: [others[0]!, ...lines, others[1]!] });
  await openDashboard('/admin?tab=activity', { ...accountsOf().api, 'activity.list': list });
  const act = row(/Changed a status 30 accounts .*pending → approved/);
  await expect.element(act).toBeVisible();
  expect(page.getByRole('row').elements()).toHaveLength(4);
  const targets = page.getByRole('button', { name: '30 accounts' });
  await expect.element(targets).toHaveAttribute('aria-expanded', 'false');
  await targets.click();
  await expect.element(row(/user-29@example\.com/)).toBeVisible();
  expect(page.getByRole('row').elements()).toHaveLength(34);
  await targets.click();
  await expect.element(row(/user-29@example\.com/)).not.toBeInTheDocument();
});

test('the email of a deleted person leaves the activity when an admin says so', async () => {
  const email = 'gone@example.com';
  const gone = { target: email, targetId: 'b1c2d3e4-f5', targetDeleted: true };
  const deletion = { ...gone, kind: 'delete', details: { email, files: 0 } } as const;
  const forget = vi.fn(({ id }: { id: string }) => {
    const anonymous = { target: id, targetId: id, targetDeleted: true };
    const removal = line({ ...anonymous, kind: 'forget' });
    fakeApi({
      'activity.list': () => ({
        lines: [removal, line({ ...anonymous, kind: 'delete', details: { files: 0 } })],
      }),
    });
    return { lines: 2 };
  });
  await openDashboard('/admin?tab=activity', {
    ...accountsOf().api,
    'activity.list': () => ({ lines: [line(deletion), line({ ...gone, kind: 'create' })] }),
    'activity.forget': forget,
  });
  const deleted = row(/Deleted a user/);
  await expect.element(deleted.getByText(`${email} (deleted)`)).toBeVisible();
  await expect.element(row(/Created a user/).getByText(`${email} (deleted)`)).toBeVisible();
  // The button beside the details leaves them enough width.
  const details = deleted.getByTitle(/^email: gone@/).element();
  expect(details.getBoundingClientRect().width).toBeGreaterThanOrEqual(100);

  const question = page.getByRole('alertdialog');
  const remove = deleted.getByRole('button', { name: `Remove the email ${email}` });
  await remove.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(forget).not.toHaveBeenCalled();
  await remove.click();
  await question.getByRole('button', { name: 'Remove email' }).click();
  await expect
    .element(page.getByText('The email was removed from the activity. Earlier backups still contain it.'))
    .toBeVisible();
  expect(forget).toHaveBeenCalledExactlyOnceWith({ id: 'b1c2d3e4-f5' });
  await expect.element(row(/Removed a deleted email/)).toBeVisible();
  await expect.element(deleted.getByText('a deleted account (b1c2d3e4)')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  expect(document.body.textContent).not.toContain(email);
  await expect.element(deleted.getByRole('button')).not.toBeInTheDocument();
});
