import { isStrayType } from '@kc/pack/levels/level';
import {
  type MarkField,
  type MarkTopic,
  markTopics,
  readStamped,
  stampedName,
  topicOf,
} from '@kc/pack/slice/mark-fields';
import type { Slice, WholeKnown } from '@kc/pack/slice/slice';
import { shownName } from '@kc/rules/visible-text';
import { ChildIndex } from './child-index.ts';
import { allocateColumns, type Columns, firstFrom, growColumns, writeSlice } from './columns.ts';
import { type LoadedField, LoadedFields } from './loaded-fields.ts';

/** The children of a row that are not loaded: exact totals, see `Slice`. All 0 if every child is loaded. */
export type Tail = {
  readonly nodes: number;
  readonly keywords: number;
  readonly volume: number;
  readonly leaves: number;
};

const newContent = () => Object.freeze({}) as Content;
const noTail: Tail = { nodes: 0, keywords: 0, volume: 0, leaves: 0 };
const firstCapacity = 4096;
/** A name may begin with U+FEFF, which is part of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The identity of a tree's content, compared with `===`. Merges keep it, because a row remains the same node. Another
 * filter creates a new one, because row numbers then identify other nodes.
 */
export type Content = { readonly content: unique symbol };

/**
 * The loaded part of the tree of one visualization, either of the whole tree or of what a filter keeps. It only grows,
 * by {@link LoadedTree.merge}, until another filter replaces all of it by {@link LoadedTree.become}.
 *
 * A row is a number in `[0, size)` that identifies the same node until then. Row 0 is the root of the whole tree (pack
 * row 0), and every row's parent is a smaller row. Columns may be longer than `size`, and are replaced when they grow:
 * read them again after a merge, hoist them out of loops.
 *
 * Merging the same slices in another order gives the same tree, with other row numbers.
 */
export class LoadedTree {
  /** The row of the root; loaded as soon as `size` is not 0. */
  readonly root = 0;
  declare readonly node: Columns['node'];
  declare readonly parent: Columns['parent'];
  declare readonly depth: Columns['depth'];
  declare readonly type: Columns['type'];
  declare readonly childCount: Columns['childCount'];
  declare readonly leaves: Columns['leaves'];
  declare readonly keywords: Columns['keywords'];
  declare readonly ofKeywords: Columns['ofKeywords'];
  declare readonly volume: Columns['volume'];
  declare readonly volumeKnown: Columns['volumeKnown'];
  declare readonly childKeywords: Columns['childKeywords'];
  declare readonly childVolume: Columns['childVolume'];
  declare readonly difficulty: Columns['difficulty'];
  declare readonly difficultyKnown: Columns['difficultyKnown'];
  declare readonly cpc: Columns['cpc'];
  declare readonly cpcKnown: Columns['cpcKnown'];
  /** Four numbers per row: informational, navigational, commercial, transactional. */
  declare readonly intent: Columns['intent'];
  #content = newContent();
  #size = 0;
  #version = 0;
  #columns: Columns;
  #fields = new LoadedFields();
  #types: readonly string[] = [];
  #wholeKnown: WholeKnown = nothingKnown;
  #names = new Uint8Array(firstCapacity * 24);
  #namesLength = 0;
  #decoded: (string | undefined)[] = [];
  /** Names of rows that are shown in place of their own. */
  #shownNames: ReadonlyMap<number, string> = new Map();
  /** Rows by pack row, ascending: to find a node, and to sort siblings in pack order. */
  #byNode = new Int32Array(0);
  #children = new ChildIndex();
  #shape: LoadedTree | undefined;
  /** Undefined in a tree that only waits to replace the content of another one: see {@link become}. */
  #stamps: ReadonlyMap<MarkTopic, string> | undefined;
  /** Slices that arrived before the branch they start from. */
  #waiting: Slice[] = [];

  constructor() {
    this.#columns = this.#show(allocateColumns(firstCapacity));
  }

