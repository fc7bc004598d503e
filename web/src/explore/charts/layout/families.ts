import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Family, familyOf } from './family.ts';
import { RowCache } from './row-cache.ts';

/**
 * The families of a layout's branches, each made when it is first asked for and again when its children are others. A
 * slice that arrives touches a few branches; what the layouts compute of all the others still holds while the family is
 * the same object.
 */
export class Families {
  readonly #known = new RowCache<{ readonly family: Family; readonly madeAt: number }>();
  #tree: LoadedTree | undefined;
  #sizeBy: SizeBy = 'keywords';
  #hasFigures = true;

  /** Says what is asked for from now on. */
  begin(tree: LoadedTree, sizeBy: SizeBy): void {
    // A field of the file counts from when all rows have it.
    const hasFigures = sizeBy === 'equal' || figuresOf(tree, sizeBy) !== undefined;
    this.#known.begin(tree);
    if (sizeBy !== this.#sizeBy || hasFigures !== this.#hasFigures) this.#known.clear();
    this.#tree = tree;
    this.#sizeBy = sizeBy;
    this.#hasFigures = hasFigures;
  }

  of(row: number): Family {
    const tree = this.#tree!;
    const known = this.#known.get(row);
    const madeAt = tree.touched(row);
    if (known?.madeAt === madeAt) return known.family;
    const family = familyOf(tree, row, this.#sizeBy);
    this.#known.set(row, { family, madeAt });
    return family;
  }
}
