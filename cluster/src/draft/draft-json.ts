import type { RowRoom } from '../features/row-products.ts';
import { keywordKey } from '../pipeline/keyword-list.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import { byVolume, type UploadField, uploadJson } from '../write/upload-json.ts';
import { addressesOf } from './addresses.ts';
import { type DraftState, excluded } from './draft-state.ts';
import { copiedFrom, type OriginalMap } from './original-map.ts';
import { similarNodes } from './similar-nodes.ts';

/** A state of a draft, and the data of its keywords. */
export type DraftMap = {
  /** The name of the root. */
  readonly name: string;
  readonly texts: readonly string[];
  readonly fields: readonly UploadField[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  readonly state: DraftState;
  /** Settings, sources and versions for the member `clustering`. */
  readonly clustering: Readonly<Record<string, unknown>>;
  /** The map that the draft was made from, if any. `name` is that of its root. */
  readonly base?: { readonly state: DraftState; readonly name: string } | undefined;
  /** The text of that map, if unchanged parts are to be copied byte for byte. */
  readonly original?: OriginalMap | undefined;
  /** The similarities of keywords, if known. The file then lists similar nodes. */
  readonly prepared?: PreparedList | undefined;
  /** Where the centres of topics are put, to find those that are similar. */
  readonly room?: RowRoom | undefined;
};

/**
 * Writes the upload of a draft. In `clustering`, `nodes` has by address what people decided about each topic, and its terms; `pins` are the keywords
 * that were sent to the strays by hand, `excluded` those that are left out, and `moves` where branches of the earlier map are now. Equal
 * states give equal bytes.
 */
export function draftJson({
  state,
  clustering,
  base,
  original,
  prepared,
  room,
  ...map
}: DraftMap): Generator<Uint8Array> {
  const { topics, topicOf, similarity, sentToStrays, excludedFrom } = state;
  const addresses = addressesOf(state, map.texts, map.name);
  const nodes = Object.fromEntries(
    topics.map(({ id, isLocked, isRenamed, isNew, isPlaced, isRest, terms }, topic) => [
      addresses.ofTopic(topic),
      {
        id,
        ...(isLocked && { locked: true }),
        ...(isRenamed && { renamed: true }),
        ...(isNew && { new: true }),
        ...(isPlaced && { placed: true }),
        ...(isRest && { rest: true }),
        ...(terms.length > 0 && { terms }),
      },
    ]),
  );
  const pins = map.texts.filter((_, keyword) => sentToStrays[keyword] === 1 && topicOf[keyword] !== excluded);
  const { excluded: earlier, moves: earlierMoves, ...origin } = clustering;
  const past = movesIn(earlierMoves);
  const moves = base ? movesOf(base, { state, name: map.name }, map.texts, past) : past;
  const excludedKeywords = [
    ...absentExclusions(earlier, map.texts),
    ...Array.from(excludedFrom, ([keyword, from]) => ({ keyword: map.texts[keyword]!, from })),
  ];
  return uploadJson({
    ...map,
    tree: { topics, topicOf, similarity },
    similar: prepared && !original ? similarNodes(prepared, state, room) : undefined,
    copied: original && copiedFrom(original, state, byVolume(map.texts, map.volume)),
    clustering: {
      ...origin,
      ...(state.stop !== undefined && { stop: state.stop }),
      nodes,
      ...(pins.length > 0 && { pins }),
      ...(excludedKeywords.length > 0 && { excluded: excludedKeywords }),
      ...(moves.length > 0 && { moves }),
    },
  });
}

/** The valid moves that a map lists. It is checked because anybody can have written it. */
function movesIn(moves: unknown): Move[] {
  const isMove = (one: unknown): one is Move =>
    Array.isArray(one) && one.length === 2 && one.every((address) => typeof address === 'string');
  return Array.isArray(moves) ? moves.filter(isMove) : [];
}

/** Keywords that were excluded earlier and are not in the list. They stay excluded in case they come back. */
function absentExclusions(earlier: unknown, texts: readonly string[]): readonly unknown[] {
  if (!Array.isArray(earlier) || earlier.length === 0) return [];
  const here = new Set(texts.map(keywordKey));
  return earlier.filter((one: { readonly keyword?: unknown } | null) => {
    const text = one?.keyword;
    return typeof text === 'string' && !here.has(keywordKey(text));
  });
}

/** The address of a branch in a map, and the one it has now. */
export type Move = readonly [before: string, after: string];

/** A state, and the name of its root, from which addresses are computed. */
type Named = { readonly state: DraftState; readonly name: string };

/**
 * Lists where the branches of a map are now, so that what refers to them by address can follow: branches that were renamed or moved, that lie in
 * such a branch, or that were merged into another. A branch that is gone without a successor is not listed.
 *
 * @param before the map that the draft was made from
 * @param texts the keywords of both
 * @param earlier moves that led to the addresses of that map
 */
export function movesOf(before: Named, after: Named, texts: readonly string[], earlier: readonly Move[] = []): Move[] {
  const [from, to] = [before, after].map(({ state, name }) => addressesOf(state, texts, name));
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

/** For each topic that is gone, the topic of the same kind that all its keywords are in now, if there is one. */
function successorsOf(before: DraftState, after: DraftState, nowOf: ReadonlyMap<string, number>): Map<number, number> {
  const common = new Map<number, number | undefined>();
  before.topicOf.forEach((lowest, keyword) => {
    const now = after.topicOf[keyword]!;
    if (lowest === excluded || now === excluded) return;
    for (let topic = lowest; topic >= 0; topic = before.topics[topic]!.parent) {
      const { id, kind } = before.topics[topic]!;
      if (nowOf.has(id)) continue;
      const place = nearestOfKind(after, now, kind);
      const isFirst = !common.has(topic);
      common.set(topic, isFirst || common.get(topic) === place ? place : undefined);
    }
  });
  return new Map([...common].filter((pair): pair is [number, number] => pair[1] !== undefined));
}

/** The topic itself or the nearest one above it that is of this kind. */
function nearestOfKind(
  { topics }: DraftState,
  lowest: number,
  kind: DraftState['topics'][number]['kind'],
): number | undefined {
  for (let topic = lowest; topic >= 0; topic = topics[topic]!.parent) if (topics[topic]!.kind === kind) return topic;
  return undefined;
}
