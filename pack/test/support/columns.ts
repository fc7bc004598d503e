import { type EntryColumns, emptyMetric, type MetricColumns, type MetricName } from '../../src/upload/upload-tables.ts';

/** An upload entry in a test; omitted members are unknown. */
export type TestEntry = {
  readonly name: string;
  readonly volume: number;
  readonly difficulty?: number;
  readonly cpc?: number;
  readonly competition?: number;
  readonly position?: number;
  readonly intent?: number;
};

/** The columns of some entries. Byte ranges are invented: ten bytes each, starting at `firstByte`. */
export function entryColumns(entries: readonly TestEntry[], firstByte: number): EntryColumns {
  const encoded = entries.map((entry) => new TextEncoder().encode(entry.name));
  const nameStart = new Uint32Array(entries.length + 1);
  for (const [row, name] of encoded.entries()) nameStart[row + 1] = nameStart[row]! + name.length;
  const names = new Uint8Array(nameStart[entries.length]!);
  for (const [row, name] of encoded.entries()) names.set(name, nameStart[row]!);
  return {
    rows: entries.length,
    names,
    nameStart: nameStart.slice(0, entries.length),
    nameLength: Uint32Array.from(encoded, (name) => name.length),
    byteStart: Uint32Array.from(entries, (_, row) => firstByte + 10 * row),
    byteEnd: Uint32Array.from(entries, (_, row) => firstByte + 10 * row + 10),
    metrics: knownColumns({
      volume: Float64Array.from(entries, (entry) => entry.volume),
      difficulty: Float32Array.from(entries, (entry) => entry.difficulty ?? Number.NaN),
      cpc: Float32Array.from(entries, (entry) => entry.cpc ?? Number.NaN),
      competition: Float32Array.from(entries, (entry) => entry.competition ?? Number.NaN),
      position: Float32Array.from(entries, (entry) => entry.position ?? Number.NaN),
      intent: Uint8Array.from(entries, (entry) => entry.intent ?? 0),
    }),
  };
}

/** Columns as a reader returns them: absent if no value is known. */
export function knownColumns(columns: MetricColumns): MetricColumns {
  const isKnown = (column: Iterable<number>) => [...column].some((value) => value > 0 || value === 0);
  const known = Object.entries(columns).filter(([name, column]) =>
    name === 'intent' ? [...column].some((bits) => bits > 0) : isKnown(column),
  );
  return Object.fromEntries(known) as MetricColumns;
}

/** The same entries with different values of one metric. */
export function withMetric<E extends EntryColumns>(entries: E, name: MetricName, values: readonly number[]): E {
  const column = emptyMetric(name, entries.rows);
  column.set(values);
  return { ...entries, metrics: { ...entries.metrics, [name]: column } };
}
