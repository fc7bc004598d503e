import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Columns, Form, Marks, Want, Zooms } from './layout.ts';

/** A buffer for marks: columns that are reused between layouts and grow when necessary. */
export class MarksBuffer {
  count = 0;
  kind = new Uint8Array(0);
  isGone = new Uint8Array(0);
  row = new Int32Array(0);
  parent = new Int32Array(0);
  firstChild = new Int32Array(0);
  childEnd = new Int32Array(0);
  x0 = new Float64Array(0);
  y0 = new Float64Array(0);
  x1 = new Float64Array(0);
  y1 = new Float64Array(0);
  header = new Float32Array(0);
  level = new Uint16Array(0);
  hidden = new Float64Array(0);
  hiddenKeywords = new Float64Array(0);
  hiddenVolume = new Float64Array(0);
  wants: Want[] = [];
  isUnfinished = false;
  /** Whether the budget left something out. */
  isShort = false;

  /** Starts a new layout of at most `capacity` marks. */
  reset(capacity: number): void {
    this.count = 0;
    this.wants = [];
    this.isUnfinished = false;
    this.isShort = false;
    if (capacity <= this.kind.length) return;
    this.kind = new Uint8Array(capacity);
    this.isGone = new Uint8Array(capacity);
    this.row = new Int32Array(capacity);
    this.parent = new Int32Array(capacity);
    this.firstChild = new Int32Array(capacity);
    this.childEnd = new Int32Array(capacity);
    this.x0 = new Float64Array(capacity);
    this.y0 = new Float64Array(capacity);
    this.x1 = new Float64Array(capacity);
    this.y1 = new Float64Array(capacity);
    this.header = new Float32Array(capacity);
    this.level = new Uint16Array(capacity);
    this.hidden = new Float64Array(capacity);
    this.hiddenKeywords = new Float64Array(capacity);
    this.hiddenVolume = new Float64Array(capacity);
  }

  /**
   * Adds a mark. Children of one parent must be added consecutively. @returns the new mark, with nothing hidden and no
   * header
   */
  add(
    kind: number,
    row: number,
    parent: number,
    level: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): number {
    const i = this.count++;
    this.kind[i] = kind;
    this.isGone[i] = 0;
    this.row[i] = row;
    this.parent[i] = parent;
    this.firstChild[i] = 0;
    this.childEnd[i] = 0;
    if (parent >= 0) {
      if (this.childEnd[parent] === 0) this.firstChild[parent] = i;
      this.childEnd[parent] = i + 1;
    }
    this.level[i] = level;
    this.x0[i] = x0;
    this.y0[i] = y0;
    this.x1[i] = x1;
    this.y1[i] = y1;
    this.header[i] = 0;
    this.hide(i, 0, 0, 0);
    return i;
  }

  /** Makes mark `i` stand for `nodes` children. */
  hide(i: number, nodes: number, keywords: number, volume: number): void {
    this.hidden[i] = nodes;
    this.hiddenKeywords[i] = keywords;
    this.hiddenVolume[i] = volume;
  }

  /** Requests the children of a row after the loaded ones. @param weight see `Want` */
  want(tree: LoadedTree, row: number, weight: number): void {
    this.wants.push({ node: tree.node[row]!, skip: tree.loadedChildren(row), weight });
  }

  marks<F extends Form>(form: F, extent: Marks['extent'], zooms: Zooms = 'both'): Columns & F {
    this.wants.sort((a, b) => b.weight - a.weight);
    return { ...form, ...this.#columns(), extent, zooms };
  }

  #columns(): Omit<Columns, 'extent' | 'zooms'> {
    return this;
  }
}
