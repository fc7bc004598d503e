import { normalForm } from '@kc/pack/names/normal-form';
import { type NamingWay, namesOf } from '../labels/names.ts';
import { listWordsOf } from '../labels/phrases.ts';
import { bySize, figuresBelow } from '../pipeline/topic-tree.ts';
import { wordsOf } from '../words/words.ts';
import {
  type Change,
  chosenOf,
  type DraftContext,
  formatCount,
  insideOf,
  keywordsOfAll,
  lockedWith,
  RefusedOperation,
} from './context.ts';
import { type DraftState, excluded, type LooseTopic, newStrayTopic } from './draft-state.ts';
import { Working } from './working.ts';

/** The topics and keywords that an operation applies to, by number. */
export type Selected = { readonly topics: readonly number[]; readonly keywords: readonly number[] };

const longestName = 200;

export function renameTopic(context: DraftContext, state: DraftState, topic: number, text: string): Change {
  const name = checkedName(text);
  const { parent, kind } = state.topics[topic]!;
  if (kind === 'stray') throw new RefusedOperation('draft/not-here');
  demandUntaken(state, parent, name, topic);
  const working = new Working(context, state);
  working.freeze(topic);
  working.edit(working.id(topic), { name, isRenamed: true, isRest: undefined });
  return { state: working.done(), code: 'draft/renamed', params: { name }, focus: working.id(topic) };
}

/** Renames topics in the way that a person chose. Like names that were typed, these stay until a person changes them. */
export function nameTopics(
  context: DraftContext,
  state: DraftState,
  { topics, keywords }: Selected,
  way: NamingWay,
): Change {
  if (topics.length === 0 || keywords.length > 0) throw new RefusedOperation('draft/not-here');
  if (topics.some((topic) => state.topics[topic]!.kind === 'stray')) throw new RefusedOperation('draft/not-here');
  const { texts, volume } = context.list;
  const chosen = new Set(topics);
  const weight = new Float64Array(texts.length).fill(1);
  const words = wordsOf(context.settings.language);
  const { names, isRest } = namesOf(
    {
      parent: state.topics.map(({ parent }) => parent),
      topicOf: state.topicOf,
      fixedNames: state.topics.map(({ name }, topic) => (chosen.has(topic) ? undefined : name)),
    },
    { texts, volume, weight, centrality: state.similarity },
    listWordsOf(texts, weight, words, context.prepared?.seed),
    words,
    way,
  );
  const working = new Working(context, state);
  for (const topic of chosen) {
    working.freeze(topic);
    const name = normalForm(names[topic]!, 'NFC');
    working.edit(working.id(topic), { name, isRenamed: true, isRest: isRest[topic] || undefined });
  }
  return {
    state: working.done(),
    code: 'draft/named',
    params: { count: chosen.size, name: names[topics[0]!]! },
    focus: working.id(topics[0]!),
  };
}

/** A name as it is stored: in NFC, like the names that addresses are computed from, and with single spaces. @throws RefusedOperation */
function checkedName(text: string): string {
  const name = normalForm(text, 'NFC').trim().replaceAll(/\s+/gu, ' ');
  if (name === '' || name.length > longestName) throw new RefusedOperation('draft/name-empty');
  return name;
}

/** @throws RefusedOperation if another topic below `parent` has this name */
function demandUntaken({ topics }: DraftState, parent: number, name: string, but = -1): void {
  const other = topics.find(
    (topic, number) => number !== but && topic.parent === parent && normalForm(topic.name, 'NFC') === name,
  );
  if (other) throw new RefusedOperation(other.kind === 'pillar_topic' ? 'draft/pillar-taken' : 'draft/name-taken');
}

