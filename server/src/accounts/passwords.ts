import { isGuessable } from '@kc/rules/password-strength';
import { type Algorithm, hash as argonHash, verify as argonVerify, parseOptions } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';

/** argon2id, 19 MiB, two passes, one lane. The library's enum exists as a type only. Source: SECURITY.md, SEC-07. */
const cost = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const atOnce = 2;
const maxWaiting = 20;

/** Thrown when more hashing is requested than the server accepts. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

/** Hashes and verifies passwords, a few at a time: a flood of sign-ins delays its senders, not everyone. */
export type Passwords = {
  /** @throws HashingBusy */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches. Without a hash it takes as long and returns false.
   *
   * @param first goes ahead of all waiting calls that are not first: for known browsers
   * @throws HashingBusy
   */
  verify(stored: string | undefined, password: string, first?: boolean): Promise<boolean>;
  /** Whether a stored hash was computed at another cost than today's. */
  isOutdated(stored: string): boolean;
};

/**
 * Source: SECURITY.md, SEC-07, S5, REL-31.
 *
 * @param argon2 what hashes; tests pass one whose work ends when they say so
 */
export async function createPasswords({ hash, verify } = { hash: argonHash, verify: argonVerify }): Promise<Passwords> {
  const nobodys = await hash('nobody has this password', cost);
  const take = createGate();
  return {
    hash: (password) => take(() => hash(asCompared(password), cost)),
    verify: (stored, password, first) =>
      take(async () => (await verify(stored ?? nobodys, asCompared(password))) && stored !== undefined, first),
    isOutdated: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
    },
  };
}

/** Normalizes Unicode, so that different keyboards give the same password. Nothing is trimmed or cut. */
const asCompared = (password: string): string => password.normalize('NFC');

/** Runs two at a time and lets twenty wait, plus twenty more of those that go first. */
function createGate(): <T>(work: () => Promise<T>, first?: boolean) => Promise<T> {
  let running = 0;
  const others: (() => void)[] = [];
  const firsts: (() => void)[] = [];
  return async (work, first = false) => {
    if (running >= atOnce) {
      const waiting = first ? firsts : others;
      if (waiting.length >= maxWaiting) throw new HashingBusy('Too many passwords to hash');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = firsts.shift() ?? others.shift();
      if (next) next();
      else running--;
    }
  };
}

/** About 49,000 passwords found in breaches, in lower case. They are part of the package: the check needs no network. */
const breached: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Whether the server refuses a password because an attacker would guess it early. Source: SECURITY.md, S9. */
export function isWeak(password: string, email: string): boolean {
  return isGuessable(password, email, breached);
}
