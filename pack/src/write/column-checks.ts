import { firstFrom } from '../format/order-of-numbers.ts';
import {
  noRow,
  numberKinds,
  PackDamaged,
  type PackField,
  type PackMetadata,
  type Part,
} from '../format/pack-format.ts';
import { lastMember } from '../upload/member-sets.ts';
import { release } from '../upload/release.ts';
import { mostSimilar } from '../upload/similar-nodes.ts';
import { trendMonths } from '../upload/trend-text.ts';
import type { Numbers } from './pack-values.ts';

/** Checks the columns of a pack while they arrive, in order. */
export type ColumnChecks = {
  /**
   * Absent for a column that has nothing to check. For texts, receives their starts: two words each, low word first.
   */
  readonly of: { readonly [Name in Part['name']]?: ColumnCheck };
  /** The expected number of values in a column, or of starts for texts. */
  lengthOf(part: Part): number;
  /** Call after all columns. */
  finish(): void;
};

/**
 * Checks the shape of the tree, roll-ups that can be derived from other columns, byte ranges and counts.
 *
 * Memory: at most 14 bytes per row at a time, and about 80 per branch.
 * @param bytesOf the size of all texts in a column, in bytes
 */
export function createColumnChecks(metadata: PackMetadata, bytesOf: (name: 'name' | 'fold') => number): ColumnChecks {
  const { nodes, notInHierarchy, branches, types, fields, trend } = metadata;
  if (nodes < 1) throw new PackDamaged('no root');
  const rows = nodes + notInHierarchy;
  const shape = new TreeShape({ nodes, branches, depth: metadata.depth });
  const isKeyword = new Uint8Array(rows);
  const leafKeywords = new Uint32Array(branches);
  const leafVolume = new Float64Array(branches);
  /** The total length of each kind of list. */
  const lengths = { folded: 0, own_trend: 0, trend: 0, merged: 0, similar: 0 };
  const hasTrend = new Uint8Array(trend ? branches : 0);
  const ranges = createRangeChecks(rows, metadata.sourceBytes);
  const previous = createPreviousCheck(nodes, rows, isKeyword);
  const loaded = createLoadedColumns(branches);
  const keywords = loaded.column('keywords', Uint32Array);
  const repeats = loaded.column('repeats', Uint32Array);
  const volume = loaded.column('volume', Float64Array);
  const of: { [Name in Part['name']]?: ColumnCheck } = {
    parent: shape.parent,
    depth: shape.depth,
    type: numbersBelow('type', types.length),
    name: textStarts('name', () => bytesOf('name')),
    folded: listStarts(lengths, 'folded', (length) => length === 1),
    fold: textStarts('fold', () => bytesOf('fold')),
    is_keyword: {
      take(numbers, from) {
        isKeyword.set(numbers, from);
        shape.addLeaves(leafKeywords, numbers, from, isKeyword);
      },
    },
    previous: previous.check,
    own_volume: { take: (numbers, from) => shape.addLeaves(leafVolume, numbers, from, isKeyword) },
    node_start: { take: ranges.start.take, end: () => previous.end(ranges.starts()) },
    node_end: ranges.end,
    keyword_start: ranges.start,
    keyword_end: ranges.end,
    merged: listStarts(lengths, 'merged', (length) => length % 2 === 0),
    merged_range: rangePairs(metadata.sourceBytes),
    similar: listStarts(lengths, 'similar', (length) => length <= mostSimilar),
    similar_row: {
      take(numbers, from) {
        for (let at = 0; at < numbers.length; at++)
          if (numbers[at] === 0 || numbers[at]! >= nodes)
            throw new PackDamaged(`similar node ${from + at} is row ${numbers[at]}`);
      },
    },
    own_trend: listStarts(lengths, 'own_trend', isYear),
    branch: shape.branch,
    first_child: shape.same('first_child', shape.firstChild),
    child_count: shape.same('child_count', shape.childCount),
    leaves: loaded.check('leaves', Uint32Array, (found) =>
      shape.checkSums('leaves', found, found, shape.childCount, 1),
    ),
    nodes: loaded.check('nodes', Uint32Array, (found) => {
      const ownAndChildren = shape.childCount.map((count) => count + 1);
      shape.checkSums('nodes', found, found, ownAndChildren, 1);
    }),
    keywords: loaded.check('keywords', Uint32Array),
    repeats: loaded.check('repeats', Uint32Array),
    position_weighed: loaded.check('position_weighed', Uint32Array, (found) =>
      checkKnown('the weight of positions', found, keywords),
    ),
    volume: loaded.check('volume', Float64Array),
    child_keywords: loaded.check('child_keywords', Uint32Array, (found) =>
      shape.checkSums('child_keywords', found, keywords, leafKeywords),
    ),
    child_volume: loaded.check('child_volume', Float64Array, (found) =>
      shape.checkSums('child_volume', found, volume, leafVolume),
    ),
    trend: listStarts(lengths, 'trend', isYear, hasTrend),
    trend_known: loaded.check('trend_known', Uint32Array, (known) => {
      checkKnown('the trend', known, keywords);
      for (let at = 0; at < branches; at++)
        if (hasTrend[at] !== Number(known[at]! > 0)) throw new PackDamaged(`months in trend ${at}`);
    }),
    ...Object.assign({}, ...fields.map((field) => fieldChecks(field, keywords, loaded))),
  };
  return {
    of,
    lengthOf({ name, kind, over }) {
      if (over === 'folds') return 2 * (lengths.folded + 1);
      if (over === 'merged') return lengths.merged;
      if (over === 'similar') return lengths.similar;
      if (over === 'months of rows') return lengths.own_trend;
      if (over === 'months of branches') return lengths.trend;
      const count = over === 'rows' ? rows : branches;
      if (name === 'name') return 2 * (count + 1);
      if (kind === 'list') return count + 1;
      return count * numberKinds[kind as keyof typeof numberKinds].perRow;
    },
    finish() {
      // Every keyword node counts in the root, once or as a repeat. Together with the keywords that no node names,
      // these are all keywords.
      let found = 0;
      for (let row = 0; row < nodes; row++) found += isKeyword[row]!;
      const counted = branches > 0 ? keywords[0]! : isKeyword[0]!;
      const repeated = branches > 0 ? repeats[0]! : 0;
      if (lengths.merged !== 2 * metadata.merged)
        throw new PackDamaged(`${lengths.merged / 2} merged entries, not ${metadata.merged}`);
      if (lengths.similar !== (metadata.similar ?? 0))
        throw new PackDamaged(`${lengths.similar} similar nodes, not ${metadata.similar ?? 0}`);
      if (counted + repeated !== found) throw new PackDamaged(`${found} keyword nodes, the root counts ${counted}`);
      if (previous.count() !== repeated)
        throw new PackDamaged(`${previous.count()} further occurrences, the root counts ${repeated}`);
    },
  };
}