/** Merges topics of one kind into the one with the highest volume. */
export function mergeTopics(context: DraftContext, state: DraftState, topics: readonly number[]): Change {
  if (topics.length < 2) throw new RefusedOperation('draft/one-level');
  const kinds = new Set(topics.map((topic) => state.topics[topic]!.kind));
  if (kinds.has('stray')) throw new RefusedOperation('draft/not-here');
  if (kinds.size > 1) throw new RefusedOperation('draft/one-level');
  const figures = figuresBelow(state.topics, state.topicOf, context.list.volume);
  const compare = bySize(state.topics, figures);
  const ranked = topics.toSorted((a, b) => compare(a, b) || a - b);
  const into = ranked[0]!;
  const others = ranked.slice(1);
  const working = new Working(context, state);
  const target = working.id(into);
  working.lock(into);
  for (const topic of others) {
    working.lock(topic);
    working.redirect(working.id(topic), target);
  }
  const absorbed = new Set(others);
  state.topics.forEach(({ parent }, child) => {
    if (absorbed.has(parent)) working.edit(working.id(child), { above: target });
  });
  state.topicOf.forEach((topic, keyword) => {
    if (absorbed.has(topic)) working.topicOf[keyword] = target;
  });
  const next = working.done();
  const name = state.topics[into]!.name;
  const total = keywordsOfAll(state, topics).length;
  return {
    state: next,
    code: 'draft/merged',
    params: { count: topics.length, name, keywords: formatCount(total) },
    focus: target,
  };
}

/** Moves keywords to a topic, clusters to a pillar topic, or subtopics to a cluster. */
export function moveTo(
  context: DraftContext,
  state: DraftState,
  { topics, keywords }: Selected,
  to: number | { readonly newPillar: string },
): Change {
  const working = new Working(context, state);
  const target = typeof to === 'number' ? working.id(to) : newPillar(state, working, to.newPillar);
  const kind = working.topics.get(target)!.kind;
  if (topics.length > 0) checkPlace(state, topics, typeof to === 'number' ? to : -1, kind);
  if (keywords.length > 0 && kind === 'stray') throw new RefusedOperation('draft/not-here');
  if (typeof to === 'number') {
    // A pillar topic that gets a cluster stays open for granularity: only what was moved is frozen.
    if (kind === 'pillar_topic' && keywords.length === 0) working.touch(to);
    else working.lock(to);
  }
  for (const topic of topics) {
    working.lock(topic);
    const isCluster = state.topics[topic]!.kind !== 'subtopic';
    working.edit(working.id(topic), { above: target, isLocked: isCluster, ...(isCluster && { isPlaced: true }) });
  }
  const count = everyKeyword(state, { topics, keywords }).length;
  for (const keyword of keywords) working.put(keyword, target);
  const { name } = working.topics.get(target)!;
  return { state: working.done(), code: 'draft/moved', params: { keywords: formatCount(count), name }, focus: target };
}

/** The kind of topic that each kind must be put into. */
const placeOf = { cluster: 'pillar_topic', subtopic: 'cluster' } as const;

function checkPlace(state: DraftState, topics: readonly number[], to: number, kind: LooseTopic['kind']): void {
  for (const topic of topics) {
    const own = state.topics[topic]!.kind;
    if (own !== 'cluster' && own !== 'subtopic') throw new RefusedOperation('draft/not-here');
    if (placeOf[own] !== kind) throw new RefusedOperation('draft/not-here');
    if (to >= 0 && insideOf(state, [topic])[to] === 1) throw new RefusedOperation('draft/not-here');
  }
}

function newPillar(state: DraftState, working: Working, text: string): string {
  const name = checkedName(text);
  demandUntaken(state, -1, name);
  const id = working.newId();
  const made = { ...newStrayTopic(id), name, kind: 'pillar_topic', isLocked: true, isRenamed: true } as const;
  working.topics.set(id, made);
  return id;
}

/** Locks or unlocks topics. Granularity leaves locked ones alone. */
export function setLocked(
  context: DraftContext,
  state: DraftState,
  { topics, keywords }: Selected,
  isLocked: boolean,
): Change {
  if (topics.length === 0 || keywords.length > 0) throw new RefusedOperation('draft/not-here');
  if (topics.some((topic) => state.topics[topic]!.kind === 'stray')) throw new RefusedOperation('draft/not-here');
  const working = new Working(context, state);
  const roots = new Set(topics.map((topic) => lockedWith(state, topic)));
  if (!isLocked) lockBesides(state, working, roots);
  for (const root of roots) working.edit(working.id(root), { isLocked });
  const code = isLocked ? 'draft/locked' : 'draft/unlocked';
  return { state: working.done(), code, params: { count: roots.size }, focus: working.id(topics[0]!) };
}

