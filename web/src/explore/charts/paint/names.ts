import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Writer } from './text.ts';

/** Number of the heaviest siblings that are compared to find shared words. */
const maxCompared = 120;

/** What is known about the children of one row, for the version in which they last changed. */
type Siblings = {
  readonly version: number;
  readonly shared: SharedWords;
  readonly ofRow: Map<number, readonly string[]>;
};
type LabelCache = { readonly content: Content; readonly ofParent: Map<number, Siblings> };
const caches = new WeakMap<LoadedTree, LabelCache>();

/**
 * The possible labels of a mark, longest first: the full name, then without words that its parent's name contains or
 * that its siblings share. The first one that fits is drawn.
 *
 * @param isParentNamed whether the parent's name is readable beside it
 */
export function nameChoices(tree: LoadedTree, row: number, isParentNamed = true): readonly string[] {
  const name = tree.name(row);
  const parent = tree.parent[row]!;
  if (parent < 0 || !name.includes(' ')) return [name];
  const siblings = siblingsOf(tree, parent);
  let short = siblings.ofRow.get(row);
  if (!short) {
    short = siblings.shared.shortened(name);
    siblings.ofRow.set(row, short);
  }
  const ofParent = isParentNamed ? [smartLabel(name, tree.name(parent))] : [];
  return [...new Set([name, ...ofParent, ...short])].sort((a, b) => b.length - a.length);
}

/**
 * The longest label that fits into `room` CSS pixels, or the one to truncate if none does.
 *
 * @param isParentNamed see {@link nameChoices}
 */
export function nameFor(tree: LoadedTree, row: number, isParentNamed: boolean, writer: Writer, room: number): string {
  const choices = nameChoices(tree, row, isParentNamed);
  return choices.find((name) => writer.width(name) <= room) ?? nameToCut(tree, row, choices);
}

/** The name to truncate if none of its {@link nameChoices} fits. */
export function nameToCut(tree: LoadedTree, row: number, choices: readonly string[]): string {
  const parent = tree.parent[row]!;
  const shortest = choices.at(-1)!;
  if (parent < 0 || choices.length > 1) return shortest;
  return siblingsOf(tree, parent).shared.beheaded(shortest);
}

function siblingsOf(tree: LoadedTree, parent: number): Siblings {
  let cache = caches.get(tree);
  if (cache?.content !== tree.content) {
    cache = { content: tree.content, ofParent: new Map() };
    caches.set(tree, cache);
  }
  const cached = cache.ofParent.get(parent);
  const version = tree.touched(parent);
  if (cached?.version === version) return cached;
  const names = Array.from(tree.children(parent).subarray(0, maxCompared), (row) => tree.name(row));
  const siblings = { version, shared: new SharedWords(names), ofRow: new Map() };
  cache.ofParent.set(parent, siblings);
  return siblings;
}

/** Keeps the ellipsis on the same line as the word beside it. */
const noBreak = '\u00a0';

/**
 * A name without the words that its parent's name already contains, because keyword children repeat their head words:
 * "trail running shoes women" inside "trail running shoes" reads "… women". Case does not matter; words keep their
 * order.
 *
 * Only words at the beginning or end are dropped, and never all of them.
 */
export function smartLabel(name: string, parentName: string): string {
  if (parentName === '' || name.length <= parentName.length) return name;
  const [lower, above] = [name.toLowerCase(), parentName.toLowerCase()];
  const isBegin = lower.startsWith(`${above} `);
  if (!isBegin && !lower.endsWith(` ${above}`)) return name;
  const words = name.split(' ');
  const dropped = parentName.split(' ').length;
  return isBegin ? `…${noBreak}${words.slice(dropped).join(' ')}` : `${words.slice(0, -dropped).join(' ')}${noBreak}…`;
}

/** If not even the first remaining word fits, drops the ellipsis before it, which would only take up room. */
export function uncutLabel(label: string, hasRoom: (text: string) => boolean): string {
  const mark = `…${noBreak}`;
  return label.startsWith(mark) && !hasRoom(label.split(' ', 1)[0]!) ? label.slice(mark.length) : label;
}

/** Words at the start or end of a name are dropped if at least so many siblings share them. */
const minSharers = 3;
/** Dropping less than this saves nothing, because an ellipsis replaces it. In UTF-16 units. */
const minDropped = 4;

/** The number of names that begin with some words, and the words that follow. */
type Sharers = { count: number; readonly next: Set<string> };

/**
 * The words that siblings have in common: "add blog to website", "add chat to website" and "add forum to website" share
 * "add" and "to website". Case does not matter. Words are separated by blanks.
 */
export class SharedWords {
  readonly #heads = new Map<string, Sharers>();
  readonly #tails = new Map<string, Sharers>();

  /** Cost: the words of all names. */
  constructor(names: readonly string[]) {
    for (const name of names) {
      const words = wordsOf(name);
      count(this.#heads, words);
      count(this.#tails, words.toReversed());
    }
  }

  /**
   * The name without a start and without an end that other names share and continue differently. The remainder must
   * distinguish it from them: "how to …" does not if many names begin that way.
   */
  shortened(name: string): readonly string[] {
    const words = wordsOf(name);
    const head = sharedBy(this.#heads, words).find((at) => isDistinctive(this.#tails, words.slice(at).reverse()));
    const tail = sharedBy(this.#tails, words.toReversed()).find((at) =>
      isDistinctive(this.#heads, words.slice(0, -at)),
    );
    const short = [head && withoutHead(name, head), tail && withoutTail(name, tail)];
    return short.filter((text) => typeof text === 'string');
  }

  /**
   * The name without its entire shared start, even if other names have the same remainder; the name itself if it shares
   * none.
   */
  beheaded(name: string): string {
    const [head] = sharedBy(this.#heads, wordsOf(name));
    return (head && withoutHead(name, head)) || name;
  }
}

const wordsOf = (name: string) => name.toLowerCase().split(' ');

function withoutHead(name: string, head: number): string | undefined {
  const words = name.split(' ');
  return isWorthIt(words.slice(0, head)) ? `…${noBreak}${words.slice(head).join(' ')}` : undefined;
}

function withoutTail(name: string, tail: number): string | undefined {
  const words = name.split(' ');
  return isWorthIt(words.slice(-tail)) ? `${words.slice(0, -tail).join(' ')}${noBreak}…` : undefined;
}

const isWorthIt = (dropped: readonly string[]) => dropped.join(' ').length >= minDropped;

function count(sharers: Map<string, Sharers>, words: readonly string[]): void {
  let key = '';
  for (let i = 0; i < words.length; i++) {
    key = `${key} ${words[i]}`;
    const entry = sharers.get(key) ?? { count: 0, next: new Set() };
    entry.count++;
    entry.next.add(words[i + 1] ?? '');
    sharers.set(key, entry);
  }
}

const isDistinctive = (sharers: ReadonlyMap<string, Sharers>, rest: readonly string[]) =>
  (sharers.get(keyOf(rest))?.count ?? 0) < minSharers;

const keyOf = (words: readonly string[]) => words.map((word) => ` ${word}`).join('');

/** How many of the first words are shared: as many as possible, but never all of them. */
function sharedBy(sharers: ReadonlyMap<string, Sharers>, words: readonly string[]): readonly number[] {
  const lengths: number[] = [];
  let key = '';
  for (let i = 0; i < words.length - 1; i++) {
    key = `${key} ${words[i]}`;
    const entry = sharers.get(key);
    if (!entry || entry.count < minSharers) break;
    if (entry.next.size > 1) lengths.unshift(i + 1);
  }
  return lengths;
}