function createLoadedColumns(branches: number): LoadedColumns {
  const columns = new Map<string, Numbers>();
  const column = <A extends Numbers>(name: string, array: new (length: number) => A): A => {
    const found = columns.get(name) ?? new array(branches);
    columns.set(name, found);
    return found as A;
  };
  return {
    column,
    check(name, array, end) {
      const found = column(name, array);
      return { take: (numbers, from) => found.set(numbers, from), end: () => end?.(found) };
    },
  };
}

/** Checks the byte ranges of values in the uploaded file, which arrive as a column of starts and then a column of ends. */
function createRangeChecks(rows: number, sourceBytes: number) {
  let starts = new Uint32Array(0);
  return {
    starts: () => starts,
    start: {
      take(numbers, from) {
        if (starts.length === 0) starts = new Uint32Array(rows);
        starts.set(numbers, from);
      },
    } satisfies ColumnCheck,
    end: {
      take(numbers, from) {
        for (let at = 0; at < numbers.length; at++) {
          if (starts[from + at]! > numbers[at]! || numbers[at]! > sourceBytes)
            throw new PackDamaged(`byte range of row ${from + at}`);
        }
      },
      end() {
        release(starts);
        starts = new Uint32Array(0);
      },
    } satisfies ColumnCheck,
  };
}