  /** Makes the columns that others may read properties. They are replaced when they grow. */
  #show(columns: Columns): Columns {
    const { pillar, order, address, nameStart, nameEnd, touched, ...shown } = columns;
    Object.assign(this, shown);
    return columns;
  }

  /** Number of loaded rows. */
  get size(): number {
    return this.#size;
  }
  /** The content that rows refer to. Every cache by row belongs to one content: see `RowCache`. */
  get content(): Content {
    return this.#content;
  }
  /**
   * Increases with every merge that changes anything and with every {@link become}, so a version never repeats: a key
   * for whatever is computed from the whole tree.
   */
  get version(): number {
    return this.#version;
  }
  /** Names of the node types, for `type`. */
  get types(): readonly string[] {
    return this.#types;
  }
  /**
   * For how many keywords of the whole visualization figures are known, regardless of the filter. 0 before the first
   * slice.
   */
  get wholeKnown(): WholeKnown {
    return this.#wholeKnown;
  }
  /**
   * The same rows with the figures of the unfiltered tree, which set the size of marks, if rows that a filter excludes
   * are loaded as well. Otherwise this tree itself.
   */
  get shape(): LoadedTree {
    return this.#shape ?? this;
  }

  /** Whether rows that the filter excludes are loaded beside those it keeps: the server ranks no children then. */
  get hasLeftOut(): boolean {
    return this.#shape !== undefined;
  }

  /** Whether the filter excludes a row that is loaded beside those it keeps. Never true for the root. */
  isLeftOut(row: number): boolean {
    return this.#shape !== undefined && row > 0 && this.#columns.leaves[row] === 0;
  }

  /** Whether a row holds the keywords that are in no topic: it is neither plotted nor planned as if it were one. */
  isStrays(row: number): boolean {
    return this.childCount[row]! > 0 && isStrayType(this.#types[this.type[row]!] ?? '');
  }

  /** Whether every child of every row is loaded. */
  get isComplete(): boolean {
    return this.#size > 0 && this.#children.missing === 0;
  }

  /**
   * A field of the file; undefined before a slice has loaded it. Rows that do not have it yet have `notLoaded`
   * keywords.
   */
  field(name: string): LoadedField | undefined {
    return this.#fields.get(name);
  }

  /** Whether every loaded row has a field. */
  isWhole(name: string): boolean {
    return this.#size > 0 && this.#fields.rowsWith(name) === this.#size;
  }

  /**
   * Sets the comparison and the plan whose fields are shown, by stamp. A comparison with another upload is dropped; an
   * earlier state of the plan stays until every row has the new one.
   */
  showMarks(stamps: ReadonlyMap<MarkTopic, string>): void {
    const isSame = markTopics.every((topic) => this.#stamps?.get(topic) === stamps.get(topic));
    this.#stamps = stamps;
    if (isSame) return;
    this.#dropOutdated();
    this.#version++;
  }

  /** The values of a comparison or of the plan; undefined before a slice has loaded them. */
  markField(field: MarkField): LoadedField | undefined {
    const stamp = this.#stamps?.get(topicOf(field));
    if (stamp === undefined) return undefined;
    const name = stampedName(field, stamp);
    if (this.isWhole(name)) return this.#fields.get(name);
    const earlier = this.#fields.names().findLast((one) => one !== name && readStamped(one)?.field === field);
    return (earlier === undefined ? undefined : this.#fields.get(earlier)) ?? this.#fields.get(name);
  }

  #dropOutdated(): void {
    if (!this.#stamps) return;
    for (const name of this.#fields.names()) {
      const marks = readStamped(name);
      if (!marks) continue;
      const stamp = this.#stamps.get(marks.topic);
      const isNew = stamp === marks.stamp;
      const isReplaced = stamp === undefined || this.isWhole(stampedName(marks.field, stamp));
      if (!isNew && (marks.topic === 'change' || isReplaced)) this.#fields.drop(name);
    }
  }

  /** The row of pack row `node`, -1 if it is not loaded. */
  rowOf(node: number): number {
    const row = this.#byNode[this.#placeOf(node)];
    return row !== undefined && this.#columns.node[row] === node ? row : -1;
  }

  /** Number of loaded rows before pack row `node`. */
  #placeOf(node: number): number {
    const nodes = this.#columns.node;
    return firstFrom(0, this.#byNode.length, (at) => nodes[this.#byNode[at]!]! >= node);
  }

  /** Loaded children, heaviest first in the order of the slices; a view, not a copy. */
  children(row: number): Int32Array {
    return this.#children.rows.subarray(this.#children.start[row], this.#children.start[row + 1]);
  }

  /** Number of loaded children. */
  loadedChildren(row: number): number {
    return this.#children.start[row + 1]! - this.#children.start[row]!;
  }

  tail(row: number): Tail {
    const nodes = this.#columns.childCount[row]! - this.#children.count[row]!;
    if (nodes === 0) return noTail;
    return {
      nodes,
      keywords: this.#columns.childKeywords[row]! - this.#children.keywords[row]!,
      volume: this.#columns.childVolume[row]! - this.#children.volume[row]!,
      leaves: this.#columns.leaves[row]! - this.#children.leaves[row]!,
    };
  }

  /** The ancestor at depth 1 (the row itself there), -1 for the root. */
  pillarOf(row: number): number {
    return this.#columns.pillar[row]!;
  }

  /** As it is shown: see {@link shownName}. */
  name(row: number): string {
    return shownName(this.ownName(row));
  }

  /** As it is in the file, where it may show nothing, or as an edit has named it. Decoded on first use, then cached. */
  ownName(row: number): string {
    const cached = this.#decoded[row];
    if (cached !== undefined) return cached;
    const bytes = this.#names.subarray(this.#columns.nameStart[row], this.#columns.nameEnd[row]);
    const name = utf8.decode(bytes);
    this.#decoded[row] = name;
    return name;
  }

  /**
   * Shows rows under other names: those of edits that are not stored yet. Rows that are not named have their own again.
   * Another content forgets them.
   *
   * @returns whether anything changed
   */
  showNames(names: ReadonlyMap<number, string>): boolean {
    const changed = [...new Set([...names.keys(), ...this.#shownNames.keys()])].filter(
      (row) => names.get(row) !== this.#shownNames.get(row),
    );
    if (changed.length === 0) return false;
    this.#shownNames = names;
    this.#version++;
    const { touched, parent } = this.#columns;
    for (const row of changed) {
      this.#decoded[row] = names.get(row);
      touched[row] = this.#version;
      if (row > 0) touched[parent[row]!] = this.#version;
    }
    return true;
  }

  /** The loaded rows with these addresses, by row. */
  rowsAt<T>(addresses: ReadonlyMap<string, T>): Map<number, T> {
    const halves = [...addresses].map(([address, of]) => ({
      high: Number.parseInt(address.slice(0, 8), 16),
      low: Number.parseInt(address.slice(8), 16),
      of,
    }));
    const found = new Map<number, T>();
    const { address } = this.#columns;
    for (let row = 0; row < this.#size && halves.length > 0; row++)
      for (const { high, low, of } of halves)
        if (address[2 * row] === high && address[2 * row + 1] === low) found.set(row, of);
    return found;
  }

  /**
   * The version in which a row, or one of its loaded children, last changed. Together with {@link content}, a key for
   * whatever is computed from a row and its children. Without the content two nodes could share a key, because each
   * content counts its own versions.
   */
  touched(row: number): number {
    return this.#columns.touched[row]!;
  }

  /** Length of the name in UTF-8 bytes, without decoding it. */
  nameBytes(row: number): number {
    return this.#columns.nameEnd[row]! - this.#columns.nameStart[row]!;
  }

  /** 16 hex digits: the node ID in links. */
  addressOf(row: number): string {
    const half = (part: number) => this.#columns.address[row * 2 + part]!.toString(16).padStart(8, '0');
    return half(0) + half(1);
  }

  /**
   * Adds new rows and overwrites loaded ones: the newest values win. Names are kept, because a pack never renames a
   * node. A slice that starts from a node that is not loaded waits until a later one loads it.
   *
   * @param whole the same rows without the filter, if the slice includes rows that the filter excludes
   */
  merge(slice: Slice, whole?: Slice): void {
    if (whole) {
      this.#shape ??= new LoadedTree();
      this.#shape.merge(whole);
    }
    const rootRow = slice.node[0] === 0 ? 0 : this.rowOf(slice.node[0]!);
    if (rootRow === -1) {
      this.#waiting.push(slice);
      return;
    }
    const before = this.#size;
    const rowAt = this.#place(slice);
    const { touched, parent } = this.#columns;
    const next = this.#version + 1;
    let changed = false;
    const parents = new Set<number>();
    const touch = (row: number) => {
      changed = true;
      touched[row] = next;
      if (row === 0) return;
      touched[parent[row]!] = next;
      parents.add(parent[row]!);
    };
    this.#fields.write(slice.fields, rowAt, touch);
    this.#dropOutdated();
    writeSlice(this.#columns, slice, rowAt, before, touch);
    for (let row = before; row < this.#size; row++) touch(row);
    this.#types = slice.types;
    if (slice.node[0] === 0) this.#wholeKnown = slice.wholeKnown ?? knownOfRoot(slice);
    if (!changed) return;
    this.#children.grow(this.#columns, before, this.#size, parents);
    this.#version = next;
    this.#mergeWaiting();
  }

  /**
   * Replaces the content with that of `other`: another part of the same visualization, or the same under another
   * filter. Row numbers change; `rememberRows` maps them. Do not use `other` afterwards.
   */
  become(other: LoadedTree): void {
    this.#content = other.#content;
    this.#size = other.#size;
    this.#columns = this.#show(other.#columns);
    this.#fields = other.#fields;
    this.#dropOutdated();
    this.#types = other.#types;
    this.#wholeKnown = other.#wholeKnown;
    this.#names = other.#names;
    this.#namesLength = other.#namesLength;
    this.#decoded = other.#decoded;
    this.#shownNames = other.#shownNames;
    this.#byNode = other.#byNode;
    this.#children = other.#children;
    this.#waiting = other.#waiting;
    this.#shape = other.#shape;
    // Above every version in `touched`: a later merge must not repeat one of them.
    this.#version = Math.max(this.#version, other.#version) + 1;
  }

  /** The loaded row of every row of the slice; new rows are appended. */
  #place(slice: Slice): Int32Array {
    const rowAt = new Int32Array(slice.rows);
    const before = this.#size;
    this.#reserve(before + slice.rows);
    for (let i = 0; i < slice.rows; i++) {
      const existing = this.rowOf(slice.node[i]!);
      rowAt[i] = existing === -1 ? this.#append(slice, i, rowAt[slice.parent[i]!]!) : existing;
    }
    this.#insertByNode(before);
    return rowAt;
  }

  #append(slice: Slice, i: number, parent: number): number {
    const row = this.#size++;
    const columns = this.#columns;
    columns.node[row] = slice.node[i]!;
    columns.parent[row] = row === 0 ? -1 : parent;
    columns.pillar[row] = row === 0 ? -1 : parent === 0 ? row : columns.pillar[parent]!;
    this.#appendName(row, slice.names.subarray(slice.nameStart[i], slice.nameStart[i + 1]));
    return row;
  }

  #appendName(row: number, name: Uint8Array): void {
    const end = this.#namesLength + name.length;
    if (end > this.#names.length) {
      const grown = new Uint8Array(Math.max(end, this.#names.length * 2));
      grown.set(this.#names);
      this.#names = grown;
    }
    this.#names.set(name, this.#namesLength);
    this.#columns.nameStart[row] = this.#namesLength;
    this.#columns.nameEnd[row] = end;
    this.#namesLength = end;
  }

  #reserve(rows: number): void {
    const capacity = this.#columns.node.length;
    if (rows > capacity) this.#columns = this.#show(growColumns(this.#columns, Math.max(rows, capacity * 2)));
    if (this.#columns.node.length !== this.#fields.capacity) this.#fields.reserve(this.#columns.node.length);
  }

  /** Merges the rows from `first` on, which ascend by pack row as in slices, into the order by pack row. */
  #insertByNode(first: number): void {
    if (first === this.#size) return;
    const merged = new Int32Array(this.#size);
    const node = this.#columns.node;
    // A branch is contiguous in the pack: nothing changes before its first row and after its last one.
    let old = this.#placeOf(node[first]!);
    const end = this.#placeOf(node[this.#size - 1]!);
    merged.set(this.#byNode.subarray(0, old));
    let at = old;
    for (let fresh = first; old < end || fresh < this.#size; at++) {
      const takeOld = old < end && (fresh === this.#size || node[this.#byNode[old]!]! < node[fresh]!);
      merged[at] = takeOld ? this.#byNode[old++]! : fresh++;
    }
    merged.set(this.#byNode.subarray(end, first), at);
    this.#byNode = merged;
  }

  #mergeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const slice of waiting) this.merge(slice);
  }
}

const nothingKnown: WholeKnown = { volume: 0, difficulty: 0, cpc: 0, intent: 0 };

/** What an unfiltered slice knows: its first row is the root. */
const knownOfRoot = ({ volumeKnown, difficultyKnown, cpcKnown, intent }: Slice): WholeKnown => ({
  volume: volumeKnown[0]!,
  difficulty: difficultyKnown[0]!,
  cpc: cpcKnown[0]!,
  intent: intent.subarray(0, 4).reduce((sum, count) => sum + count, 0),
});
