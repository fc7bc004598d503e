import {
  deletedOwner,
  leadMonths,
  type Owner,
  type PlanChangeRequest,
  type PlanField,
  publishBy,
} from '@kc/rules/plan';
import type { PlanAnswer, PlanEntry, PlanFigures, PlanPage, PlanPerson } from '@kc/rules/plan-shapes';
import { defaultPlanSort, listedEntries } from './plan-list.ts';

/** The target of a write: an entry, or a node that becomes one. */
export type PlanTarget = { readonly entry: string } | { readonly node: string };

/** A write, as the server takes it. Its batch makes a repeated request harmless. */
export type PlanWrite =
  | {
      readonly kind: 'change';
      readonly batch: string;
      readonly base: number;
      readonly targets: readonly PlanTarget[];
      readonly set: PlanChangeRequest['set'];
      readonly addTags: readonly string[];
      readonly removeTags: readonly string[];
    }
  | { readonly kind: 'undo'; readonly batch: string; readonly undone: string }
  | { readonly kind: 'move'; readonly batch: string; readonly moves: readonly { entry: string; node: string }[] };

/** A field that keeps the value of somebody else, and the value that this page sent. */
type PlanConflict = { readonly field: PlanField; readonly ownValue: unknown };

/**
 * The plan as a page shows it: the newest responses of the server, and the pending writes.
 *
 * Writes are sent one at a time, in their order. `entries` contains only data from the server.
 */
export class PlanState {
  /** By ID. Removed entries are among them. */
  readonly entries: ReadonlyMap<string, PlanEntry> = new Map();
  readonly revision: number = 0;
  readonly matching: number = 0;
  /** Names of accounts by ID. */
  readonly people: ReadonlyMap<string, string> = new Map();
  readonly you: string = '';
  /** Months between publishing a page and the peak that it is for. */
  readonly lead: number = leadMonths;
  readonly isLoaded: boolean = false;
  readonly failure: unknown;
  readonly pendingWrites: readonly PlanWrite[] = [];
  /** Whether the last request got no answer. Its write stays first, and is sent again. */
  readonly isLost: boolean = false;
  /** By entry. */
  readonly conflicts: ReadonlyMap<string, readonly PlanConflict[]> = new Map();
  /** Entries that somebody else has just changed, and who. */
  readonly recentWriters: ReadonlyMap<string, string> = new Map();
}

/** Before anything is loaded. */
export const noPlan: PlanState = { ...new PlanState() };

/** Whether a page was read with other nodes than the entries that are here, so that all have to be read again. */
export const needsAll = (state: PlanState, { matching }: PlanPage): boolean =>
  (state.isLoaded || state.revision > 0) && state.matching !== matching;

/** The state with a page of changed entries. */
export function withPage(state: PlanState, page: PlanPage): PlanState {
  const entries = new Map(state.entries);
  const recentWriters = new Map(state.recentWriters);
  for (const entry of page.entries) {
    const writer = state.isLoaded ? lastWriter(entry, state.revision) : undefined;
    if (writer !== undefined && writer !== page.you) recentWriters.set(entry.id, writer);
    keepNewest(entries, entry);
  }
  const { revision, matching, you, lead } = page;
  const people = withPeople(state.people, page.people);
  return {
    ...state,
    entries,
    people,
    recentWriters,
    revision,
    matching,
    you,
    lead,
    failure: undefined,
    isLoaded: !page.more || state.isLoaded,
  };
}

/** The state after everything was read again. What a write has answered since then is newer, and stays. */
export function withAll(state: PlanState, all: PlanState): PlanState {
  const { pendingWrites, conflicts, isLost, recentWriters } = state;
  const newer = [...state.entries].filter(([, { rev }]) => rev > all.revision);
  const people = new Map([...state.people, ...all.people]);
  return {
    ...all,
    entries: new Map([...all.entries, ...newer]),
    people,
    pendingWrites,
    conflicts,
    isLost,
    recentWriters,
  };
}

/**
 * Answers to reads and to writes can arrive in another order than they were made in. An older one must not take away what
 * somebody has changed since: it would come back only with the next change of the entry.
 */
function keepNewest(entries: Map<string, PlanEntry>, entry: PlanEntry): void {
  const known = entries.get(entry.id);
  if (known === undefined || entry.rev >= known.rev) entries.set(entry.id, entry);
}

