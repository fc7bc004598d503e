import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import { parseXml } from './xml.ts';
import { WorkbookError, type ZipEntry } from './zip.ts';

const maxTextBytes = 256 * 2 ** 20;
const blockBits = 20;
const blockBytes = 1 << blockBits;
const indexBits = 14;
const indexRows = 1 << indexBits;
/** What the place of a text takes, in bytes. */
const placeBytes = 8;
/** In characters. A cell of Excel holds 32,767. */
const longestText = 1 << 20;

/**
 * The texts that the cells of a workbook refer to by number, as UTF-8. They are stored in blocks that are never copied; a text longer than a block
 * has its own.
 */
export class SharedTexts {
  readonly #blocks: Uint8Array[] = [];
  /** Where each text starts: the number of the block, then the byte in it, as one number. */
  readonly #starts: Uint32Array[] = [];
  readonly #lengths: Uint32Array[] = [];
  #count = 0;
  #used = blockBytes;
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes = maxTextBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Undefined for a number that no text has. */
  get(number: number): string | undefined {
    if (!(Number.isInteger(number) && number >= 0 && number < this.#count)) return undefined;
    const start = this.#starts[number >>> indexBits]![number & (indexRows - 1)]!;
    const length = this.#lengths[number >>> indexBits]![number & (indexRows - 1)]!;
    const from = start & (blockBytes - 1);
    return decoder.decode(this.#blocks[start >>> blockBits]!.subarray(from, from + length));
  }

  add(text: string): void {
    const needed = 3 * text.length;
    if (this.#used + needed > (this.#blocks.at(-1)?.length ?? 0)) {
      const block = new Uint8Array(Math.max(blockBytes, needed));
      this.#take(block.length);
      this.#blocks.push(block);
      this.#used = 0;
    }
    const { written } = encoder.encodeInto(text, this.#blocks.at(-1)!.subarray(this.#used));
    const [row, index] = [this.#count & (indexRows - 1), this.#count >>> indexBits];
    if (row === 0) {
      this.#take(placeBytes * indexRows);
      this.#starts.push(new Uint32Array(indexRows));
      this.#lengths.push(new Uint32Array(indexRows));
    }
    this.#starts[index]![row] = ((this.#blocks.length - 1) << blockBits) + this.#used;
    this.#lengths[index]![row] = written;
    this.#used += written;
    // A text cannot start beyond the first block's worth of bytes of a larger block.
    if (this.#used >= blockBytes) this.#used = Number.POSITIVE_INFINITY;
    this.#count++;
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new WorkbookError('texts');
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the shared texts of a workbook: the runs of each item, without phonetic readings. */
export async function readSharedTexts(source: ByteSource, entry: ZipEntry): Promise<SharedTexts> {
  const texts = new SharedTexts();
  let item = '';
  let isText = false;
  let phonetic = 0;
  await parseXml(source, entry, {
    open(name) {
      if (name === 'si') item = '';
      else if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    text(text) {
      if (!isText) return;
      item += text;
      if (item.length > longestText) throw new WorkbookError('texts');
    },
    close(name) {
      isText = false;
      if (name === 'rPh') phonetic--;
      if (name === 'si') texts.add(item);
    },
  });
  return texts;
}
