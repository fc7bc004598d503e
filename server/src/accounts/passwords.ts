import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes, one lane. The library's enum exists for types only. Source: security SEC-07. */
const cost = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const atOnce = 2;
const maxWaiting = 20;

/** More hashing is asked for than the server takes on. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

/** Hashes and checks passwords, a few at a time: a flood of sign-ins costs its senders time, not everybody else. */
export type Passwords = {
  /** @throws HashingBusy */
  hash(password: string): Promise<string>;
  /**
   * Whether this is the password; against no hash it takes as long and is always false.
   *
   * @param first before everybody who waits and is not: for somebody who was here before
   * @throws HashingBusy
   */
  verify(stored: string | undefined, password: string, first?: boolean): Promise<boolean>;
  /** Whether a stored hash was made at another cost than today's. */
  isOutdated(stored: string): boolean;
};

/** Source: security SEC-07, S5, REL-31. */
export async function createPasswords(): Promise<Passwords> {
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

/** The same letters typed on another keyboard are the same password; nothing is trimmed or cut. */
const asCompared = (password: string): string => password.normalize('NFC');

/** Lets two through at once and twenty wait, and twenty more of those who go first. */
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