/** If a topic inside a locked one is unlocked, the locked one is unlocked too, and its other children are locked one by one. */
function lockBesides(state: DraftState, working: Working, roots: ReadonlySet<number>): void {
  const opened = new Set<number>();
  for (const root of roots) {
    for (let above = state.topics[root]!.parent; above >= 0; above = state.topics[above]!.parent)
      if (state.topics[above]!.isLocked && !roots.has(above)) opened.add(above);
  }
  for (const above of [...opened].sort((a, b) => a - b)) {
    working.edit(working.id(above), { isLocked: false });
    state.topics.forEach(({ parent, kind }, child) => {
      if (parent === above && kind !== 'stray') working.edit(working.id(child), { isLocked: true });
    });
  }
}

/** All keywords of a selection and of its topics, each once, ascending. */
const everyKeyword = (state: DraftState, { topics, keywords }: Selected): number[] =>
  [...new Set([...keywords, ...keywordsOfAll(state, topics)])].sort((a, b) => a - b);

/** Sends keywords to the strays. A cluster that is left with too few keywords is sent as a whole. */
export function sendToStrays(context: DraftContext, state: DraftState, selected: Selected): Change {
  const working = new Working(context, state);
  const strays = working.strays();
  const sent = new Set(everyKeyword(state, selected).filter((keyword) => working.topicOf[keyword] !== strays));
  if (sent.size === 0) throw new RefusedOperation('draft/not-here');
  // Groups that came with a list, and clusters of an updated map, may be of any size.
  if (context.prepared && !context.update) addDissolved(context, state, sent);
  for (const keyword of sent) {
    working.put(keyword, strays);
    working.sentToStrays[keyword] = 1;
  }
  const params = { keywords: formatCount(sent.size) };
  return { state: working.done(), code: 'draft/sent-to-strays', params, focus: strays };
}

/** Adds the remaining keywords of clusters that had the minimum size and fall below it. */
function addDissolved({ list, settings, isInGroups }: DraftContext, state: DraftState, sent: Set<number>): void {
  const { topics, topicOf } = state;
  const { keywords: sizesBefore } = figuresBelow(topics, topicOf, list.volume);
  const remaining = topicOf.map((topic, keyword) => (sent.has(keyword) ? excluded : topic));
  const { keywords: sizesAfter } = figuresBelow(topics, remaining, list.volume);
  const isUpper = new Set(topics.flatMap(({ kind, parent }) => (kind === 'cluster' ? [parent] : [])));
  const smallest = settings.smallestCluster;
  const dissolved = [...new Set(Array.from(sent, (keyword) => lockedWith(state, topicOf[keyword]!)))].filter(
    (topic) => {
      const { kind, parent } = topics[topic]!;
      const isGroup = isUpper.has(topic) || (isInGroups && parent < 0);
      return kind !== 'stray' && !isGroup && sizesBefore[topic]! >= smallest && sizesAfter[topic]! < smallest;
    },
  );
  for (const keyword of keywordsOfAll(state, dissolved)) sent.add(keyword);
}

/** Excludes keywords from the map. At least one must be left. */
export function excludeFromMap(context: DraftContext, state: DraftState, selected: Selected): Change {
  const keywords = everyKeyword(state, selected);
  const remaining = state.topicOf.reduce((sum, topic) => sum + Number(topic !== excluded), 0) - keywords.length;
  if (remaining < 1) throw new RefusedOperation('draft/nothing-left');
  const working = new Working(context, state);
  for (const keyword of keywords) {
    const from = state.topicOf[keyword]!;
    working.review(keyword);
    working.excludedFrom.set(keyword, working.id(from));
    working.lock(from);
    working.topicOf[keyword] = undefined;
  }
  return { state: working.done(), code: 'draft/excluded', params: { keywords: formatCount(keywords.length) } };
}

/** Brings excluded keywords back to the topics they were in, or to the strays if a topic is gone. */
export function restoreExcluded(context: DraftContext, state: DraftState, texts: readonly string[] | 'all'): Change {
  const back = chosenOf(context, state.excludedFrom.keys(), texts);
  const working = new Working(context, state);
  for (const keyword of back) {
    working.bringBack(keyword, state.excludedFrom.get(keyword)!);
    working.excludedFrom.delete(keyword);
  }
  return { state: working.done(), code: 'draft/restored', params: { keywords: formatCount(back.length) } };
}
