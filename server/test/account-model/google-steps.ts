import {
  beginSession,
  byEmail,
  closeWaysIn,
  endSession,
  endTokensOf,
  isListed,
  type Model,
  type ModelAccount,
  moveTo,
  newAccount,
} from './model.ts';
import { emailOf, type Name } from './start.ts';
import { browserOf, expectSame, type Step } from './step.ts';

/** The provider's claims about a user: a permanent subject, and an email that may belong to anyone. */
export type Told = {
  readonly sub: string;
  readonly name: Name;
  readonly verified: boolean;
  readonly remember: boolean;
};

/**
 * A user returns from the identity provider. The provider's response counts as verified here: other tests cover forged
 * responses, next to the code that reads them.
 */
export const signInWithGoogle = (by: Name, told: Told): Step => ({
  text: `${by} comes from Google as ${told.sub} with the ${told.verified ? '' : 'un'}verified email of ${told.name}`,
  kind: 'google',
  by,
  async run(model, world) {
    const browser = browserOf(world, by);
    const email = emailOf(told.name);
    const expected = arrive(model, told, email);
    const { code, accountId } = await world.identify(browser, { ...told, email });
    expectSame('Refused', code, typeof expected === 'string' ? expected : undefined);
    if (typeof expected === 'string' || accountId === undefined) return;
    const { account, made } = expected;
    if (made === 'migrated') moveTo(model, account, accountId);
    else if (made === 'created') model.accounts.push({ ...account, id: accountId });
    const signedIn = byEmail(model, account.email)!;
    expectSame('Account', accountId, signedIn.id);
    model.identities.set(told.sub, signedIn);
    endSession(model, browser.session);
    browser.session = beginSession(model, signedIn, told.remember);
  },
});

/** The account that a sign-in leads to. The server chooses the ID of a new one. */
type Arrival = { readonly account: ModelAccount; readonly made?: 'created' | 'migrated' };

function arrive(model: Model, { sub, verified }: Told, email: string): Arrival | string {
  const known = model.identities.get(sub);
  const holder = byEmail(model, email);
  if (known) return { account: comesAgain(model, known, verified ? email : undefined) };
  if (holder) {
    if (!verified) return 'sign-up/in-use';
    if (holder.proven) return { account: holder };
    if (isListed(model, holder)) return { account: claims(model, holder) };
    return { account: holder, made: 'migrated' };
  }
  const { open, auto, enforced } = model.settings;
  if (model.listed.has(email)) throw new Error('The account of a built-in admin is reserved always');
  if (enforced && !open) return 'sign-up/closed';
  if (!verified) model.queued.push({ kind: 'verify', email });
  const status = enforced && auto ? 'approved' : 'pending';
  return { account: newAccount({ id: '', email, status, proven: verified }), made: 'created' };
}

/** @param proven the user's current email, if the provider has verified it */
function comesAgain(model: Model, known: ModelAccount, proven: string | undefined): ModelAccount {
  if (proven === known.email) {
    if (!known.proven && isListed(model, known)) return claims(model, known);
    known.proven = true;
  } else if (
    proven !== undefined &&
    !byEmail(model, proven) &&
    !model.listed.has(proven) &&
    !isListed(model, known) &&
    known.status !== 'denied'
  ) {
    endTokensOf(model, known);
    Object.assign(known, { email: proven, proven: true });
  }
  return known;
}

function claims(model: Model, account: ModelAccount): ModelAccount {
  closeWaysIn(model, account);
  return Object.assign(account, { role: 'admin', status: 'approved', proven: true });
}
