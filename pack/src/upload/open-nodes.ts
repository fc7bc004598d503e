import { memberKind, nodeKeywords, rankShift } from './upload-members.ts';

const HAS_NAME = 1;
const HAS_CHILDREN = 2;
const HAS_KEYWORDS = 4;
/** Above the rank of any spelling of a name. */
const NO_NAME = 255;

/** What is known of the nodes that are open, by level; the root's is 1. */
export class OpenNodes {
  readonly #rows: Uint32Array;
  readonly #flags: Uint8Array;
  /** The rank of the spelling that the name stands under. */
  readonly #nameRanks: Uint8Array;

  constructor(levels: number) {
    this.#rows = new Uint32Array(levels);
    this.#flags = new Uint8Array(levels);
    this.#nameRanks = new Uint8Array(levels);
  }

  open(level: number, row: number): void {
    this.#rows[level] = row;
    this.#flags[level] = 0;
    this.#nameRanks[level] = NO_NAME;
  }

  row(level: number): number {
    return this.#rows[level]!;
  }

  hasName(level: number): boolean {
    return (this.#flags[level]! & HAS_NAME) !== 0;
  }

  setName(level: number): void {
    this.#flags[level]! |= HAS_NAME;
  }

  /**
   * Whether a name under this spelling replaces the one before. The preferred spelling with a text wins; of one spelling
   * used twice the last value wins, an empty one included, as in `JSON.parse`.
   */
  takesName(level: number, code: number, isEmpty: boolean): boolean {
    if (!isEmpty || level > 1) this.setName(level);
    const rank = code >>> rankShift;
    const before = this.#nameRanks[level]!;
    if (rank > before || (isEmpty && rank < before)) return false;
    this.#nameRanks[level] = rank;
    return true;
  }

  /** A list of children begins. @returns which it is where the node has had one like it, else undefined */
  repeatedList(level: number, code: number): 'children' | 'keywords' | undefined {
    const flag = code === nodeKeywords ? HAS_KEYWORDS : HAS_CHILDREN;
    const before = this.#flags[level]!;
    this.#flags[level] = before | flag;
    if ((before & flag) === 0) return undefined;
    return code === memberKind.children ? 'children' : 'keywords';
  }
}