/** Checks that every repeat refers to an earlier keyword of the file, and no two to the same one. */
function createPreviousCheck(nodes: number, rows: number, isKeyword: Uint8Array) {
  let previous = new Uint32Array(0);
  let count = 0;
  return {
    /** The number of repeats. */
    count: () => count,
    check: {
      take(numbers, from) {
        if (previous.length === 0) previous = new Uint32Array(rows);
        previous.set(numbers, from);
      },
    } satisfies ColumnCheck,
    /** @param start the start of each row's value in the uploaded file */
    end(start: Uint32Array): void {
      const isTaken = new Uint8Array(previous.length);
      for (let row = 0; row < Math.min(nodes, previous.length); row++) {
        const before = previous[row]!;
        if (before === noRow) continue;
        const isRight = isKeyword[row] === 1 && isKeyword[before] === 1 && start[before]! < start[row]!;
        if (!isRight || isTaken[before] === 1)
          throw new PackDamaged(`the keyword of row ${row} stood in row ${before}`);
        isTaken[before] = 1;
        count++;
      }
      release(previous);
    },
  };
}

/** Checks the byte ranges of merged entries in the uploaded file: start and end alternate. */
function rangePairs(sourceBytes: number): ColumnCheck {
  let start = 0;
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at++) {
        if ((from + at) % 2 === 0) start = numbers[at]!;
        else if (start > numbers[at]! || numbers[at]! > sourceBytes)
          throw new PackDamaged(`byte range of merged entry ${(from + at - 1) / 2}`);
      }
    },
  };
}

const isYear = (months: number): boolean => months === trendMonths;

/**
 * Checks the starts of lists.
 *
 * @param lengths receives the total length of all lists
 * @param fits whether a list that is not empty may have this length
 * @param isThere by list, set to 1 if it is not empty
 */
function listStarts<Name extends string>(
  lengths: { [_ in Name]: number },
  name: Name,
  fits: (length: number) => boolean,
  isThere?: Uint8Array,
): ColumnCheck {
  let before = 0;
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at++) {
        const step = numbers[at]! - before;
        if (step === 0) continue;
        if (step < 0 || !fits(step) || from + at === 0) throw new PackDamaged(`${step} in ${name} ${from + at - 1}`);
        if (isThere) isThere[from + at - 1] = 1;
        before = numbers[at]!;
      }
    },
    end() {
      lengths[name] = before;
    },
  };
}

/** Checks the starts of texts, two words each: they must ascend and end with the size of all texts. */
function textStarts(name: string, bytes: () => number): ColumnCheck {
  let before = 0;
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at += 2) {
        const start = numbers[at]! + numbers[at + 1]! * 2 ** 32;
        if (start < before || (from + at === 0 && start > 0)) throw new PackDamaged(`${name} ${(from + at) / 2}`);
        before = start;
      }
    },
    end() {
      if (before !== bytes()) throw new PackDamaged(`${name}s do not fill their place`);
    },
  };
}

/** Checks that values are listed in the metadata, and that no branch knows a field for more keywords than it has. */
function fieldChecks(
  field: PackField,
  keywords: Uint32Array,
  loaded: LoadedColumns,
): { [Name in Part['name']]?: ColumnCheck } {
  const { name } = field;
  if (field.kind === 'number') {
    const sum = loaded.column(`sum:${name}`, Float64Array);
    return {
      [`sum:${name}`]: loaded.check(`sum:${name}`, Float64Array),
      [`weighed:${name}`]: loaded.check(`weighed:${name}`, Uint32Array, (found) => checkKnown(name, found, keywords)),
      [`known:${name}`]: loaded.check(`known:${name}`, Uint32Array, (known) => {
        checkKnown(name, known, keywords);
        for (let at = 0; at < known.length; at++)
          if (Number.isNaN(sum[at]) !== (known[at] === 0))
            throw new PackDamaged(`${name} of branch ${at} is ${sum[at]}`);
      }),
    };
  }
  const top = loaded.column(`top:${name}`, Uint8Array);
  const count = loaded.column(`top_count:${name}`, Uint32Array);
  const { values } = field;
  return {
    [`field:${name}`]: field.kind === 'set' ? setsBelow(name, values.length) : numbersBelow(name, values.length),
    [`top:${name}`]: loaded.check(`top:${name}`, Uint8Array),
    [`top_count:${name}`]: loaded.check(`top_count:${name}`, Uint32Array),
    [`known:${name}`]: loaded.check(`known:${name}`, Uint32Array, (known) => {
      checkKnown(name, known, keywords);
      checkCounts(field, known);
      for (let at = 0; at < known.length; at++) {
        const isThere = top[at]! > 0 && top[at]! < values.length && count[at]! > 0;
        if (count[at]! > known[at]! || isThere !== known[at]! > 0) throw new PackDamaged(`${name} of branch ${at}`);
      }
    }),
  };
}

