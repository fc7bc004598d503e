import { DraftAddresses } from '../../src/draft/addresses.ts';
import type { DraftContext } from '../../src/draft/context.ts';
import { draftJson } from '../../src/draft/draft-json.ts';
import {
  beginDraft,
  type DraftState,
  idOf,
  type LooseTopic,
  newStrayTopic,
  orderedState,
} from '../../src/draft/draft-state.ts';
import { measureAgain } from '../../src/draft/measure.ts';
import { applyOperation, type DraftOperation, type OperationEffect } from '../../src/draft/operations.ts';
import { groupedTree } from '../../src/lists/grouped-tree.ts';
import { readMap } from '../../src/map/read-map.ts';
import { divide, type ListSettings, listSettingsOf, prepareList } from '../../src/pipeline/cluster.ts';
import type { KeywordList } from '../../src/pipeline/keyword-list.ts';
import { joinedParts, type PreparedPart } from '../../src/pipeline/prepared-list.ts';
import type { TopicKind } from '../../src/pipeline/topic-tree.ts';
import { joinedList, updateMap } from '../../src/update/update-map.ts';
import { exactNeighbours } from './exact-neighbours.ts';
import { madeEncoder, madeKeywords } from './made-keywords.ts';

/** A draft to edit, and short ways to name what is in it. */
export class MadeDraft {
  readonly context: DraftContext;
  readonly first: DraftState;
  readonly rootName = 'made';

  constructor(context: DraftContext, first: DraftState) {
    this.context = context;
    this.first = first;
  }

  get texts(): readonly string[] {
    return this.context.list.texts;
  }

  addresses = (state: DraftState) => new DraftAddresses(state, this.texts, this.rootName);
  keyword = (state: DraftState, text: string) => this.addresses(state).ofKeyword(this.texts.indexOf(text));
  /** The address of the lowest topic of a keyword. */
  topic = (state: DraftState, text: string) => this.addresses(state).ofTopic(state.topicOf[this.texts.indexOf(text)]!);
  /** The address of the topic above that one. */
  above = (state: DraftState, text: string) => this.addresses(state).ofTopic(this.topicOf(state, text).parent);
  topicOf = (state: DraftState, text: string) => state.topics[state.topicOf[this.texts.indexOf(text)]!]!;

  /** @throws if it is refused */
  apply(state: DraftState, operation: DraftOperation): { state: DraftState; effect: OperationEffect } {
    const result = applyOperation(this.context, state, operation, this.rootName);
    if ('refusal' in result) throw new Error(result.refusal);
    return result;
  }

  /** The state after all of them. */
  after = (state: DraftState, ...operations: ((state: DraftState) => DraftOperation)[]): DraftState =>
    operations.reduce((from, operation) => this.apply(from, operation(from)).state, state);

  json(state: DraftState): Buffer {
    const { texts, volume } = this.context.list;
    return Buffer.concat([...draftJson({ name: this.rootName, texts, volume, fields: [], state, clustering: {} })]);
  }
}

/** How a made draft is grouped. */
export type MadeGroups = 'groups' | 'pages' | 'nested' | 'flat' | 'results' | 'columns' | 'deep' | 'update';

/**
 * A draft of `madeKeywords`: clusters below pillar topics, with subtopics, or on the top level alone; clusters of keywords
 * that share results; groups that the list came with, with clusters inside or alone; or topics that lie in others of their own kind, as those of an
 * uploaded map may; or the update of a map that has half of these keywords, by a list that lacks some of them.
 */
export async function madeDraft(groups: MadeGroups): Promise<MadeDraft> {
  const made = madeKeywords();
  const list = { texts: made.texts, volume: made.volume, ...(groups === 'results' && { urls: urlsOf(made.thing) }) };
  const settings = listSettingsOf(choicesFor(groups));
  if (groups === 'columns') return new MadeDraft({ list, settings, prepared: undefined }, await columnsOf(made));
  if (groups === 'groups') return groupsOf(made, settings);
  if (groups === 'deep') return new MadeDraft({ list, settings, prepared: undefined }, deepOf(made));
  if (groups === 'update') return updateOf(made, settings);
  const prepared = await prepareList(list, settings, { encoder: madeEncoder, neighbours: exactNeighbours });
  return new MadeDraft({ list, settings, prepared }, beginDraft(divide(list, prepared, settings), settings.stop));
}

function choicesFor(groups: MadeGroups): Partial<Omit<ListSettings, 'granularity'>> {
  if (groups === 'nested') return { shape: 'nested', hasPillars: true, smallestCluster: 2 };
  if (groups === 'flat') return { shape: 'topics', hasPillars: false };
  const results = { sharing: 'smart', least: 3, perKeyword: 10 } as const;
  return { shape: 'pages', hasPillars: true, smallestCluster: 2, ...(groups === 'results' && { results }) };
}

