import { resultsMember } from '@kc/pack/shared-urls/results';
import { settleRates, signedPercent } from '@kc/pack/upload/click-rate';
import { fieldOf } from '@kc/pack/upload/fields';
import { numberOfText } from '@kc/pack/upload/numbers';
import type { Doubt, MapUpdate } from '../draft/context.ts';
import {
  type DraftState,
  idOf,
  type LooseTopic,
  looseTopics,
  newStrayTopic,
  newTopic,
  orderedState,
  strayTopic,
} from '../draft/draft-state.ts';
import { measureAgain } from '../draft/measure.ts';
import { resultsIn } from '../map/map-results.ts';
import type { KeywordMapFile } from '../map/read-map.ts';
import { divide, type ListSettings } from '../pipeline/cluster.ts';
import { type KeywordList, keywordKey } from '../pipeline/keyword-list.ts';
import { type PreparedList, partOf } from '../pipeline/prepared-list.ts';
import type { FieldValue, UploadField } from '../write/upload-json.ts';

type UpdatedMap = { readonly state: DraftState; readonly update: MapUpdate };

/** A new keyword joins the cluster of its nearest known keywords: this many of them vote, by similarity. */
const nearest = 5;
const minSimilarity = 0.6;
const minShare = 0.6;
/** A keyword that joined with less than this is listed as doubtful, for a person to check. */
const sureSimilarity = 0.7;
const sureShare = 0.8;

/**
 * Puts next month's list into the clusters of a map. A keyword that the map has stays where it is. A new one joins the
 * cluster of its spelling variants, or of the keywords that it resembles. What then fits nowhere is clustered alone.
 *
 * @param list the new list, followed by the keywords of the map that it does not have: new ones may resemble them
 * @param newCount how many keywords the new list has
 * @param prepared of `list`
 */
export function updateMap(
  mapFile: KeywordMapFile,
  list: KeywordList,
  newCount: number,
  prepared: PreparedList,
  settings: ListSettings,
): UpdatedMap {
  const map = withoutPlaces(mapFile);
  const before = rowsInMap(map, list);
  const topicOf: (string | undefined)[] = Array.from(before, (keyword) => {
    if (keyword < 0) return undefined;
    const topic = topicIn(map, keyword);
    // Last month's strays are tried like new keywords, unless a person sent them there.
    return topic.kind === 'stray' && map.state.sentToStrays[keyword] === 0 ? undefined : topic.id;
  });
  const excludedFrom = excludedIn(map, list);
  const isGone = (keyword: number): boolean => keyword >= newCount;
  const goneFrom = new Map(
    Array.from(before.subarray(newCount), (keyword, row) => [newCount + row, topicIn(map, keyword).id] as const),
  );
  const added = Int32Array.from(before.keys()).filter(
    (keyword) => before[keyword] === -1 && !excludedFrom.has(keyword),
  );
  const doubts = joinKnown(list, prepared, topicOf);
  for (const keyword of doubts.keys()) if (before[keyword] !== -1 || excludedFrom.has(keyword)) doubts.delete(keyword);
  for (const keyword of [...excludedFrom.keys(), ...goneFrom.keys()]) topicOf[keyword] = undefined;
  const rest = Int32Array.from(topicOf.keys()).filter(
    (keyword) => topicOf[keyword] === undefined && !excludedFrom.has(keyword) && !isGone(keyword),
  );
  const found = clusterRest(map, list, prepared, settings, rest, topicOf);
  const similarity = Float32Array.from(list.texts, (_, keyword) => found.similarity.get(keyword) ?? Number.NaN);
  before.forEach((keyword, row) => {
    if (keyword >= 0 && Number.isNaN(similarity[row]!)) similarity[row] = map.state.similarity[keyword]!;
  });
  const state = orderedState(
    {
      ...map.state,
      topics: [...looseTopics(map.state), ...found.topics],
      topicOf: (keyword) => topicOf[keyword],
      similarity,
      sentToStrays: Uint8Array.from(before, (keyword) => (keyword < 0 ? 0 : map.state.sentToStrays[keyword]!)),
      excludedFrom,
      goneFrom,
      reviewed: new Uint8Array(list.texts.length),
      stop: undefined,
      next: found.next,
    },
    list.volume,
  );
  return {
    state: measureAgain({ list, settings, prepared }, state),
    update: { added, doubts, before: looseTopics(map.state) },
  };
}

