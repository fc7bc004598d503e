import { CLOSE, type JsonMemory, OPEN, STRING } from '../json/json-memory.ts';
import type { GrowingTable } from './upload-columns.ts';
import { memberKind } from './upload-members.ts';
import { CHILDREN, KEYWORDS, NODE } from './upload-plan.ts';
import { maxTypeBytes, maxTypes, type UploadTypes } from './upload-types.ts';

/** Adds the simplest entries, which are most rows of most files, once all their records are on the tape. */
export class UploadLeaves {
  readonly #nodes: GrowingTable;
  readonly #keywords: GrowingTable;
  readonly #types: UploadTypes;
  readonly #maxRows: number;

  constructor(nodes: GrowingTable, keywords: GrowingTable, types: UploadTypes, maxRows: number) {
    this.#nodes = nodes;
    this.#keywords = keywords;
    this.#types = types;
    this.#maxRows = maxRows;
  }

  /**
   * Adds a keyword that is only a text, or a node with only a name and an optional type.
   *
   * @param from the tape index of the entry's first word; @param base the position of the block in the file
   * @param parent row of the open node
   * @returns the number of tape words used; 0 for any other entry
   */
  add({ bytes, view, tape }: JsonMemory, from: number, words: number, base: number, parent: number): number {
    const at = tape[from + 2]!;
    if (tape[from] === (STRING | (KEYWORDS << 4))) {
      const end = tape[from + 3]!;
      if (this.#keywords.rows === this.#maxRows) return 0;
      this.#keywords.add(base + at, base + end, view, at + 1, end - 1);
      return 4;
    }
    if (tape[from] !== (OPEN | (CHILDREN << 4)) || from + 12 > words) return 0;
    if (tape[from + 4] !== (STRING | (NODE << 4)) || tape[from + 5] !== memberKind.name) return 0;
    let close = from + 8;
    let type = 0;
    if (tape[close] === (STRING | (NODE << 4)) && tape[close + 1] === memberKind.type && close + 8 <= words) {
      const length = tape[close + 3]! - tape[close + 2]! - 2;
      if (length > maxTypeBytes) return 0;
      type = length === 0 ? 0 : this.#types.numberOf(bytes, tape[close + 2]! + 1, tape[close + 3]! - 1);
      close += 4;
    }
    if (tape[close] !== (CLOSE | (NODE << 4)) || type > maxTypes || this.#nodes.rows === this.#maxRows) return 0;
    const row = this.#nodes.add(base + at, base + tape[close + 3]!, view, tape[from + 6]! + 1, tape[from + 7]! - 1);
    this.#nodes.parent[row] = parent;
    this.#nodes.type[row] = type;
    return close + 4 - from;
  }
}
