import { DraftAddresses } from './addresses.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** The address of a branch in a map, and the one it has now. */
export type Move = readonly [before: string, after: string];

/** A state, and the name of its root, from which addresses are computed. */
type Named = { readonly state: DraftState; readonly name: string };

/**
 * Where the branches of a map have gone, so that what refers to them by address can follow: branches that were renamed or
 * moved, or lie in one that was, and those that were merged into another. A branch that is gone without a successor has
 * none.
 *
 * @param before of the map that the draft was made of
 * @param texts the keywords of both
 * @param earlier moves that led to the addresses of that map
 */
export function movesOf(before: Named, after: Named, texts: readonly string[], earlier: readonly Move[] = []): Move[] {
  const [from, to] = [before, after].map(({ state, name }) => new DraftAddresses(state, texts, name));
  const nowOf = new Map(after.state.topics.map(({ id }, topic) => [id, topic]));
  const successors = successorsOf(before.state, after.state, nowOf);
  const found = new Map<string, string>();
  before.state.topics.forEach(({ id, isNew }, topic) => {
    // Nothing can refer to a branch that the map did not have.
    if (isNew) return;
    const now = nowOf.get(id) ?? successors.get(topic);
    if (now !== undefined) found.set(from!.ofTopic(topic), to!.ofTopic(now));
  });
  const all = new Map(earlier.map(([old, then]) => [old, found.get(then) ?? then]));
  for (const [old, now] of found) all.set(old, now);
  return [...all].filter(([old, now]) => old !== now);
}

/** For each topic that is gone: the topic of its kind that all its keywords are in now, if there is one. */
function successorsOf(before: DraftState, after: DraftState, nowOf: ReadonlyMap<string, number>): Map<number, number> {
  const common = new Map<number, number | undefined>();
  before.topicOf.forEach((lowest, keyword) => {
    const now = after.topicOf[keyword]!;
    if (lowest === excluded || now === excluded) return;
    for (let topic = lowest; topic >= 0; topic = before.topics[topic]!.parent) {
      const { id, kind } = before.topics[topic]!;
      if (nowOf.has(id)) continue;
      const place = ofKind(after, now, kind);
      const isFirst = !common.has(topic);
      common.set(topic, isFirst || common.get(topic) === place ? place : undefined);
    }
  });
  return new Map([...common].filter((pair): pair is [number, number] => pair[1] !== undefined));
}

/** The topic of this kind at or above one. */
function ofKind(
  { topics }: DraftState,
  lowest: number,
  kind: DraftState['topics'][number]['kind'],
): number | undefined {
  for (let topic = lowest; topic >= 0; topic = topics[topic]!.parent) if (topics[topic]!.kind === kind) return topic;
  return undefined;
}
