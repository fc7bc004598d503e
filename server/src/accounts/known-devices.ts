import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalEmail } from '@kc/rules/account';

/**
 * Tells a browser in which somebody signed in with an email before from one in which nobody did, so that who guesses at
 * an account from everywhere keeps its owner out of new browsers at most. What a browser has opens nothing; for another
 * email it is worth nothing. Nothing is kept here.
 *
 * Source: security T7, REL-31; OWASP, "Slow Down Online Guessing Attacks with Device Cookies";
 * docs/decisions/017-device-cookies-for-sign-in-limits.md
 */
export type KnownDevices = {
  /** What a browser in which this email just signed in keeps. */
  mark(email: string): string;
  /** The name of the device, by which its own tries are counted; `undefined` when it is not known for this email. */
  nameFor(email: string, mark: string | undefined): string | undefined;
};

/** @param secret the server's own; every replica has the same */
export function createKnownDevices(secret: string): KnownDevices {
  const seal = (name: string, email: string): Buffer =>
    createHmac('sha256', secret)
      .update(`known device: ${name} ${canonicalEmail(email)}`)
      .digest();
  return {
    mark(email) {
      const name = randomBytes(16).toString('base64url');
      return `${name}.${seal(name, email).toString('base64url')}`;
    },
    nameFor(email, mark = '') {
      const [name = '', sealed = ''] = mark.split('.');
      const given = Buffer.from(sealed, 'base64url');
      const own = seal(name, email);
      return given.length === own.length && timingSafeEqual(given, own) ? name : undefined;
    },
  };
}
