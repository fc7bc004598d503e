import { limits } from './limits.ts';

/** The kinds of events in the audit log, in the order of the filter. */
export const activityKinds = [
  'sign-up',
  'sign-in',
  'sign-out',
  'sign-out-everywhere',
  'claim',
  'reset-password',
  'verify-email',
  'link',
  'migrate',
  'email',
  'name',
  'step-up',
  'create',
  'status',
  'role',
  'quota',
  'delete',
  'delete-records',
  'delete-auth',
  'forget',
  'forget-activity',
  'admin-fix',
  'duplicate',
  'settings',
  'upload',
  'import',
  'publish',
  'take-over',
  'discard',
  'activate',
  'describe',
  'map-fields',
  'newest-month',
  'delete-visualization',
  'purge',
  'export',
  'share',
  'open-share',
  'end-share',
  'token',
  'token-address',
  'end-token',
  'webhook',
  'webhook-on',
  'webhook-off',
  'end-webhook',
  'backup',
  'restore',
  'refused',
  'rate-limit',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** `refused`: a rule refused it. `failed`: an error occurred, or the input was broken. */
export const activityResults = ['ok', 'refused', 'failed'] as const;
export type ActivityResult = (typeof activityResults)[number];

/** The accounts that a line names, as texts. */
type Named = {
  readonly actor: string;
  readonly actorId: string;
  readonly actorDeleted: boolean;
  readonly target: string;
  readonly targetId: string;
  readonly targetDeleted: boolean;
};

/**
 * The actor and the account concerned: "ann@example.com", "ann@example.com (deleted)", or "a deleted account
 * (3f2a19c0)" after the email was removed from the log.
 */
export function namesOf(line: Named): { readonly actor: string; readonly target: string } {
  return {
    actor: nameOf(line.actor, line.actorId, line.actorDeleted),
    target: nameOf(line.target, line.targetId, line.targetDeleted),
  };
}

function nameOf(name: string, id: string, deleted: boolean): string {
  if (!deleted) return name;
  return name === id ? `a deleted account (${id.slice(0, limits.idShownLength)})` : `${name} (deleted)`;
}

/** One line, or the lines of one act on several accounts, newest first. */
export type ActivityGroup<Line> = { readonly lines: readonly [Line, ...Line[]] };

type Grouped = {
  readonly at: number;
  readonly actorId: string;
  readonly targetId: string;
  readonly kind: ActivityKind;
  readonly result: ActivityResult;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Fewer lines are shown one by one. */
const fewestGrouped = 3;
/** The accounts of an act are changed one after the other, so its lines follow each other within this time. */
const groupedWithinMs = 10_000;

/**
 * Joins the lines of acts on many accounts at once: the same person did the same with the same result and details to other
 * accounts, each soon after the one before.
 *
 * @param lines newest first
 */
export function groupedActivity<Line extends Grouped>(lines: readonly Line[]): ActivityGroup<Line>[] {
  const groups: [Line, ...Line[]][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && isOfAct(line, group)) group.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group): ActivityGroup<Line>[] =>
    group.length < fewestGrouped ? group.map((line) => ({ lines: [line] })) : [{ lines: group }],
  );
}

function isOfAct(line: Grouped, group: readonly Grouped[]): boolean {
  const last = group.at(-1)!;
  return (
    line.kind === last.kind &&
    line.result === last.result &&
    line.actorId === last.actorId &&
    line.targetId !== line.actorId &&
    last.at - line.at <= groupedWithinMs &&
    detailsText(line.details) === detailsText(last.details) &&
    group.every(({ targetId }) => targetId !== line.targetId)
  );
}

/**
 * The details of a line other than actor and event, as one text: "pending → approved", "file: garden.json, upload:
 * 3f…".
 */
export function detailsText(details: Readonly<Record<string, unknown>>): string {
  const { from, to, ...rest } = details;
  const change = from !== undefined && to !== undefined ? [`${valueText(from)} → ${valueText(to)}`] : [];
  const others = change.length > 0 ? rest : details;
  return [...change, ...Object.entries(others).map(([name, value]) => `${name}: ${valueText(value)}`)].join(', ');
}

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(valueText).join(' ');
}
