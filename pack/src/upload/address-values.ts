import { ByteMap } from '../json/byte-map.ts';
import { BlockColumn, blockRows, rowMask, type Table } from './field-blocks.ts';
import { isUnknown } from './spelling.ts';
import type { CategoryField } from './upload-tables.ts';

/** The maximum number of different values of each part: what fits in a byte next to "unknown". */
const maxValues = 255;
/** Of longer addresses, only directory and host are kept. */
const maxAddressBytes = 512;
/** Longer texts do not count as addresses. */
const maxTextBytes = 4096;
const shifts = { whole: 0, directory: 8, host: 16 } as const;
type Part = keyof typeof shifts;
/** Marks a text that is an address. */
const ADDRESS = 1 << 24;

/**
 * The addresses (URLs) of a field while it is read, as three categories: the address, its directory and its host. A
 * site with a million pages has too many addresses for a category, but few directories.
 *
 * Memory: 4 bytes per row, in blocks of rows that have addresses, and at most 255 values of each part.
 */
export class AddressValues {
  /** The number of rows with an address. */
  known = 0;
  /** Why the addresses themselves do not become a category. */
  withheld: 'values' | 'long' | undefined;
  readonly #isStrict: boolean;
  readonly #codesOfParts = new BlockColumn(() => new Uint32Array(blockRows));
  /** Codes by value; `undefined` once there are too many values. */
  readonly #codes: Record<Part, Map<string, number> | undefined> = {
    whole: new Map([['', 0]]),
    directory: new Map([['', 0]]),
    host: new Map([['', 0]]),
  };
  readonly #cache = new ByteMap((text) => this.#learn(text), 256);

  /** @param isStrict whether only texts that begin with `http` are addresses, because the field may also hold names */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  get bytes(): number {
    return this.#codesOfParts.bytes;
  }

  add(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    if (end - start > maxTextBytes) return;
    const parts = this.#cache.get(bytes, start, end);
    if (parts === 0) return;
    if (end - start > maxAddressBytes) this.#giveUp('long');
    const block = this.#codesOfParts.at(table, row);
    if (block[row & rowMask] === 0) this.known++;
    block[row & rowMask] = parts;
  }

  /** The columns, finest part first. A part is left out if it has too many values, or adds nothing to the others. */
  finish(name: string, nodes: number, keywords: number): CategoryField[] {
    const { whole, directory, host } = this.#codes;
    const hosts = host ? host.size - 1 : maxValues + 1;
    const directories = directory ? directory.size - 1 : maxValues + 1;
    const wholes = whole && this.withheld === undefined ? whole.size - 1 : maxValues + 1;
    const wanted: [Part, string, boolean][] = [
      ['whole', name, wholes <= maxValues],
      ['directory', `${name} (directory)`, directories <= maxValues && directories > hosts && directories < wholes],
      ['host', `${name} (host)`, hosts <= maxValues && hosts > 1 && hosts < wholes],
    ];
    const ofNodes = this.#codesOfParts.join(0, () => new Uint32Array(nodes));
    const ofKeywords = this.#codesOfParts.join(1, () => new Uint32Array(keywords));
    return wanted.flatMap(([part, title, isWanted]): CategoryField[] => {
      if (!isWanted) return [];
      const values = [...this.#codes[part]!.keys()];
      return [
        {
          name: title,
          kind: 'category',
          is: 'url',
          values: part === 'directory' && hosts === 1 ? values.map(withoutHost) : values,
          nodes: ofNodes && codesOf(ofNodes, part),
          keywords: ofKeywords && codesOf(ofKeywords, part),
        },
      ];
    });
  }

  release(): void {
    this.#codesOfParts.release();
  }

  #giveUp(why: 'values' | 'long'): void {
    this.withheld ??= why;
    this.#codes.whole = undefined;
  }

  /** The codes of the parts of an address, 0 for any other text. */
  #learn(text: string): number {
    const address = text.trim();
    const parts = isUnknown(address) ? undefined : partsOf(address, this.#isStrict);
    if (!parts) return 0;
    let codes = ADDRESS;
    for (const part of Object.keys(shifts) as Part[]) codes |= this.#codeOf(part, parts[part]) << shifts[part];
    return codes;
  }

  #codeOf(part: Part, value: string): number {
    const codes = this.#codes[part];
    if (!codes) return 0;
    const code = codes.get(value) ?? codes.size;
    if (code > maxValues) {
      if (part === 'whole') this.#giveUp('values');
      this.#codes[part] = undefined;
      return 0;
    }
    codes.set(value, code);
    return code;
  }
}

/** The codes of one part, by row. */
function codesOf(rows: Uint32Array, part: Part): Uint8Array {
  const codes = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) codes[row] = (rows[row]! >>> shifts[part]) & 0xff;
  return codes;
}

const address = /^(?:https?:)?\/\/([^/?#\s]+)([^?#]*)/iu;
/** "example.com/shoes" or "/shoes". */
const looseAddress = /^((?:[^\s/?#.:]+\.)+\p{L}{2,}(?::\d+)?)?(\/[^?#]*|(?=[?#])|$)/u;

/**
 * The parts of an address: `https://shop.example/trail/mud?x=1` is on the host `shop.example`, in the directory
 * `shop.example/trail/`. A page directly below the host is in the directory `/`. Undefined for any other text.
 */
function partsOf(text: string, isStrict: boolean): Record<Part, string> | undefined {
  const strict = address.exec(text);
  const [, host = '', path = ''] = strict ?? (isStrict ? [] : (looseAddress.exec(text) ?? []));
  if (host === '' && path === '') return undefined;
  const [, first] = /^\/([^/]+)\//u.exec(path) ?? [];
  const lower = host.toLowerCase();
  return { whole: text, directory: first === undefined ? `${lower}/` : `${lower}/${first}/`, host: lower };
}

const withoutHost = (directory: string): string => directory.slice(Math.max(0, directory.indexOf('/')));
