import { SearchKey } from '../names/text-key.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { grown } from '../upload/release.ts';
import type { GrowingTables, NameColumns } from '../upload/upload-tables.ts';

type Nodes = GrowingTables['nodes'];

/** Which node names differ from their search fold, and the length of those folds. */
export type NodeFolds = {
  /** The size of the folded name in bytes, by node; {@link isUnfolded} and {@link isLong} are markers. */
  readonly length: Uint16Array;
  /** The sizes marked as {@link isLong}, by node. */
  readonly long: ReadonlyMap<number, number>;
  /** The number of nodes whose name differs from its fold. */
  readonly count: number;
};

/** Marks a name that equals its fold. */
export const isUnfolded = 0xffff;
/** Marks a size that does not fit in 16 bits. */
export const isLong = 0xfffe;

const sameName = 2 ** 32 - 1;

/**
 * Folds every name once, while nodes arrive, to find the ones that differ. Those are folded again when they are
 * written.
 */
export class FoldLengths {
  readonly #loop: NameLoop | undefined;
  readonly #measure = new FoldMeasure();
  #length = new Uint16Array(0);
  readonly #long = new Map<number, number>();
  #count = 0;
  #done = 0;
  /** Nodes that were still open when they were reached. */
  readonly #later: number[] = [];

  /** @param loop folds many names at a time, if it can run */
  constructor(loop?: NameLoop) {
    this.#loop = loop;
  }

  /** Processes the nodes that have arrived. */
  advance(nodes: Nodes): void {
    this.#length = grown(this.#length, Uint16Array, nodes.byteStart.length, this.#done);
    if (this.#loop) this.#foldMany(this.#loop, nodes);
    else for (; this.#done < nodes.rows; this.#done++) this.#measureOrDefer(nodes, this.#done);
  }

  /** Call when all nodes have arrived. */
  finish(nodes: Nodes): NodeFolds {
    this.advance(nodes);
    for (const node of this.#later) this.#put(node, this.#measure.lengthOf(nodes, node));
    return { length: this.#length.subarray(0, nodes.rows), long: this.#long, count: this.#count };
  }

  /** In file order, because names are stored in that order. */
  #foldMany(loop: NameLoop, nodes: Nodes): void {
    const { foldLengths, isLeft } = loop;
    while (this.#done < nodes.rows) {
      const from = this.#done;
      const brought = loop.bring(nodes, from, nodes.rows);
      loop.fold();
      for (let at = 0; at < brought; at++) {
        const node = from + at;
        if (isLeft[at] === 1 || nodes.byteEnd[node] === 0) this.#measureOrDefer(nodes, node);
        else if (foldLengths[at] === sameName) this.#length[node] = isUnfolded;
        else this.#put(node, foldLengths[at]!);
      }
      this.#done = from + brought;
    }
  }

  #measureOrDefer(nodes: Nodes, node: number): void {
    if (nodes.byteEnd[node] === 0) this.#later.push(node);
    else this.#put(node, this.#measure.lengthOf(nodes, node));
  }

  #put(node: number, length: number | undefined): void {
    if (length === undefined) {
      this.#length[node] = isUnfolded;
      return;
    }
    this.#count++;
    this.#length[node] = Math.min(length, isLong);
    if (length >= isLong) this.#long.set(node, length);
  }
}

/** Measures folded names one by one. */
export class FoldMeasure {
  readonly #fold = new SearchKey();

  /** The size of a folded name in bytes; undefined if the name equals its fold. */
  lengthOf({ names, nameStart, nameLength }: NameColumns, row: number): number | undefined {
    const start = nameStart[row]!;
    const length = nameLength[row]!;
    const folded = this.#fold.write(names, start, start + length);
    return folded === length && isSame(this.#fold.buffer.bytes, names, start, folded) ? undefined : folded;
  }
}

function isSame(folded: Uint8Array, names: Uint8Array, start: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (folded[index] !== names[start + index]) return false;
  return true;
}
