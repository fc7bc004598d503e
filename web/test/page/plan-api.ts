import { type NodePath, pathAddresses } from '@kc/pack/plan/node-paths';
import {
  checkChange,
  coveredShare,
  deletedOwner,
  emptyFields,
  ownerAccount,
  ownerOf,
  type PlanChange,
  statusRank,
} from '@kc/rules/plan';
import { type FieldChange, type Marked, mergeChange, undoOf } from '@kc/rules/plan-merge';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { PackQueries } from '../../../server/src/visualizations/query/pack-queries.ts';
import type { Handlers } from './fake-api.ts';
import { serverSays } from './fake-events.ts';

type Entry = Marked & {
  readonly id: string;
  readonly kind: 'branch' | 'keyword';
  readonly rev: number;
  readonly path: NodePath;
  readonly addedAt: number;
};
type Change = FieldChange & {
  readonly entry: string;
  readonly rev: number;
  readonly at: number;
  readonly batch: string;
};
const shownOwner = (assignee: string): string => {
  const account = ownerAccount(assignee);
  return account === undefined ? assignee : nameOf(account);
};

/** A pack in which the plan is read. */
type Planned = { readonly packKey: string; readonly rootName: string };

/** Ann, and a colleague who may be an owner of entries. */
export const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'bob', name: 'Bob Miller' },
];
const nameOf = (account: string) => people.find(({ id }) => id === account)?.name ?? deletedOwner;

/**
 * Ann's plan of maps with the same root, with the server's rules for merging. Nobody else writes, nothing is suggested, and
 * no other plan is offered: a test about that replaces the call.
 *
 * @param packOf by the ID of a map
 * @param filterOf a filter of a map as the data engine takes it
 */
