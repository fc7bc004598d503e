import { memberKind, nodeKeywords, rankShift } from './upload-members.ts';

const HAS_NAME = 1;
const HAS_CHILDREN = 2;
const HAS_KEYWORDS = 4;
/** Greater than the rank of any spelling of a name. */
const NO_NAME = 255;

/** The state of the open nodes, by level. The root has level 1. */
export class OpenNodes {
  readonly #rows: Uint32Array;
  readonly #flags: Uint8Array;
  /** The rank of the spelling that the current name came from. */
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
   * Whether a name with this spelling replaces the previous one. The preferred spelling with a text wins. If a spelling
   * occurs twice the last value wins, even an empty one, as in `JSON.parse`.
   */
  takesName(level: number, code: number, isEmpty: boolean): boolean {
    if (!isEmpty || level > 1) this.setName(level);
    const rank = code >>> rankShift;
    const before = this.#nameRanks[level]!;
    if (rank > before || (isEmpty && rank < before)) return false;
    this.#nameRanks[level] = rank;
    return true;
  }

  /**
   * Call when a list of children starts. @returns the name of the list if the node already has one of this kind,
   * otherwise undefined
   */
  repeatedList(level: number, code: number): 'children' | 'keywords' | undefined {
    const flag = code === nodeKeywords ? HAS_KEYWORDS : HAS_CHILDREN;
    const before = this.#flags[level]!;
    this.#flags[level] = before | flag;
    if ((before & flag) === 0) return undefined;
    return code === memberKind.children ? 'children' : 'keywords';
  }
}
