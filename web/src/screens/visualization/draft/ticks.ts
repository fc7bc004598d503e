/** A node that can be ticked in the outline of a draft. */
export type Tick = {
  readonly address: string;
  /** The node type: `pillar_topic`, `cluster`, `subtopic`, `stray` or `keyword`. */
  readonly type: string;
  readonly name: string;
  readonly keywords: number;
};

/** The ticked nodes by address, and the row from which Shift extends. */
export type Ticks = { readonly nodes: ReadonlyMap<string, Tick>; readonly anchor: string | undefined };

export const noTicks: Ticks = { nodes: new Map(), anchor: undefined };

/** Ticks a node, or removes its tick. It becomes the start of the next range. */
export function toggled(ticks: Ticks, one: Tick): Ticks {
  const nodes = new Map(ticks.nodes);
  if (!nodes.delete(one.address)) nodes.set(one.address, one);
  return { nodes, anchor: one.address };
}

/**
 * Ticks everything from the anchor to a node, in the order of the list. Without an anchor in the list, only the node.
 *
 * @param listed the nodes of the list, in order
 */
export function tickedTo(ticks: Ticks, listed: readonly Tick[], address: string): Ticks {
  const to = listed.findIndex((one) => one.address === address);
  if (to < 0) return ticks;
  const anchor = listed.findIndex((one) => one.address === ticks.anchor);
  const from = anchor < 0 ? to : anchor;
  const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { nodes: withAll(ticks.nodes, range), anchor: anchor < 0 ? address : ticks.anchor };
}

/** Ticks all of these as well. */
export const tickedAll = (ticks: Ticks, all: readonly Tick[]): Ticks => ({
  ...ticks,
  nodes: withAll(ticks.nodes, all),
});

function withAll(nodes: ReadonlyMap<string, Tick>, more: readonly Tick[]): ReadonlyMap<string, Tick> {
  return new Map([...nodes, ...more.map((one) => [one.address, one] as const)]);
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
  const areTopics = isAny && [...types].every((type) => topicTypes.has(type));
  return {
    merge: areTopics && nodes.length > 1 && types.size === 1,
    split: nodes.length === 1 && (types.has('cluster') || types.has('pillar_topic') || types.has('subtopic')),
    rename: nodes.length === 1 && areTopics,
    name: areTopics,
    lock: areTopics,
    move: isAny && placeOf(nodes) !== undefined,
    strays: isAny && !types.has('stray'),
    exclude: isAny && !types.has('stray'),
  };
}

const topicTypes: ReadonlySet<string> = new Set(['pillar_topic', 'cluster', 'subtopic']);

/**
 * The node types that can take these nodes: pillar topics take clusters, clusters take subtopics, and every topic takes
 * keywords. Undefined if nothing takes all of them.
 */
export function placeOf(nodes: readonly Tick[]): readonly string[] | undefined {
  const types = new Set(nodes.map(({ type }) => type));
  if (types.size !== 1) return undefined;
  if (types.has('cluster')) return ['pillar_topic'];
  if (types.has('subtopic')) return ['cluster'];
  return types.has('keyword') ? ['cluster', 'subtopic', 'pillar_topic'] : undefined;
}
