import { UnrecognisedNames } from './unrecognised.ts';
import { GrowingTable } from './upload-columns.ts';
import type { MetricName } from './upload-tables.ts';

/** A summary of a file from a check, which keeps no columns. */
export type UploadOutline = {
  /** '' until it has been read. */
  readonly rootName: string;
  /** The number of children of the root. */
  readonly pillars: number;
  /** The number of branches below the pillars. */
  readonly clusters: number;
  /** The deepest level so far; the root is at 0. */
  readonly depth: number;
  /** How often each node type occurs in the hierarchy, most frequent first. */
  readonly types: readonly { readonly name: string; readonly nodes: number }[];
  /** The sum of monthly searches over the `keywords` entries that state them, and the number of those entries. */
  readonly volume: { readonly sum: number; readonly known: number };
  /** The first 64 members of keywords and nodes with unknown meaning, in the spelling of the file. */
  readonly unrecognised: readonly string[];
  /** The pillars with the most leaves, largest first; only completed ones. */
  readonly top: readonly OutlinePillar[];
  /** The number of leaves of the other pillars. */
  readonly restLeaves: number;
};

type OutlinePillar = {
  readonly name: string;
  readonly leaves: number;
  /** Leaves of the largest children in descending order, followed by the sum of all others. */
  readonly parts: readonly number[];
};

/** The maximum number of pillars, and of children of a pillar, that are counted separately. */
const keptPillars = 1_000;
const keptParts = 200;
const shownPillars = 24;
const shownParts = 16;
const shownTypes = 12;
const nameBytes = 200;

type Pillar = { name: string; leaves: number; parts: number[]; partsRest: number };
const newPillar = (): Pillar => ({ name: '', leaves: 0, parts: [], partsRest: 0 });

/** Counts the nodes of a hierarchy as they open and close, and keeps its two upper levels. The root has level 1. */
export class OutlineWriter {
  /** Counts by type number. */
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
    // The first child directly follows its parent, so the parent is now known to be a branch.
    if (level > 3 && row === parent + 1) this.#clusters++;
    if (level === 2) {
      this.#pillars++;
      this.#pillar = newPillar();
    } else if (level === 3) this.#partLeaves = 0;
  }

  /** @param last the row of the most recently opened node */
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

  /** Call for the first occurrence of a member name of a keyword or a node. */
  member(name: string): void {
    this.#unrecognised.add(name);
  }

  type(number: number): void {
    this.#types[number] = (this.#types[number] ?? 0) + 1;
  }

  /** @param types type names by type number */
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

/** A table that keeps only its number of rows and the sum of their volumes. */
export class CountedTable extends GrowingTable {
  volume = 0;
  /** The number of rows with a known volume. */
  known = 0;
  #row = -1;
  #rowVolume = 0;

  /** A preferred spelling later in the same row replaces the previous value. */
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
