import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Family, familyOf } from './family.ts';
import type { GoneWeights } from './gone.ts';
import type { LayoutOptions } from './layout.ts';
import { RowCache } from './row-cache.ts';

/**
 * The families of the branches of a layout, each computed when first requested and again when its children change. A
 * new slice affects a few branches; whatever layouts compute from the others stays valid as long as the family is the
 * same object.
 */
export class Families {
  readonly #known = new RowCache<{ readonly family: Family; readonly madeAt: number }>();
  #tree: LoadedTree | undefined;
  #sizeBy: SizeBy = 'keywords';
  #hasFigures = true;
  #gone: GoneWeights | undefined;
  #goneFor: readonly unknown[] = [];

  /** Sets the tree, the size encoding and whether what is gone is drawn, for the following requests. */
  begin(tree: LoadedTree, { sizeBy, goneWeights }: Pick<LayoutOptions, 'sizeBy' | 'goneWeights'>): void {
    // A field of the file counts only once all rows have it.
    const hasFigures = sizeBy === 'equal' || figuresOf(tree, sizeBy) !== undefined;
    this.#known.begin(tree);
    if (sizeBy !== this.#sizeBy || hasFigures !== this.#hasFigures) this.#known.clear();
    const goneFor = [tree.content, tree.version, sizeBy, goneWeights];
    if (goneFor.some((part, i) => part !== this.#goneFor[i])) {
      const gone = goneWeights?.(tree, sizeBy);
      if ((gone === undefined) !== (this.#gone === undefined)) this.#known.clear();
      this.#gone = gone;
      this.#goneFor = goneFor;
    }
    this.#tree = tree;
    this.#sizeBy = sizeBy;
    this.#hasFigures = hasFigures;
  }

  of(row: number): Family {
    const tree = this.#tree!;
    const known = this.#known.get(row);
    const madeAt = tree.touched(row);
    if (known?.madeAt === madeAt) return known.family;
    const family = familyOf(tree, row, this.#sizeBy, this.#gone);
    this.#known.set(row, { family, madeAt });
    return family;
  }
}