/** A map whose topics are put in order by the new figures. */
const withoutPlaces = (map: KeywordMapFile): KeywordMapFile => ({
  ...map,
  state: { ...map.state, topics: map.state.topics.map(({ place: _, ...topic }) => topic) },
});

/** The row in the map of each keyword of a list; −1 for a new one. */
function rowsInMap({ texts }: Pick<KeywordMapFile, 'texts'>, list: Pick<KeywordList, 'texts'>): Int32Array {
  const known = new Map(texts.map((text, keyword) => [keywordKey(text), keyword]));
  return Int32Array.from(list.texts, (text) => known.get(keywordKey(text)) ?? -1);
}

const topicIn = ({ state }: KeywordMapFile, keyword: number) => state.topics[state.topicOf[keyword]!]!;

/** The keywords of a list that a person left out of the map, with the IDs of their topics. They stay out. */
function excludedIn({ clustering }: KeywordMapFile, { texts }: KeywordList): ReadonlyMap<number, string> {
  const { excluded } = clustering;
  const topicOf = new Map<string, string>();
  for (const { keyword, from } of Array.isArray(excluded) ? (excluded as Partial<Record<string, unknown>>[]) : [])
    if (typeof keyword === 'string' && typeof from === 'string') topicOf.set(keywordKey(keyword), from);
  return new Map(
    texts.flatMap((text, keyword) => {
      const from = topicOf.get(keywordKey(text));
      return from === undefined ? [] : [[keyword, from] as const];
    }),
  );
}

/** Lets keywords without a topic join one, by changing `topicOf`. @returns the doubtful ones, with why they are */
function joinKnown(
  { texts }: KeywordList,
  { groups, neighbours }: PreparedList,
  topicOf: (string | undefined)[],
): Map<number, Doubt> {
  /** The topic of the first known keyword of each group of variants. */
  const topicOfGroup = new Map<number, string>();
  topicOf.forEach((topic, keyword) => {
    const group = groups.of[keyword]!;
    if (topic !== undefined && !topicOfGroup.has(group)) topicOfGroup.set(group, topic);
  });
  const doubts = new Map<number, Doubt>();
  const { count, to, similarity } = neighbours.page;
  const joined = texts.map((_, keyword) => {
    if (topicOf[keyword] !== undefined) return topicOf[keyword];
    const group = groups.of[keyword]!;
    const own = topicOfGroup.get(group);
    if (own !== undefined) return own;
    const votes: { topic: string; similarity: number }[] = [];
    for (let at = group * count; at < (group + 1) * count && votes.length < nearest; at++) {
      const topic = to[at]! < 0 ? undefined : topicOfGroup.get(to[at]!);
      if (topic !== undefined && similarity[at]! >= minSimilarity) votes.push({ topic, similarity: similarity[at]! });
    }
    const best = winnerOf(votes);
    if (!best || best.share < minShare) return undefined;
    if (best.similarity < sureSimilarity || best.share < sureShare)
      doubts.set(keyword, { similarity: best.similarity, share: best.share });
    return best.topic;
  });
  joined.forEach((topic, keyword) => {
    topicOf[keyword] = topic;
  });
  return doubts;
}

type Found = {
  readonly topics: readonly LooseTopic[];
  readonly similarity: ReadonlyMap<number, number>;
  readonly next: number;
};

type NewCluster = { readonly topic: LooseTopic; readonly keywords: number[] };

