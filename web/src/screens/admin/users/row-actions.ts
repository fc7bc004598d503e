import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { copyText } from '../../../ui/copy-text.ts';
import type { Change, Plan } from './account-changes.ts';

/** What rows, cards and the drawer can do to an account. The same object for the lifetime of the tab. */
export type RowActions = {
  readonly change: (change: Change) => void;
  readonly changeAll: (plan: Plan) => void;
  /** Undoes the last change while its notice is shown. */
  readonly undo: () => void;
  readonly remove: (account: ListedAccount) => void;
  readonly open: (account: ListedAccount) => void;
  readonly upload: (account: ListedAccount) => void;
  readonly copy: (text: string, what: 'email' | 'id') => void;
};

/**
 * Copies a text to the clipboard.
 *
 * @param copy writes to the clipboard; rejects if it is not allowed
 * @returns the message to show
 */
export async function copied(text: string, what: 'email' | 'id', copy = copyText): Promise<string> {
  return copy(text).then(
    () => say(what === 'email' ? 'account/email-copied' : 'account/id-copied'),
    () => say('account/copy-refused'),
  );
}