function lastWriter({ marks }: PlanEntry, since: number): string | undefined {
  const newest = Object.values(marks).reduce((last, mark) => (mark.rev > last.rev ? mark : last), {
    rev: since,
    by: '',
  });
  return newest.rev > since ? newest.by : undefined;
}

export const withPeople = (people: ReadonlyMap<string, string>, added: readonly PlanPerson[]) =>
  new Map([...people, ...added.map(({ id, name }) => [id, name] as const)]);

/** The state with another write at the end of the line. */
export const withWrite = (state: PlanState, write: PlanWrite): PlanState => ({
  ...state,
  pendingWrites: [...state.pendingWrites, write],
});

/**
 * The state after the answer to the first waiting write. The revision stays: what others have changed in between is
 * still to be read.
 */
export function withAnswer(state: PlanState, answer: PlanAnswer): PlanState {
  const [write, ...pendingWrites] = state.pendingWrites;
  if (!write) return state;
  const entries = new Map(state.entries);
  for (const entry of answer.entries) keepNewest(entries, entry);
  const conflicts = new Map(state.conflicts);
  if (write.kind === 'change') {
    for (const { id } of answer.entries) {
      const remaining = (conflicts.get(id) ?? []).filter(
        ({ field }) => write.set[field as keyof typeof write.set] === undefined,
      );
      const newConflicts = answer.conflicts.flatMap(({ entry, field }): PlanConflict[] =>
        entry === id ? [{ field: field as PlanField, ownValue: write.set[field as keyof typeof write.set] }] : [],
      );
      const own = [...remaining, ...newConflicts];
      if (own.length > 0) conflicts.set(id, own);
      else conflicts.delete(id);
    }
  }
  return {
    ...state,
    entries,
    conflicts,
    pendingWrites,
    isLost: false,
    people: withPeople(state.people, answer.people),
  };
}

/** The state after the first waiting write was refused. */
export const withoutWrite = (state: PlanState): PlanState => ({
  ...state,
  pendingWrites: state.pendingWrites.slice(1),
  isLost: false,
});

/** The state without a conflict: the other value is kept. */
export function withoutConflict(state: PlanState, entry: string, field: PlanField): PlanState {
  const conflicts = new Map(state.conflicts);
  const remaining = (conflicts.get(entry) ?? []).filter((conflict) => conflict.field !== field);
  if (remaining.length > 0) conflicts.set(entry, remaining);
  else conflicts.delete(entry);
  return { ...state, conflicts };
}

/** An entry as the page shows it: with the values of writes that wait. */
export function shownEntry(state: PlanState, id: string): PlanEntry | undefined {
  const entry = state.entries.get(id);
  return (
    entry &&
    state.pendingWrites.reduce(
      (shown, write) => (isTarget(write, id) ? applyWrite(shown, write, state.people) : shown),
      entry,
    )
  );
}

/** Fields of an entry that are not saved yet. */
export function pendingFields(state: PlanState, id: string): ReadonlySet<string> {
  const fields = state.pendingWrites.flatMap((write) =>
    write.kind === 'change' && isTarget(write, id)
      ? [...Object.keys(write.set), ...(write.addTags.length + write.removeTags.length > 0 ? ['tags'] : [])]
      : [],
  );
  return new Set(fields);
}

const isTarget = (write: PlanWrite, id: string): boolean =>
  write.kind === 'change' && write.targets.some((target) => 'entry' in target && target.entry === id);

function applyWrite(entry: PlanEntry, write: PlanWrite, people: PlanState['people']): PlanEntry {
  if (write.kind !== 'change') return entry;
  const tags = [...entry.tags.filter((tag) => !write.removeTags.includes(tag)), ...write.addTags];
  const { assignee: owner, ...set } = write.set;
  const shown = { ...entry, ...set, tags: [...new Set(tags)].sort() } as PlanEntry;
  return owner === undefined ? shown : withOwner(shown, owner, people);
}

function withOwner(entry: PlanEntry, owner: Owner, people: PlanState['people']): PlanEntry {
  const { assigneeId: _, ...others } = entry;
  if (typeof owner === 'string') return { ...others, assignee: owner };
  return { ...others, assignee: people.get(owner.account) ?? deletedOwner, assigneeId: owner.account };
}

/** All entries as shown; those in the plan, by volume, then by path. Entries whose volume is unknown come last. */
export function plannedEntries(state: PlanState): PlanEntry[] {
  const pendingIds = new Set(
    state.pendingWrites.flatMap((write) =>
      write.kind === 'change' ? write.targets.flatMap((target) => ('entry' in target ? [target.entry] : [])) : [],
    ),
  );
  const all = [...state.entries.values()].map((entry) =>
    pendingIds.has(entry.id) ? shownEntry(state, entry.id)! : entry,
  );
  return listedEntries(
    all.filter(({ isPlanned }) => isPlanned),
    defaultPlanSort,
  );
}