/** Clusters the keywords that are left, by changing `topicOf`. A new cluster goes into the pillar topic of most of its neighbours. */
function clusterRest(
  { state }: KeywordMapFile,
  list: KeywordList,
  prepared: PreparedList,
  settings: ListSettings,
  rest: Int32Array,
  topicOf: (string | undefined)[],
): Found {
  if (rest.length === 0) return { topics: [], similarity: new Map(), next: state.next };
  const part = partOf(list, prepared, rest);
  const tree = divide(part.list, part.prepared, {
    ...settings,
    shape: settings.shape === 'topics' ? 'topics' : 'pages',
  });
  const hasPillars = tree.topics.some(({ kind }) => kind === 'cluster');
  const kind = hasPillars ? 'cluster' : 'pillar_topic';
  const above = pillarFinder(state, prepared, topicOf);
  let next = state.next;
  const strays = strayTopic(state)?.id ?? idOf(next++);
  const made = new Map<number, NewCluster>();
  rest.forEach((keyword, row) => {
    const number = tree.topicOf[row]!;
    const topic = tree.topics[number]!;
    if (topic.kind !== kind) {
      topicOf[keyword] = strays;
      return;
    }
    const known: NewCluster = made.get(number) ?? {
      topic: { ...newTopic({ ...topic, kind: 'cluster' }, idOf(next++), undefined), isNew: true },
      keywords: [],
    };
    made.set(number, known);
    known.keywords.push(keyword);
    topicOf[keyword] = known.topic.id;
  });
  const topics = Array.from(made.values(), ({ topic, keywords }): LooseTopic => {
    const pillar = above(keywords);
    return pillar === undefined ? { ...topic, kind: 'pillar_topic' } : { ...topic, above: pillar };
  });
  const isNeeded = rest.some((keyword) => topicOf[keyword] === strays) && !strayTopic(state);
  const similarity = new Map(Array.from(rest, (keyword, row) => [keyword, tree.similarity[row]!]));
  return { topics: isNeeded ? [...topics, newStrayTopic(strays)] : topics, similarity, next };
}

function pillarFinder(
  { topics }: DraftState,
  { groups, neighbours }: PreparedList,
  topicOf: readonly (string | undefined)[],
): (keywords: readonly number[]) => string | undefined {
  // A map without a level of clusters has its clusters at the top.
  if (!topics.some(({ kind }) => kind === 'cluster')) return () => undefined;
  const numbers = new Map(topics.map(({ id }, number) => [id, number]));
  const pillarOf = (id: string): string | undefined => {
    let number = numbers.get(id) ?? -1;
    if (number < 0 || topics[number]!.kind === 'stray') return undefined;
    while (topics[number]!.parent >= 0) number = topics[number]!.parent;
    return topics[number]!.id;
  };
  const pillarOfGroup = new Map<number, string>();
  topicOf.forEach((id, keyword) => {
    const pillar = id === undefined ? undefined : pillarOf(id);
    if (pillar !== undefined) pillarOfGroup.set(groups.of[keyword]!, pillar);
  });
  const { count, to, similarity } = neighbours.topic;
  return (keywords) => {
    const votes = keywords.flatMap((keyword) => {
      const group = groups.of[keyword]!;
      return Array.from({ length: count }, (_, at) => group * count + at).flatMap((at) => {
        const pillar = pillarOfGroup.get(to[at]!);
        return pillar === undefined ? [] : [{ topic: pillar, similarity: similarity[at]! }];
      });
    });
    return winnerOf(votes)?.topic;
  };
}

/** A new list, followed by the keywords of a map that it does not have, with the figures of that map. */
type JoinedList = {
  readonly list: KeywordList;
  readonly fields: readonly UploadField[];
  /** How many keywords the new list has. */
  readonly here: number;
  /** How many of them have a search volume in the map and none in the new list. */
  readonly lostVolumes: number;
};

