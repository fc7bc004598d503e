import * as z from 'zod/mini';
import { route } from './contract-call.ts';

/** The emails that people can switch off. Those about their account itself are always sent. */
export const mailKinds = ['imports', 'assignments'] as const;
export type MailKind = (typeof mailKinds)[number];

const mailSettings = z.strictObject({
  /** What became of imports of somebody else, or of a program, for them. */
  imports: z.boolean(),
  /** The entries of plans that they were made the owner of. */
  assignments: z.boolean(),
});
export type MailSettings = z.infer<typeof mailSettings>;

/** Which emails a person gets. */
export const mails = {
  settings: route('GET', '/mail-settings', { who: 'approved', scope: 'read' }).output(mailSettings),
  changeSettings: route('PUT', '/mail-settings', { who: 'approved' }).input(mailSettings).output(mailSettings),
};