export function planOf(
  queries: PackQueries,
  packOf: (id: string) => Planned,
  filterOf: (id: string, filter: string | undefined) => string,
) {
  const entries = new Map<string, Entry>();
  const changes: Change[] = [];
  let revision = 0;
  let lead = 2;

  /** What the data engine asks about the plan. */
  function ranked() {
    const planned = [...entries.values()].filter(({ fields }) => fields.isPlanned);
    return {
      version: `plan ${revision}`,
      entries: planned.map(({ id, path, fields }) => ({ id, paths: [path], rank: statusRank(fields.status) })),
    };
  }

  async function shown(id: string, wanted: readonly Entry[]): Promise<PlanEntry[]> {
    const { packKey } = packOf(id);
    const asked = wanted.map((entry) => ({ id: entry.id, paths: [entry.path] }));
    const places = new Map((await queries.planPlaces({ packKey, entries: asked })).map((place) => [place.id, place]));
    return wanted.map(({ fields, marks, path, ...entry }) => {
      const place = places.get(entry.id);
      const account = ownerAccount(fields.assignee);
      return {
        ...fields,
        ...(account !== undefined && { assignee: nameOf(account), assigneeId: account }),
        ...entry,
        path: path.map(([name]) => name),
        keywords: place?.keywords ?? 0,
        ...(place && { node: place.address }),
        ...(place?.volume !== undefined && { volume: place.volume }),
        tags: [...fields.tags],
        marks: { ...marks } as PlanEntry['marks'],
        addedBy: 'ann',
      };
    });
  }

  /** Merges a change into each entry and answers as the server does. */
  async function write(id: string, batch: string, base: number, asked: readonly (readonly [Entry, PlanChange])[]) {
    const stamp = { rev: revision + 1, by: 'ann', at: Date.now() };
    const conflicts: { entry: string; field: string }[] = [];
    let isFull = false;
    for (const [entry, change] of asked) {
      const merged = mergeChange(entry, change, base, stamp);
      const { fields, marks } = merged;
      entries.set(entry.id, { ...entry, fields, marks, rev: merged.changes.length > 0 ? stamp.rev : entry.rev });
      changes.push(...merged.changes.map((one) => ({ ...one, entry: entry.id, batch, rev: stamp.rev, at: stamp.at })));
      conflicts.push(...merged.conflicts.map((field) => ({ entry: entry.id, field })));
      isFull ||= merged.isFull;
    }
    if (changes.at(-1)?.rev === stamp.rev) {
      revision = stamp.rev;
      serverSays('plans');
    }
    const named = asked.map(([entry]) => entries.get(entry.id)!);
    return { revision, entries: await shown(id, named), conflicts, isFull, people };
  }

  const api: Handlers = {
    'plans.read': async ({ id, since = 0 }) => {
      const changed = [...entries.values()].filter(({ rev }) => rev > since);
      return { revision, matching: 0, entries: await shown(id, changed), more: false, people, you: 'ann', lead };
    },
    'plans.change': async ({ id, batch, base, targets, set = {}, addTags = [], removeTags = [] }) => {
      const checked = checkChange({ set, addTags, removeTags } as PlanChange);
      if ('code' in checked) throw new Error(checked.code);
      const { change } = checked;
      const { packKey, rootName } = packOf(id);
      const addressOf = pathAddresses(rootName);
      const there = new Map([...entries.values()].map((entry) => [addressOf(entry.path), entry]));
      const nodes = targets.flatMap((target) => ('node' in target ? [target.node] : []));
      const facts = await queries.planFacts({ packKey, addresses: nodes });
      const added = { ...change, set: { ...change.set, isPlanned: change.set.isPlanned ?? true } };
      return write(id, batch, base, [
        ...targets.flatMap((target) => ('entry' in target ? [[entries.get(target.entry)!, change] as const] : [])),
        ...facts.map(({ address, kind, path }) => {
          const fresh = { id: `entry-${address}`, kind, path, rev: 0, addedAt: Date.now() };
          const entry = there.get(address) ?? { ...fresh, fields: { ...emptyFields, isPlanned: false }, marks: {} };
          return [entry, added] as const;
        }),
      ]);
    },
    'plans.undo': async ({ id, batch, undone }) => {
      const own = changes.filter((change) => change.batch === undone);
      const named = [...new Set(own.map(({ entry }) => entry))];
      const undo = (entry: string) => undoOf(own.filter((change) => change.entry === entry));
      return write(
        id,
        batch,
        revision,
        named.map((entry) => [entries.get(entry)!, undo(entry)] as const),
      );
    },
    'plans.move': async ({ id, moves }) => {
      const addresses = moves.map(({ node }) => node);
      const facts = await queries.planFacts({ packKey: packOf(id).packKey, addresses });
      const paths = new Map(facts.map(({ address, path }) => [address, path]));
      revision++;
      for (const { entry, node } of moves)
        entries.set(entry, { ...entries.get(entry)!, path: paths.get(node)!, rev: revision });
      serverSays('plans');
      const moved = moves.map(({ entry }) => entries.get(entry)!);
      return { revision, entries: await shown(id, moved), conflicts: [], isFull: false, people };
    },
    'plans.history': ({ entry }) => {
      const lines = changes.filter((change) => change.entry === entry).toReversed();
      return {
        lines: lines.map(({ rev, field, before, after, at }) => ({
          revision: rev,
          field,
          before: field === 'assignee' ? ownerOf(String(before)) : before,
          after: field === 'assignee' ? ownerOf(String(after)) : after,
          by: 'ann',
          at,
        })),
        people,
      };
    },
    'plans.totals': async ({ id, branch }) => {
      const { packKey } = packOf(id);
      return { revision, ...(await queries.planTotals({ packKey, ...ranked(), branch })) };
    },
    'plans.figures': async ({ id, filter }) => {
      const { packKey } = packOf(id);
      const found = await queries.planFigures({ packKey, filter: filterOf(id, filter), ...ranked() });
      return {
        revision,
        entries: found.map(({ id: entry, coverage, peak }) => {
          const covered = coveredShare(coverage);
          const volume = coverage.ofStatus.reduce((sum, one) => sum + one.volume, 0);
          return {
            entry,
            keywords: coverage.keywords,
            ...(coverage.volumeKnown > 0 && { volume }),
            ...(covered && { covered }),
            ...(peak >= 0 && { peak }),
          };
        }),
      };
    },
    'plans.people': () => ({ people }),
    'plans.links': async ({ id, entry }) => {
      const planned = ranked().entries.map((one) => ({
        ...one,
        primary: entries.get(one.id)!.fields.primaryKeyword,
      }));
      const links = await queries.planLinks({ packKey: packOf(id).packKey, entries: planned, entry });
      return { revision, ...(links && { links }) };
    },
    'plans.suggestions': () => ({ revision, suggestions: [], changed: [] }),
    'plans.lead': (input) => {
      lead = input.lead;
      return { lead };
    },
    'plans.offer': () => ({}),
  };
  return {
    api,
    ranked,
    /** What filters ask about fields of the plan. */
    fields: () =>
      [...entries.values()]
        .filter(({ fields }) => fields.isPlanned)
        .map(({ id, path, fields: { assignee, contentType, tags, due } }) => ({
          id,
          paths: [path],
          fields: { owner: shownOwner(assignee), content: contentType, tags, due },
        })),
  };
}
