import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalEmail } from '@kc/rules/account';

/**
 * Distinguishes browsers that have signed in with an email before from those that have not. A person who guesses
 * passwords from many addresses can then lock the owner out of new browsers at most. The cookie grants no access and is
 * worthless for another email. Nothing is stored here.
 *
 * Source: SECURITY.md, T7, REL-31; OWASP, "Slow Down Online Guessing Attacks with Device Cookies";
 * docs/decisions/017-device-cookies-for-sign-in-limits.md
 */
type KnownDevices = {
  /** The cookie for a browser in which this email has just signed in. */
  mark(email: string): string;
  /** The device's name, by which its attempts are counted; `undefined` if it is unknown for this email. */
  nameFor(email: string, mark: string | undefined): string | undefined;
};

/** @param secret this server's key; all replicas have the same one */
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
      const received = Buffer.from(sealed, 'base64url');
      const own = seal(name, email);
      return received.length === own.length && timingSafeEqual(received, own) ? name : undefined;
    },
  };
}
