import { limits } from '@kc/rules/limits';
import fc from 'fast-check';
import * as admins from './admin-steps.ts';
import * as google from './google-steps.ts';
import * as own from './own-steps.ts';
import { type Name, names, passwords, type Start } from './start.ts';
import type { Step, TokenChoice } from './step.ts';

const maxSteps = 12;

const anybody = fc.constantFrom(...names);
const somebodyOrNobody = fc.oneof(
  { weight: 8, arbitrary: anybody },
  { weight: 1, arbitrary: fc.constantFrom('deleted', 'nobody') },
);
const anyPassword = fc.constantFrom(...passwords);
const mostly = fc.integer({ min: 0, max: 3 }).map((n) => n > 0);
const anyToken: fc.Arbitrary<TokenChoice> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('newest') },
  { weight: 1, arbitrary: fc.constant('earlier') },
  { weight: 1, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.constant('invented') },
);
const anyRole = fc.constantFrom('admin', 'user');
const anyWay = fc.constantFrom('force', 'records');

const anySub = fc.constantFrom('sub-1', 'sub-2', 'sub-3');
const toldOf = (name: fc.Arbitrary<Name>) => fc.record({ sub: anySub, name, verified: mostly, remember: fc.boolean() });

const times: readonly (readonly [string, number])[] = [
  ['a minute passes', 60_000],
  ['eleven minutes pass', 11 * 60_000],
  ['thirty-one minutes pass', 31 * 60_000],
  ['a day passes', limits.sessionMs],
  ['eight days pass', 8 * limits.sessionMs],
];

/** Steps that any user can try at any time. */
const singleSteps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(anybody, anybody, anyPassword).map((given) => own.signUp(...given)),
  fc.tuple(anybody, anybody, mostly, fc.boolean()).map((given) => own.signIn(...given)),
  fc.tuple(anybody, mostly, fc.boolean()).map(([by, ...given]) => own.signIn(by, by, ...given)),
  fc.tuple(anybody, toldOf(anybody)).map((given) => google.signInWithGoogle(...given)),
  fc.tuple(anybody, toldOf(fc.constantFrom('ann', 'heir'))).map((given) => google.signInWithGoogle(...given)),
  anybody.map(own.signOut),
  anybody.map(own.signOutEverywhere),
  fc.tuple(anybody, anyToken, anyPassword).map((given) => own.claim(...given)),
  fc.tuple(anybody, anybody).map((given) => own.requestReset(...given)),
  fc.tuple(anybody, anyToken, anyPassword).map((given) => own.resetPassword(...given)),
  anybody.map(own.requestVerification),
  fc.tuple(anybody, anyToken).map((given) => own.verifyEmail(...given)),
  anybody.map(own.fixAdminStatus),
  anybody.map(own.look),
  fc.constantFrom(...times).map((given) => own.passTime(...given)),
  fc.boolean().map(own.restart),
  fc.constant(own.printClaimLinks()),
  fc.tuple(anybody, mostly).map((given) => admins.stepUp(...given)),
  fc.tuple(anybody, anyToken).map((given) => admins.mintIdToken(...given)),
  fc
    .tuple(anybody, somebodyOrNobody, fc.constantFrom('pending', 'approved', 'denied'))
    .map(([by, target, status]) => admins.changeStanding(by, target, 'status', status)),
  fc
    .tuple(anybody, somebodyOrNobody, anyRole)
    .map(([by, target, role]) => admins.changeStanding(by, target, 'role', role)),
  fc.tuple(anybody, anybody, anyRole).map((given) => admins.createUser(...given)),
  fc.tuple(anybody, somebodyOrNobody, anyToken, anyWay).map((given) => admins.deleteAccount(...given)),
  fc.tuple(anybody, somebodyOrNobody).map((given) => admins.deleteLeftover(...given)),
  fc
    .tuple(anybody, fc.boolean(), fc.boolean(), fc.boolean(), mostly)
    .map(([by, open, auto, enforce, isFresh]) => admins.saveSettings(by, open, auto, enforce, !isFresh)),
  anybody.map(admins.cleanDuplicates),
  anybody.map(admins.listUsers),
];

/** Steps in the order in which a page makes them. Random choice alone would rarely produce that order. */
const journeys: readonly fc.Arbitrary<readonly Step[]>[] = [
  fc
    .tuple(anybody, somebodyOrNobody, anyWay)
    .map(([by, target, way]) => [
      admins.stepUp(by, true),
      admins.mintIdToken(by, 'newest'),
      admins.deleteAccount(by, target, 'newest', way),
    ]),
  fc
    .tuple(anybody, anybody, anyPassword)
    .map(([by, name, password]) => [own.requestReset(by, name), own.resetPassword(by, 'newest', password)]),
  fc
    .tuple(anybody, fc.boolean(), anyPassword)
    .map(([by, heirIsListed, password]) => [
      own.requestReset(by, 'heir'),
      own.restart(heirIsListed),
      own.resetPassword(by, 'newest', password),
    ]),
  fc.tuple(anybody, anyPassword).map(([by, password]) => [own.printClaimLinks(), own.claim(by, 'newest', password)]),
  fc
    .tuple(anybody, anyPassword)
    .map(([by, password]) => [
      own.signUp(by, by, password),
      own.signIn(by, by, true, false),
      own.verifyEmail(by, 'newest'),
    ]),
];

/** A user whose email changes, and a user who proves an email that another one signed in with unproven. */
const journeysByGoogle: readonly fc.Arbitrary<readonly Step[]>[] = [
  fc
    .tuple(anybody, toldOf(anybody), anybody, mostly)
    .map(([by, told, name, verified]) => [
      google.signInWithGoogle(by, told),
      google.signInWithGoogle(by, { ...told, name, verified }),
    ]),
  fc
    .tuple(anybody, anybody, toldOf(anybody), anyPassword)
    .map(([by, owner, told, password]) => [
      google.signInWithGoogle(by, { ...told, verified: false }),
      own.requestReset(owner, told.name),
      own.resetPassword(owner, 'newest', password),
      google.signInWithGoogle(by, { ...told, verified: false }),
    ]),
];

const standing = fc.constantFrom('pending', 'approved', 'denied', 'absent');
const starts: fc.Arbitrary<Start> = fc.record({
  claimed: fc.boolean(),
  crew: fc.boolean(),
  ann: standing,
  ben: standing,
  heir: standing,
});

export type History = { readonly start: Start; readonly steps: readonly Step[] };

const parts = fc.oneof(
  { weight: singleSteps.length, arbitrary: fc.oneof(...singleSteps).map((step) => [step]) },
  { weight: journeys.length, arbitrary: fc.oneof(...journeys, ...journeysByGoogle) },
);

/** Up to {@link maxSteps} steps by any users, from any start. */
export const histories: fc.Arbitrary<History> = fc.record({
  start: starts,
  steps: fc.array(parts, { maxLength: maxSteps, size: 'max' }).map((chosen) => chosen.flat().slice(0, maxSteps)),
});

export const tell = ({ start, steps }: History): string =>
  [JSON.stringify(start), ...steps.map(({ text }, n) => `${n + 1}. ${text}`)].join('\n');