export function joinedList(map: KeywordMapFile, list: KeywordList, fields: readonly UploadField[]): JoinedList {
  const known = new Set(list.texts.map(keywordKey));
  const missing = [...map.texts.keys()].filter((row) => !known.has(keywordKey(map.texts[row]!)));
  const here = list.texts.length;
  const rowInMap = rowsInMap(map, list);
  const before = new Map(map.fields.map((field) => [field.name, asShares(field, map.fields)]));
  const names = new Set([...fields.map(({ name }) => name), ...before.keys()]);
  const now = new Map(fields.map(({ name, values }) => [name, values]));
  const joined = Array.from(names, (name): UploadField => {
    const [values, earlier] = [now.get(name), before.get(name)];
    const valueAt = (row: number): FieldValue => {
      if (row >= here) return earlier?.[missing[row - here]!];
      const value = values?.[row];
      // Every export has new figures for all of its keywords, but few have search results: those of the map stay.
      const isKept = name === resultsMember && !(Array.isArray(value) && value.length > 0);
      return isKept ? earlier?.[rowInMap[row]!] : value;
    };
    return { name, values: Array.from({ length: here + missing.length }, (_, row) => valueAt(row)) };
  });
  const urls = resultsIn(joined);
  const isKnown = (volume: number | undefined) => volume !== undefined && !Number.isNaN(volume);
  const lost = list.volume.filter((volume, row) => !isKnown(volume) && isKnown(map.volume[rowInMap[row]!]));
  return {
    here,
    lostVolumes: lost.length,
    list: {
      texts: [...list.texts, ...missing.map((row) => map.texts[row]!)],
      volume: Float64Array.from([...list.volume, ...missing.map((row) => map.volume[row]!)]),
      ...(urls && { urls }),
    },
    fields: joined,
  };
}

/** Converts the rates of a map to shares of 1, as lists have them: in one file, plain numbers cannot have two scales. */
function asShares({ name, values }: UploadField, fields: readonly UploadField[]): UploadField['values'] {
  const field = fieldOf(name)?.name;
  if (field !== 'ctr' && field !== 'competition') return values;
  const rates = ratesOf(values);
  const numbersOf = (of: 'clicks' | 'impressions') => {
    const found = field === 'ctr' && fields.find((one) => fieldOf(one.name)?.name === of);
    return [found ? ratesOf(found.values) : undefined];
  };
  settleRates([{ rates: [rates], clicks: numbersOf('clicks'), impressions: numbersOf('impressions') }]);
  return Array.from(values, (value, row) => (Number.isNaN(rateOf(value)) ? value : rates[row]));
}

const ratesOf = (values: UploadField['values']): Float64Array => Float64Array.from(values, rateOf);

function rateOf(value: FieldValue): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  const number = numberOfText(value);
  return value.trim().endsWith('%') ? signedPercent(number) : number;
}

/** The topic with the greatest share of the weight of some votes. */
type Winner = {
  readonly topic: string;
  /** Its share of the weight of all votes, 0 to 1. */
  readonly share: number;
  /** The mean similarity of the votes for it. */
  readonly similarity: number;
};

/** The topic that wins, if each vote weighs as much as its similarity; on a tie the one voted for first; undefined without votes. */
function winnerOf(votes: readonly { readonly topic: string; readonly similarity: number }[]): Winner | undefined {
  const weights = new Map<string, { weight: number; voters: number }>();
  for (const { topic, similarity } of votes) {
    const { weight, voters } = weights.get(topic) ?? { weight: 0, voters: 0 };
    weights.set(topic, { weight: weight + similarity, voters: voters + 1 });
  }
  const total = [...weights.values()].reduce((sum, { weight }) => sum + weight, 0);
  let best: Winner | undefined;
  for (const [topic, { weight, voters }] of weights)
    if (!best || weight / total > best.share) best = { topic, share: weight / total, similarity: weight / voters };
  return best;
}