/** Checks the members of sets, two words per row. */
function setsBelow(name: string, end: number): ColumnCheck {
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at += 2) {
        const last = lastMember(numbers[at]!, numbers[at + 1]!);
        if (last >= end) throw new PackDamaged(`${name} of row ${(from + at) / 2} is value ${last}`);
      }
    },
  };
}

/** Checks that the counts in the metadata equal those of the root. */
function checkCounts({ name, kind, values, counts }: Exclude<PackField, { kind: 'number' }>, known: Uint32Array): void {
  const counted = kind === 'set' ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0);
  const isRight = kind === 'set' ? counted <= known[0]! : counted === known[0];
  if (counts.length !== values.length || (known.length > 0 && !isRight)) {
    throw new PackDamaged(`${name} counts ${counted} keywords`);
  }
}

/** Checks the numbers of dictionary values. */
function numbersBelow(name: string, end: number): ColumnCheck {
  return {
    take(numbers, from) {
      for (let at = 0; at < numbers.length; at++)
        if (numbers[at]! >= end) throw new PackDamaged(`${name} of row ${from + at} is value ${numbers[at]}`);
    },
  };
}

function checkKnown(name: string, known: Numbers, keywords: Uint32Array): void {
  for (let at = 0; at < known.length; at++) {
    if (known[at]! > keywords[at]!) throw new PackDamaged(`${name} of branch ${at} is known of ${known[at]} keywords`);
  }
}

/** Branch columns that other columns are compared with. */
type LoadedColumns = {
  /** The column as an array, which is filled when `check` receives its numbers. */
  column<A extends Numbers>(name: string, array: new (length: number) => A): A;
  check<A extends Numbers>(name: string, array: new (length: number) => A, end?: (found: A) => void): ColumnCheck;
};

/** The check of a column while its numbers arrive, in order. */
type ColumnCheck = {
  /** @param from the index of the first of these numbers in the column */
  take(numbers: Numbers, from: number): void;
  /** Called at the end of the column. */
  end?(): void;
};

/** Totals of the pack that its tree is checked against. */
type TreeSize = { readonly nodes: number; readonly branches: number; readonly depth: number };

/**
 * The shape of a tree from its `parent` column, which all other columns are compared with.
 *
 * Memory: 16 bytes per branch.
 */
class TreeShape {
  readonly #size: TreeSize;
  /** By branch: its row, followed by one row past the end. */
  readonly rowOf: Uint32Array;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  /** By branch, the branch of its row's parent; 0 for the root. */
  readonly above: Uint32Array;
  /** The first row of each level. */
  readonly #levels = [0];
  #branches = 0;
  #before = -1;

  constructor(size: TreeSize) {
    this.#size = size;
    this.rowOf = new Uint32Array(size.branches + 1).fill(noRow);
    this.firstChild = new Uint32Array(size.branches);
    this.childCount = new Uint32Array(size.branches);
    this.above = new Uint32Array(size.branches);
  }

