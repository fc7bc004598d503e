import * as z from 'zod/mini';
import { account, status } from './shapes.ts';

/** A preview of the clean-up of duplicate accounts. */
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
      /** The current administrator's own account, if it is not the one that is kept. */
      untouched: z.array(account),
      /** The status of the kept account afterwards. */
      statusAfter: status,
    }),
  ),
});
export type DuplicateReport = z.infer<typeof duplicateReport>;
