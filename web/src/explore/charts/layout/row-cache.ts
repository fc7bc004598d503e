import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';

/**
 * What was computed of single rows of a tree. It forgets everything when the tree holds other content, because a row
 * number is another node then.
 */
export class RowCache<Value> {
  readonly #values = new Map<number, Value>();
  #content: Content | undefined;

  /** Call it before every use: says which tree the rows are of from now on. */
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