  /** Checks that rows are breadth first: the children of each row follow in the order of their parents, without gaps. */
  readonly parent: ColumnCheck = {
    take: (numbers, from) => {
      const end = nodesIn(numbers, from, this.#size.nodes);
      let before = this.#before;
      let at = 0;
      if (from === 0) {
        if (numbers[0] !== 0) throw new PackDamaged('no root');
        at = 1;
      }
      for (; at < end; at++) {
        const above = numbers[at]!;
        if (above === before) continue;
        if (above < before || above >= from + at) throw new PackDamaged(`row ${from + at} is no child of row ${above}`);
        this.#beginRun(above, from + at);
        before = above;
      }
      this.#before = before;
      expectAll(numbers, end, noRow, (row) => `row ${from + row} is in the hierarchy`);
    },
    end: () => {
      const { nodes, branches, depth } = this.#size;
      this.#endRun(nodes);
      if (this.#branches !== branches) throw new PackDamaged(`${this.#branches} branches, expected ${branches}`);
      if (this.#levels.length - 1 !== depth)
        throw new PackDamaged(`depth ${this.#levels.length - 1}, expected ${depth}`);
      for (let branch = 1, run = 0; branch < branches; branch++) {
        while (this.rowOf[branch]! >= this.firstChild[run]! + this.childCount[run]!) run++;
        this.above[branch] = run;
      }
    },
  };

  readonly depth: ColumnCheck = {
    take: (numbers, from) => {
      const { nodes } = this.#size;
      const levels = this.#levels;
      const end = nodesIn(numbers, from, nodes);
      let level = levelOf(levels, from);
      for (let at = 0; at < end; level++) {
        const stop = Math.min(end, (levels[level + 1] ?? nodes) - from);
        for (; at < stop; at++)
          if (numbers[at] !== level) throw new PackDamaged(`row ${from + at} has depth ${numbers[at]}`);
      }
      expectAll(numbers, end, 0, (row) => `row ${from + row} has a depth`);
    },
  };

  /** Checks the number of each row's branch; for a row without children, that of the next branch. */
  readonly branch: ColumnCheck = {
    take: (numbers, from) => {
      const { rowOf } = this;
      let next = firstFrom(rowOf, from - 1);
      for (let at = 0; at < numbers.length; at++) {
        if (rowOf[next] === from + at - 1) next++;
        if (numbers[at] !== next) throw new PackDamaged(`branch of row ${from + at}`);
      }
    },
  };

  /** @param expected by branch */
  same(name: string, expected: Uint32Array): ColumnCheck {
    return {
      take(numbers, from) {
        for (let at = 0; at < numbers.length; at++) {
          if (numbers[at] !== expected[from + at]) throw new PackDamaged(`${name} of branch ${from + at}`);
        }
      },
    };
  }

  /** Adds the number of each leaf to its branch: for a run of rows starting at `from`, those that `isWanted`. */
  addLeaves(sums: Uint32Array | Float64Array, numbers: Numbers, from: number, isWanted: Uint8Array): void {
    const { rowOf, firstChild, childCount } = this;
    const end = nodesIn(numbers, from, this.#size.nodes);
    const first = Math.max(1, from);
    let next = firstFrom(rowOf, first);
    let run = Math.max(0, firstFrom(firstChild, first + 1) - 1);
    for (let row = first; row < from + end; row++) {
      while (row >= firstChild[run]! + childCount[run]!) run++;
      if (row === rowOf[next]) next++;
      else if (isWanted[row] === 1) sums[run]! += numbers[row - from]! || 0;
    }
  }

  /**
   * Checks that each number of a column is the sum of the leaves among a branch's children plus another column's values
   * for the branches among them.
   *
   * @param base by branch; @param less subtracted for each branch among the children
   */
  checkSums(
    name: string,
    found: Uint32Array | Float64Array,
    ofBranches: Uint32Array | Float64Array,
    base: Uint32Array | Float64Array,
    less = 0,
  ): void {
    const expected = Float64Array.from(base);
    for (let branch = 1; branch < expected.length; branch++)
      expected[this.above[branch]!]! += (ofBranches[branch]! || 0) - less;
    for (let branch = 0; branch < expected.length; branch++) {
      // Volumes need not be integers, and sums of fractions depend on their order.
      if (Math.abs(found[branch]! - expected[branch]!) > 1e-9 * Math.abs(expected[branch]!)) {
        throw new PackDamaged(`${name} of branch ${branch} is ${found[branch]}, expected ${expected[branch]}`);
      }
    }
  }

  #beginRun(above: number, row: number): void {
    this.#endRun(row);
    const branch = this.#branches++;
    if (branch === this.#size.branches) throw new PackDamaged(`more branches than ${branch}`);
    this.rowOf[branch] = above;
    this.firstChild[branch] = row;
    // The children of a parent on the last level start a new level.
    if (above >= this.#levels.at(-1)!) this.#levels.push(row);
  }

  #endRun(row: number): void {
    const last = this.#branches - 1;
    if (last >= 0) this.childCount[last] = row - this.firstChild[last]!;
  }
}

/** The number of a column's next numbers that belong to nodes. */
function nodesIn(numbers: Numbers, from: number, nodes: number): number {
  return Math.max(0, Math.min(numbers.length, nodes - from));
}

function expectAll(numbers: Numbers, from: number, value: number, what: (at: number) => string): void {
  for (let at = from; at < numbers.length; at++) if (numbers[at] !== value) throw new PackDamaged(what(at));
}

/** The last level that starts at or before a row. */
function levelOf(levels: readonly number[], row: number): number {
  let low = 0;
  let high = levels.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (levels[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
