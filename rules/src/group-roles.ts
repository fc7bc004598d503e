import type { BuiltInAdmins, Role, Status } from './account.ts';

/** Which groups of an identity provider give which rights here. */
export type GroupRoles = {
  /** The claim that names a person's groups: its own name, or a path with dots into an object. */
  readonly claim: string;
  /** Who is in one of these administers. */
  readonly admins: readonly string[];
  /** Who is in one of these, or in one of {@link admins}, needs no approval. */
  readonly users: readonly string[];
};

/** What the groups of a person make of an account. */
type StandingByGroups = {
  readonly role: Role;
  readonly status: Status;
  /** Whether it keeps the role of an administrator only because nobody else has it. */
  readonly isLast: boolean;
};

type Standing = { readonly email: string; readonly role: Role; readonly status: Status };

/**
 * Role and status after a sign-in. The role follows the groups: a person who left the administrators' groups, or of whom the
 * provider names no groups, is none any more. Three things stay: a built-in administrator's role, the role of the last
 * administrator, and a denial, which is an administrator's decision about this person.
 *
 * Without groups for administrators, roles are given here, not by the provider.
 *
 * Source: SECURITY.md, SEC-55
 *
 * @param groups as the provider names them; compared exactly
 * @param others whether another approved administrator remains
 */
export function standingByGroups(
  { email, role, status }: Standing,
  groups: readonly string[],
  { admins, users }: GroupRoles,
  others: boolean,
  builtInAdmins: BuiltInAdmins,
): StandingByGroups {
  const isIn = (some: readonly string[]): boolean => groups.some((group) => some.includes(group));
  const shouldAdminister = isIn(admins);
  const isVouchedFor = shouldAdminister || isIn(users);
  const nextStatus: Status = status === 'pending' && isVouchedFor ? 'approved' : status;
  const keepsRole = admins.length === 0 || builtInAdmins.has(email);
  if (keepsRole || shouldAdminister) return { role: keepsRole ? role : 'admin', status: nextStatus, isLast: false };
  const isLast = role === 'admin' && status === 'approved' && !others;
  return { role: isLast ? 'admin' : 'user', status: nextStatus, isLast };
}

const maxGroups = 1_000;
const maxGroupLength = 256;

/** The groups in the claims of a person; none if the claim is missing or is no list of texts. */
export function groupsIn(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : inside(claims, claim.split('.'));
  const list = typeof found === 'string' ? [found] : Array.isArray(found) ? found.slice(0, maxGroups) : [];
  return list.filter((group): group is string => typeof group === 'string' && group.length <= maxGroupLength);
}

function inside(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return inside((value as Readonly<Record<string, unknown>>)[name], rest);
}
