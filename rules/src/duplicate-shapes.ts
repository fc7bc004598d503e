import * as z from 'zod/mini';
import { account, status } from './shapes.ts';

/** What a clean-up of duplicate accounts would do. */
export const duplicateReport = z.object({
  /** Emails that have several accounts. */
  emails: z.number(),
  /** Accounts that would be marked as merged into another one. */
  merges: z.number(),
  /** The first emails in alphabetical order. */
  groups: z.array(
    z.object({
      email: z.string(),
      kept: account,
      merged: z.array(account),
      /** The asking admin's own account, where it is not the one that is kept. */
      untouched: z.array(account),
      /** Of the account that is kept, afterwards. */
      statusAfter: status,
    }),
  ),
});
export type DuplicateReport = z.infer<typeof duplicateReport>;
