import { normalForm } from '@kc/pack/names/normal-form';

/** Pieces of text with their log probabilities, in the order of their numbers. */
export type Vocabulary = readonly (readonly [piece: string, logProbability: number])[];

/** The first numbers are those of control symbols, not of pieces. 0 stands for text that no piece covers. */
const controlPieces = 6;
const unknown = 0;
/** An unknown letter is less likely than any piece. */
const unknownLogProbability = -20;

/**
 * Cuts a text into its most likely pieces (SentencePiece unigram model; Kudo, 2018). A space is part of the piece after it. Neighbouring unknown
 * letters become one unknown piece.
 */
export function sentencePieces(vocabulary: Vocabulary): (text: string) => number[] {
  const tree = new PieceTree(vocabulary);
  return (text) => {
    const joined = `\u2581${normalForm(text, 'NFKC').replaceAll(' ', '\u2581')}`;
    const best = new Float64Array(joined.length + 1).fill(Number.NEGATIVE_INFINITY);
    const piece = new Int32Array(joined.length + 1);
    const length = new Int32Array(joined.length + 1);
    best[0] = 0;
    const offer = (end: number, chance: number, number: number, size: number): void => {
      if (chance <= best[end]!) return;
      best[end] = chance;
      piece[end] = number;
      length[end] = size;
    };
    for (let start = 0; start < joined.length; start++) {
      let node = 0;
      for (let size = 1; start + size <= joined.length; size++) {
        node = tree.below(node, joined.charCodeAt(start + size - 1));
        if (node < 0) break;
        const number = tree.piece[node]!;
        if (number >= 0) offer(start + size, best[start]! + vocabulary[number]![1], number, size);
      }
      offer(start + 1, best[start]! + unknownLogProbability, unknown, 1);
    }
    const found: number[] = [];
    for (let end = joined.length; end > 0; end -= length[end]!) found.push(piece[end]!);
    found.reverse();
    return found.filter((number, at) => number !== unknown || found[at - 1] !== unknown);
  };
}

/** A trie: each prefix of a piece is a node. */
class PieceTree {
  /** The piece that ends at each node; −1 for none. */
  readonly piece: number[] = [-1];
  /** Its edges, in a hash table with open addressing: node and letter as one key, −1 for a free slot; and the node that they lead to. */
  private readonly keys: Float64Array;
  private readonly nodes: Int32Array;

  constructor(vocabulary: Vocabulary) {
    const letters = vocabulary.reduce((sum, [piece]) => sum + piece.length, 0);
    const slots = 2 ** Math.ceil(Math.log2(2 * letters + 2));
    this.keys = new Float64Array(slots).fill(-1);
    this.nodes = new Int32Array(slots);
    for (let number = controlPieces; number < vocabulary.length; number++) this.add(vocabulary[number]![0], number);
  }

  /** @returns −1 if no piece begins like that */
  below(node: number, letter: number): number {
    const slot = this.slotOf(node, letter);
    return this.keys[slot] === -1 ? -1 : this.nodes[slot]!;
  }

  private add(text: string, number: number): void {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      const slot = this.slotOf(node, letter);
      if (this.keys[slot] === -1) {
        this.keys[slot] = node * 65_536 + letter;
        this.nodes[slot] = this.piece.length;
        this.piece.push(-1);
      }
      node = this.nodes[slot]!;
    }
    this.piece[node] = number;
  }

  private slotOf(node: number, letter: number): number {
    const last = this.keys.length - 1;
    const key = node * 65_536 + letter;
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(letter, 0x85ebca6b)) >>> 8;
    for (slot &= last; this.keys[slot] !== -1 && this.keys[slot] !== key; ) slot = (slot + 1) & last;
    return slot;
  }
}
