import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';

/**
 * A cache of values computed per row of a tree. It is cleared when the content of the tree changes, because row numbers
 * then identify other nodes.
 */
export class RowCache<Value> {
  readonly #values = new Map<number, Value>();
  #content: Content | undefined;

  /** Call before every use: sets the tree that the rows belong to. */
  begin({ content }: LoadedTree): void {
    if (content !== this.#content) this.clear();
    this.#content = content;
  }

  get(row: number): Value | undefined {
    return this.#values.get(row);
  }

  set(row: number, value: Value): void {
    this.#values.set(row, value);
  }

  clear(): void {
    this.#values.clear();
  }
}
