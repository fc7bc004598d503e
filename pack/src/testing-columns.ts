import type { EntryColumns } from './upload-tables.ts';

/** An entry of an upload in a test; what is left out is unknown. */
export type TestEntry = {
  readonly name: string;
  readonly volume: number;
  readonly difficulty?: number;
  readonly cpc?: number;
  readonly competition?: number;
  readonly position?: number;
  readonly intent?: number;
};

/** The columns of some entries. Byte ranges are made up: ten bytes each from `firstByte` on. */
export function entryColumns(entries: readonly TestEntry[], firstByte: number): EntryColumns {
  const encoded = entries.map((entry) => new TextEncoder().encode(entry.name));
  const nameStart = new Float64Array(entries.length + 1);
  for (const [row, name] of encoded.entries()) nameStart[row + 1] = nameStart[row]! + name.length;
  const names = new Uint8Array(nameStart[entries.length]!);
  for (const [row, name] of encoded.entries()) names.set(name, nameStart[row]!);
  return {
    rows: entries.length,
    names,
    nameStart: nameStart.slice(0, entries.length),
    nameLength: Uint32Array.from(encoded, (name) => name.length),
    byteStart: Float64Array.from(entries, (_, row) => firstByte + 10 * row),
    byteEnd: Float64Array.from(entries, (_, row) => firstByte + 10 * row + 10),
    metrics: {
      volume: Float64Array.from(entries, (entry) => entry.volume),
      difficulty: Float32Array.from(entries, (entry) => entry.difficulty ?? Number.NaN),
      cpc: Float32Array.from(entries, (entry) => entry.cpc ?? Number.NaN),
      competition: Float32Array.from(entries, (entry) => entry.competition ?? Number.NaN),
      position: Float32Array.from(entries, (entry) => entry.position ?? Number.NaN),
      intent: Uint8Array.from(entries, (entry) => entry.intent ?? 0),
    },
  };
}