/** Two pillar topics of three kinds each, which the list came with, and clusters inside. */
async function groupsOf(made: ReturnType<typeof madeKeywords>, settings: ListSettings): Promise<MadeDraft> {
  const { texts, volume } = made;
  const kinds = made.kind.map((kind) => Math.floor(kind / 3));
  const list = { texts, volume };
  const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
  const lists = Array.from({ length: 2 }, (_, group) => some(made, (row) => kinds[row] === group));
  const parts: PreparedPart[] = [];
  for (const [group, part] of lists.entries()) {
    const keywords = Int32Array.from(texts.keys()).filter((row) => kinds[row] === group);
    parts.push({ keywords, prepared: await prepareList(part, settings, tools) });
  }
  const values = lists.map((_, group) => `Kinds ${group}`);
  const tree = groupedTree([{ values, codes: kinds }], volume, (group) =>
    divide(lists[group]!, parts[group]!.prepared, settings),
  );
  const context = { list, settings, prepared: joinedParts(list, parts), isInGroups: true };
  return new MadeDraft(context, measureAgain(context, beginDraft(tree, settings.stop)));
}

async function updateOf(made: KeywordList, settings: ListSettings): Promise<MadeDraft> {
  const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
  const april = some(made, (row) => row % 2 === 0);
  const first = new MadeDraft(
    { list: april, settings, prepared: undefined },
    beginDraft(divide(april, await prepareList(april, settings, tools), settings), undefined),
  );
  const map = readMap(first.json(first.first).toString());
  // Of its kind there is none in April.
  const strange = ['submarine periscope', 'periscope of a submarine', 'submarine periscope price'];
  const may = some(made, (row) => row % 3 !== 0 && row > 20);
  // Alike in meaning, but hardly in wording.
  const doubtful = [
    'tent pegs that hold firmly on hard stony ground',
    'banjo strings bought by famous country musicians',
  ];
  const texts = [...may.texts, ...strange, ...doubtful];
  const volume = Float64Array.from(texts, (_, row) => may.volume[row] ?? 5);
  const { list, here } = joinedList(map, { texts, volume }, []);
  const prepared = await prepareList(list, settings, tools);
  const { state, update } = updateMap(map, list, here, prepared, settings);
  return new MadeDraft({ list, settings, prepared, update }, state);
}

function some({ texts, volume }: KeywordList, isIn: (row: number) => boolean): KeywordList {
  const rows = [...texts.keys()].filter(isIn);
  return { texts: rows.map((row) => texts[row]!), volume: Float64Array.from(rows, (row) => volume[row]!) };
}

/** Keywords about one thing share all results; things of one kind share two. */
const urlsOf = (thing: Int32Array): string[][] =>
  Array.from(thing, (number) => [
    ...[1, 2, 3, 4].map((page) => `https://thing${number}.example/${page}`),
    ...[1, 2].map((page) => `https://kind${number >> 2}.example/${page}`),
  ]);

/** A pillar topic for each kind, a cluster for each thing, and no idea of who resembles whom. */
async function columnsOf({ volume, kind, thing }: ReturnType<typeof madeKeywords>): Promise<DraftState> {
  const named = (name: string, codes: Int32Array) => {
    const values = Array.from({ length: Math.max(...codes) + 1 }, (_, number) => `${name} ${number}`);
    return { values, codes };
  };
  return beginDraft(groupedTree([named('Kind', kind), named('Thing', thing)], volume), undefined);
}

/** Pillar topic, cluster, cluster, subtopic, subtopic; and a stray topic below a pillar topic. */
function deepOf({ texts, volume, kind, thing }: ReturnType<typeof madeKeywords>): DraftState {
  const topic = (id: string, above: string | undefined, of: TopicKind): LooseTopic => ({
    ...newStrayTopic(id),
    name: `topic ${id}`,
    above,
    kind: of,
  });
  const branches = [0, 1, 2, 3, 4, 5].flatMap((number) => {
    const ids = [0, 1, 2, 3, 4, 5].map((level) => idOf(1 + 6 * number + level));
    return [
      topic(ids[0]!, undefined, 'pillar_topic'),
      topic(ids[1]!, ids[0], 'cluster'),
      topic(ids[2]!, ids[1], 'cluster'),
      topic(ids[3]!, ids[2], 'subtopic'),
      topic(ids[4]!, ids[3], 'subtopic'),
      topic(ids[5]!, ids[0], 'stray'),
    ];
  });
  const levelOf = (keyword: number): number => (keyword % 5 === 4 ? 5 : 1 + (thing[keyword]! % 4));
  return orderedState(
    {
      topics: branches,
      topicOf: (keyword) => idOf(1 + 6 * kind[keyword]! + levelOf(keyword)),
      similarity: new Float32Array(texts.length).fill(Number.NaN),
      sentToStrays: new Uint8Array(texts.length),
      excludedFrom: new Map(),
      goneFrom: new Map(),
      reviewed: new Uint8Array(texts.length),
      stop: undefined,
      next: 37,
    },
    volume,
  );
}
