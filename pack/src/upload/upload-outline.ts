import type { MetricName } from './metric-columns.ts';
import { UnrecognisedNames } from './unrecognised.ts';
import { GrowingTable } from './upload-columns.ts';

/** What is known of a file from its check alone, which keeps no columns. */
export type UploadOutline = {
  /** '' until it was read. */
  readonly rootName: string;
  /** Children of the root. */
  readonly pillars: number;
  /** Branches below the pillars. */
  readonly clusters: number;
  /** The deepest level that was seen; the root stands on 0. */
  readonly depth: number;
  /** How often each node type stands in the hierarchy, the most frequent first. */
  readonly types: readonly { readonly name: string; readonly nodes: number }[];
  /** Searches a month over the entries of `keywords` that tell them, and how many do. */
  readonly volume: { readonly sum: number; readonly known: number };
  /** Members of keywords and nodes of which it is not known what they mean, as the file spells them; the first 64. */
  readonly unrecognised: readonly string[];
  /** The pillars with the most leaves, the heaviest first; those that are closed already. */
  readonly top: readonly OutlinePillar[];
  /** Leaves of the other pillars. */
  readonly restLeaves: number;
};

export type OutlinePillar = {
  readonly name: string;
  readonly leaves: number;
  /** Leaves of its heaviest children, in falling order, and of all others together last. */
  readonly parts: readonly number[];
};

/** Of more pillars, or children of one, only the first are told apart. */
const keptPillars = 1_000;
const keptParts = 200;
const shownPillars = 24;
const shownParts = 16;
const shownTypes = 12;
const nameBytes = 200;

type Pillar = { name: string; leaves: number; parts: number[]; partsRest: number };
const newPillar = (): Pillar => ({ name: '', leaves: 0, parts: [], partsRest: 0 });

/** Hears the nodes of a hierarchy open and close, and keeps counts and its two upper levels. Levels: the root's is 1. */
export class OutlineWriter {
  /** By the type's number. */
  readonly #types: number[] = [];
  readonly #kept: Pillar[] = [];
  readonly #unrecognised = new UnrecognisedNames();
  #rootName = '';
  #pillars = 0;
  #clusters = 0;
  #depth = 0;
  #restLeaves = 0;
  #pillar = newPillar();
  #partLeaves = 0;

  open(level: number, row: number, parent: number): void {
    if (level - 1 > this.#depth) this.#depth = level - 1;
    // A node's first child stands right after it: now the node is known to be a branch.
    if (level > 3 && row === parent + 1) this.#clusters++;
    if (level === 2) {
      this.#pillars++;
      this.#pillar = newPillar();
    } else if (level === 3) this.#partLeaves = 0;
  }

  /** @param last row of the node that was opened last */
  close(level: number, row: number, last: number): void {
    if (row === last) {
      this.#pillar.leaves++;
      this.#partLeaves++;
    }
    if (level === 3) {
      if (this.#pillar.parts.length < keptParts) this.#pillar.parts.push(this.#partLeaves);
      else this.#pillar.partsRest += this.#partLeaves;
    } else if (level === 2) {
      if (this.#kept.length < keptPillars) this.#kept.push(this.#pillar);
      else this.#restLeaves += this.#pillar.leaves;
    }
  }

  name(level: number, bytes: Uint8Array, start: number, end: number): void {
    if (level > 2 || (level === 2 && this.#kept.length === keptPillars)) return;
    const text = decode(bytes, start, end);
    if (level === 1) this.#rootName = text;
    else this.#pillar.name = text;
  }

  /** The name of a member of a keyword or a node: called when it is first met. */
  member(name: string): void {
    this.#unrecognised.add(name);
  }

  type(number: number): void {
    this.#types[number] = (this.#types[number] ?? 0) + 1;
  }

  /** @param types names of the types by their numbers */
  outline(types: readonly string[], keywords: CountedTable): UploadOutline {
    const pillars = this.#kept.toSorted((one, other) => other.leaves - one.leaves);
    const others = pillars.slice(shownPillars).reduce((sum, { leaves }) => sum + leaves, 0);
    return {
      rootName: this.#rootName,
      pillars: this.#pillars,
      clusters: this.#clusters,
      depth: this.#depth,
      types: types
        .map((name, number) => ({ name, nodes: this.#types[number] ?? 0 }))
        .filter(({ nodes }) => nodes > 0)
        .sort((one, other) => other.nodes - one.nodes)
        .slice(0, shownTypes),
      volume: { sum: keywords.volume, known: keywords.known },
      unrecognised: this.#unrecognised.names,
      top: pillars.slice(0, shownPillars).map(({ name, leaves, parts, partsRest }) => ({
        name,
        leaves,
        parts: heaviest(parts, partsRest),
      })),
      restLeaves: this.#restLeaves + others,
    };
  }
}

function heaviest(parts: readonly number[], more: number): number[] {
  const falling = parts.toSorted((one, other) => other - one);
  const rest = falling.slice(shownParts).reduce((sum, leaves) => sum + leaves, more);
  return [...falling.slice(0, shownParts), ...(rest > 0 ? [rest] : [])];
}

/** A table of which nothing is kept but how many rows it has, and their volumes together. */
export class CountedTable extends GrowingTable {
  volume = 0;
  /** Rows that tell their volume. */
  known = 0;
  #row = -1;
  #rowVolume = 0;

  /** A preferred spelling further on in the same row replaces the one before. */
  override setMetric(row: number, name: MetricName, value: number): void {
    if (name !== 'volume') return;
    if (row === this.#row) this.volume -= this.#rowVolume;
    else this.known++;
    this.#row = row;
    this.#rowVolume = value;
    this.volume += value;
  }
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  const cut = Math.min(end, start + nameBytes);
  const text = new TextDecoder().decode(bytes.subarray(start, cut));
  return cut < end ? `${text.replace(/\uFFFD$/, '')}…` : text;
}
