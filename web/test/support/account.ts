import type { ListedAccount } from '@kc/rules/shapes';

/** An approved user who signed up, for tests; override what a test is about. */
export const account = (email: string, change: Partial<ListedAccount> = {}): ListedAccount => ({
  id: email,
  uniqueId: email,
  email,
  emailProven: false,
  displayName: '',
  role: 'user',
  status: 'approved',
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'system',
  isYou: false,
  isPrimaryAdmin: false,
  isSample: false,
  presence: 'offline',
  ...change,
});
