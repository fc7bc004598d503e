import { limits } from '@kc/rules/limits';
import type { ListedAccount } from '@kc/rules/shapes';
import { vi } from 'vitest';
import { account } from '../support/account.ts';
import { runFor, startClock, stopClock } from './clock.ts';
import type { Handlers } from './fake-api.ts';
import { openApp } from './open-app.tsx';

/** The administrator at the screen: `ann@example.com`, as in every session of the tests. */
export const ann = account('ann@example.com', { id: 'ann', role: 'admin', isYou: true });

/** An account `name@example.com`; later ones are newer. */
export const person = (name: string, change: Partial<ListedAccount> = {}): ListedAccount =>
  account(`${name}@example.com`, { id: name, uniqueId: name, displayName: name, createdAt: ++made, ...change });
let made = 0;

/** A server's accounts, with the calls that list and change them. Rules are the server's; here every change succeeds. */
export function accountsOf(...people: readonly ListedAccount[]) {
  let accounts: readonly ListedAccount[] = [ann, ...people];
  const change = ({ id, ...changed }: { id: string } & Partial<Pick<ListedAccount, 'status' | 'role'>>) => {
    accounts = accounts.map((one) => (one.id === id ? { ...one, ...changed } : one));
    return accounts.find((one) => one.id === id)!;
  };
  const api = {
    'quotas.get': vi.fn(() => ({
      visualizations: { used: 0, byDefault: 5 },
      storageMb: { used: 0, byDefault: 3_200 },
      own: { visualizations: null, storageMb: null },
    })),
    'accounts.list': vi.fn(() => [...accounts]),
    'accounts.setStatus': vi.fn(change),
    'accounts.setRole': vi.fn(change),
    'accounts.changeMany': vi.fn(async ({ changes }: { changes: readonly Parameters<typeof change>[0][] }) => ({
      results: changes.map((one) => ({ account: change(one) })),
    })),
  };
  return {
    api,
    add: (one: ListedAccount) => {
      accounts = [...accounts, one];
    },
    statusOf: (name: string) => accounts.find(({ id }) => id === name)?.status,
  };
}

/** Opens the dashboard for Ann. The list of users comes after a pause, which nobody waits for here. */
export async function openDashboard(path: string, api: Handlers): Promise<void> {
  stopClock(Date.now());
  await openApp(path, { as: 'admin', api });
  await vi.waitUntil(() => document.querySelector('main h2'), { timeout: 60_000 });
  await runFor(limits.userListDelayMs);
  startClock();
}
