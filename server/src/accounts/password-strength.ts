import { isGuessable } from '@kc/rules/password-strength';
import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 passwords found in breaches, in lower case. They are part of the package: the check needs no network. */
const breached: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Whether the server refuses a password because an attacker would guess it early. Source: SECURITY.md, S9. */
export function isWeak(password: string, email: string): boolean {
  return isGuessable(password, email, breached);
}
