import { cheapHash } from '../support/passwords.ts';
import { isUsableAdmin, type Model, statusOf } from './model.ts';
import { type Name, names } from './start.ts';
import { ask, browserOf, expectSame, personAt, type Step } from './step.ts';
import type { AccountRecord, World } from './world.ts';

/** An account row, with the rights that its proven email adds. */
type ActorKind = { readonly record: AccountRecord; readonly admin: boolean; readonly status: AccountRecord['status'] };

/**
 * Watches the database from step to step. It checks who may be an admin or approved in the rows, not in the model. See
 * SECURITY.md, SEC-05 and SEC-06.
 */
export class Watch {
  #before: ReadonlyMap<string, ActorKind> = new Map();
  #hadAdmin = false;

  async begin(model: Model, world: World): Promise<void> {
    this.#before = standingsOf(await world.records(), model);
    this.#hadAdmin = [...this.#before.values()].some(({ admin }) => admin);
  }

  /** Runs a step and checks the result. @throws Error when a rule is broken */
  async through(step: Step, model: Model, world: World): Promise<void> {
    const actor = step.by && personAt(model, browserOf(world, step.by))?.id;
    const actorWasAdmin = actor !== undefined && this.#before.get(actor)?.admin === true;
    await step.run(model, world);
    const records = await world.records();
    const after = standingsOf(records, model);
    for (const standing of after.values()) {
      const before = this.#before.get(standing.record.id) ?? this.#predecessor(standing);
      const rise = riseOf(before, standing);
      if (rise && !isVouched(step, before, standing, actorWasAdmin, model)) {
        throw new Error(`${standing.record.email} ${rise} without a proof or an admin's act`);
      }
    }
    this.#keepOneAdmin(step, after);
    this.#before = after;
    expectSame('Accounts', records.map(recordKey).sort(), model.accounts.map(modelKey).sort());
    if (step.by) await expectSession(step.by, model, world);
  }

  /** Checks that no credential or cookie works that the model considers invalid. */
  async end(model: Model, world: World): Promise<void> {
    expectSame('Ways into old records', await world.waysIntoOldRecords(), 0);
    for (const name of names) await expectSession(name, model, world);
    for (const cookie of world.worthless()) expectSame('Old cookie', await world.accountBehind(cookie), undefined);
    world.setClock(model.now + 30_000);
    for (const cookie of world.worthless()) expectSame('Old cookie', await world.accountBehind(cookie), undefined);
  }

  /** The account that a new one replaced. More rights than that account had are a rise, and its denial carries over. */
  #predecessor({ record }: ActorKind): ActorKind | undefined {
    return record.migratedFrom === null ? undefined : this.#before.get(record.migratedFrom);
  }

  #keepOneAdmin(step: Step, after: ReadonlyMap<string, ActorKind>): void {
    const usable = [...after.values()].filter(
      ({ admin, record }) => admin && (record.password !== null || record.hasIdentity),
    );
    // The operator may remove the only admin's email from the list. And an admin who registered with another person's
    // email loses the account to the person who proves ownership of that email.
    const mayEnd = step.kind === 'restart' || step.kind === 'google';
    if (this.#hadAdmin && usable.length === 0 && !mayEnd) throw new Error('No usable admin is left');
    this.#hadAdmin = usable.length > 0;
  }
}

function standingsOf(records: readonly AccountRecord[], model: Model): ReadonlyMap<string, ActorKind> {
  return new Map(
    records.map((record) => {
      const crowned = record.proven && model.listed.has(record.email);
      const status = crowned ? 'approved' : record.status;
      return [record.id, { record, status, admin: status === 'approved' && (crowned || record.role === 'admin') }];
    }),
  );
}

/** The right that an account has gained. A role counts even before the account is approved. */
function riseOf(before: ActorKind | undefined, after: ActorKind): string | undefined {
  if (after.status === 'approved' && before?.status !== 'approved') return 'became approved';
  if (after.admin && !before?.admin) return 'became an admin';
  if (after.record.role === 'admin' && before?.record.role !== 'admin') return 'got the role of an admin';
  return before?.status === 'denied' && after.status !== 'denied' ? 'is denied no more' : undefined;
}

function isVouched(
  step: Step,
  before: ActorKind | undefined,
  { record, admin }: ActorKind,
  actorWasAdmin: boolean,
  model: Model,
): boolean {
  const listed = model.listed.has(record.email);
  const { enforced, open, auto } = model.settings;
  const policyApproves = before === undefined && !admin && record.role === 'user' && enforced && open && auto;
  switch (step.kind) {
    case 'claim':
      return listed && record.proven;
    case 'administration':
      return actorWasAdmin;
    case 'sign-up':
      return policyApproves;
    case 'google':
      return policyApproves || (listed && record.proven);
    case 'restart':
      return listed && record.proven;
    case 'fix':
      return listed && record.proven;
    default:
      return false;
  }
}

const recordKey = ({ id, email, role, status, proven, password }: AccountRecord): string =>
  [email, id, role, status, proven, password].join(' ');
const modelKey = ({ id, email, role, status, proven, password }: Model['accounts'][number]): string =>
  [email, id, role, status, proven, password && cheapHash(password)].join(' ');

async function expectSession(name: Name, model: Model, world: World): Promise<void> {
  if (!browserOf(world, name).cookie) return;
  const { answer, person } = await ask(model, world, name, 'GET', '/api/session');
  const { account, status, isAdmin } = answer.body as {
    account?: { id: string; emailProven: boolean };
    status?: string;
    isAdmin: boolean;
  };
  const known = person
    ? [person.id, person.proven, statusOf(model, person), isUsableAdmin(model, person)]
    : [undefined, undefined, undefined, false];
  expectSame(`The session of ${name}`, [account?.id, account?.emailProven, status, isAdmin], known);
}