export const removedEntries = (state: PlanState): PlanEntry[] =>
  [...state.entries.values()]
    .filter(({ id }) => shownEntry(state, id)?.isPlanned === false)
    .sort((one, other) => (other.marks.isPlanned?.at ?? 0) - (one.marks.isPlanned?.at ?? 0));

/** The entry at a node, in the plan or on its way into it. */
export function entryAtNode(state: PlanState, node: string): PlanEntry | undefined {
  for (const entry of state.entries.values()) {
    if (entry.node === node && shownEntry(state, entry.id)?.isPlanned) return shownEntry(state, entry.id);
  }
  return undefined;
}

/** When entries are due: all in one month, or each so many months before its next peak. */
export type DueValue =
  | { readonly kind: 'month'; readonly month: string }
  | { readonly kind: 'publish'; readonly lead: number };

/**
 * In which of the twelve months of the trends each target is searched most. Targets that are not in the plan yet, or have no
 * clear season, are left out.
 */
export function peaksOfTargets(
  targets: readonly PlanTarget[],
  entries: readonly Pick<PlanEntry, 'id' | 'node'>[],
  figures: PlanFigures['entries'],
): ReadonlyMap<PlanTarget, number> {
  const peakOf = new Map(figures.map(({ entry, peak }) => [entry, peak]));
  const idAt = new Map(entries.map(({ id, node }) => [node, id]));
  return new Map(
    targets.flatMap((target) => {
      const id = 'entry' in target ? target.entry : idAt.get(target.node);
      const peak = id === undefined ? undefined : peakOf.get(id);
      return peak === undefined ? [] : [[target, peak] as const];
    }),
  );
}

/**
 * A change of targets whose due months differ: a group for each month, and one for those that keep theirs.
 *
 * @param newest the last of the twelve months; months are as in `2026-04`
 * @param current the month of today
 */
export function dueGroups(
  targets: readonly PlanTarget[],
  change: PlanChangeRequest,
  peaks: ReadonlyMap<PlanTarget, number>,
  { newest, current, lead }: { readonly newest: string; readonly current: string; readonly lead: number },
): { readonly targets: readonly PlanTarget[]; readonly change: PlanChangeRequest }[] {
  const { due: _, ...set } = change.set;
  const byMonth = new Map<string, PlanTarget[]>();
  for (const target of targets) {
    const peak = peaks.get(target);
    const month = peak === undefined ? '' : publishBy(peak, newest, current, lead);
    const group = byMonth.get(month);
    if (group) group.push(target);
    else byMonth.set(month, [target]);
  }
  return [...byMonth]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, group]) => ({
      targets: group,
      change: { ...change, set: month === '' ? set : { ...set, due: month } },
    }));
}

/** A name for one state of a plan, and the text of each entry with a node that the map depends on, by ID. */
export type PlanStamp = { readonly stamp: string; readonly texts: ReadonlyMap<string, string> };

/** The fields of an entry that the map depends on, as a text. */
type EntryText = (entry: PlanEntry) => string;
export const statusText: EntryText = ({ status }) => status;
/** The fields that a filter can name. */
export const fieldsText: EntryText = ({ assignee, contentType, tags, due }) =>
  JSON.stringify([assignee, contentType, tags, due]);

/**
 * The name of the state of a plan as far as the map depends on it. It stays the same as long as the texts do,
 * whatever else is written. Undefined until the plan is loaded.
 */
export function planStampOf(
  { entries, isLoaded, revision, matching }: PlanState,
  before: PlanStamp | undefined,
  textOf: EntryText,
): PlanStamp | undefined {
  if (!isLoaded) return before;
  const texts = new Map<string, string>();
  // Answers to own writes come before the revision that they made is read.
  let newest = revision;
  for (const entry of entries.values()) {
    const { id, isPlanned, node, rev } = entry;
    newest = Math.max(newest, rev);
    if (isPlanned && node !== undefined) texts.set(id, `${node} ${textOf(entry)}`);
  }
  if (before && areEqual(before.texts, texts)) return before;
  return { stamp: `${newest}.${matching}`, texts };
}

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false;
  for (const [id, text] of one) if (other.get(id) !== text) return false;
  return true;
}
