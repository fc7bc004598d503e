import {
  extendRange,
  moveCursor,
  type Picks,
  pickMore,
  rangeStart,
  rowsBetween,
  type Selection,
  toggleRow,
} from '../../../ui/row-selection.ts';

/** A node that can be ticked in the outline of a draft. */
export type Tick = {
  readonly address: string;
  /** The node type: `pillar_topic`, `cluster`, `subtopic`, `stray` or `keyword`. */
  readonly type: string;
  readonly name: string;
  readonly keywords: number;
};

/** The ticked nodes by address, and where Shift extends from. */
export type Ticks = Selection<string, Picks<string, Tick>>;

export const noTicks: Ticks = { cursor: undefined, picks: { rows: new Map() } };

const entryOf = (one: Tick) => [one.address, one] as const;

/** Ticks a node, or removes its tick. It becomes the start of the next range. */
export const toggled = (ticks: Ticks, one: Tick): Ticks => toggleRow(ticks, one.address, entryOf(one));

/**
 * Extends the range to a node, in the order of the list. If it did not begin in the list, it begins at the node.
 *
 * @param listed the nodes of the list, in order
 */
export function tickedTo(ticks: Ticks, listed: readonly Tick[], address: string): Ticks {
  const byAddress = new Map(listed.map(entryOf));
  if (!byAddress.has(address)) return ticks;
  const started = byAddress.has(rangeStart(ticks, address)) ? ticks : moveCursor(ticks, address);
  const range = rowsBetween([...byAddress.keys()], rangeStart(started, address), address);
  return extendRange(
    started,
    address,
    range.map((one) => [one, byAddress.get(one)!] as const),
  );
}

/** Ticks all of these as well. */
export const tickedAll = (ticks: Ticks, all: readonly Tick[]): Ticks => ({
  ...ticks,
  picks: pickMore(ticks.picks, all.map(entryOf)),
});

/** What has been ticked since there were these ticks. The next range begins anew. */
export const tickedSince = ({ cursor, picks }: Ticks, before: Ticks): Ticks => {
  const rows = new Map([...picks.rows].filter(([address]) => !before.picks.rows.has(address)));
  return rows.size === 0 ? noTicks : { cursor, picks: { rows } };
};

/** The node by its new address, if it has one. */
export const tickAt = (one: Tick, now: ReadonlyMap<string, string>): Tick => ({
  ...one,
  address: now.get(one.address) ?? one.address,
});

/** The same nodes by their new addresses. */
export function ticksAt({ cursor, picks, range }: Ticks, now: ReadonlyMap<string, string>): Ticks {
  const at = (address: string) => now.get(address) ?? address;
  const picksAt = ({ rows }: Ticks['picks']) => ({
    rows: new Map(Array.from(rows.values(), (one) => entryOf(tickAt(one, now)))),
  });
  return {
    cursor: cursor === undefined ? undefined : at(cursor),
    picks: picksAt(picks),
    range: range && { from: at(range.from), before: picksAt(range.before) },
  };
}

/** Whether each operation makes sense for a selection. */
export type Uses = {
  readonly merge: boolean;
  readonly split: boolean;
  readonly rename: boolean;
  readonly name: boolean;
  readonly lock: boolean;
  readonly move: boolean;
  readonly strays: boolean;
  readonly exclude: boolean;
};

/** The operations that make sense for these nodes. The server decides; this decides what is offered. */
export function usesOf(nodes: readonly Tick[]): Uses {
  const types = new Set(nodes.map(({ type }) => type));
  const isAny = nodes.length > 0 && !types.has('root');
  const hasOthers = types.size > 1 || !types.has('stray');
  const areTopics = isAny && [...types].every((type) => topicTypes.has(type));
  return {
    merge: areTopics && nodes.length > 1 && types.size === 1,
    split: nodes.length === 1 && (types.has('cluster') || types.has('pillar_topic') || types.has('subtopic')),
    rename: nodes.length === 1 && areTopics,
    name: areTopics,
    lock: areTopics,
    move: isAny && placeOf(nodes) !== undefined,
    strays: isAny && hasOthers,
    exclude: isAny && hasOthers,
  };
}

const topicTypes: ReadonlySet<string> = new Set(['pillar_topic', 'cluster', 'subtopic']);

/**
 * The node types that can take these nodes: pillar topics take clusters, clusters take subtopics, and every topic takes
 * keywords. Undefined if no place takes all of them.
 */
export function placeOf(nodes: readonly Tick[]): readonly string[] | undefined {
  const types = new Set(nodes.map(({ type }) => type));
  if (types.size !== 1) return undefined;
  if (types.has('cluster')) return ['pillar_topic'];
  if (types.has('subtopic')) return ['cluster'];
  return types.has('keyword') ? ['cluster', 'subtopic', 'pillar_topic'] : undefined;
}
