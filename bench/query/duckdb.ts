import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { PackReader } from '../../pack/src/format/pack-reader.ts';
import { gatherSlice } from '../../pack/src/slice/take-slice.ts';
import { importPeer, installPeers } from '../peers/install-peers.ts';

/** The parts of @duckdb/node-api that are used: the package is installed by the first benchmark that needs it. */
type Chunk = { rowCount: number; setColumns(columns: readonly (readonly unknown[])[]): void };
type Appender = { appendDataChunk(chunk: Chunk): void; closeSync(): void };
/** A result in DuckDB's own chunks: the conversion to JavaScript values is not measured. */
type Answer = { getRowsJS(): unknown[][] };
type Prepared = { runAndReadAll(): Promise<Answer> };
export type Connection = {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<Prepared>;
  runAndReadAll(sql: string): Promise<Answer>;
  createAppender(table: string): Promise<Appender>;
  closeSync(): void;
};
type DuckDB = {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
  DuckDBDataChunk: { create(types: readonly unknown[], rows: number): Chunk };
} & Record<'UINTEGER' | 'DOUBLE' | 'FLOAT' | 'VARCHAR' | 'BOOLEAN', unknown>;

/**
 * Columns of the table and their types: what a slice contains for a node, null for unknown, and whether it is a
 * keyword.
 */
const columns = [
  ['row', 'UINTEGER'],
  ['parent', 'UINTEGER'],
  ['depth', 'UINTEGER'],
  ['type', 'UINTEGER'],
  ['name', 'VARCHAR'],
  ['address_high', 'UINTEGER'],
  ['address_low', 'UINTEGER'],
  ['child_count', 'UINTEGER'],
  ['leaves', 'UINTEGER'],
  ['keywords', 'UINTEGER'],
  ['volume', 'DOUBLE'],
  ['volume_known', 'UINTEGER'],
  ['child_keywords', 'DOUBLE'],
  ['child_volume', 'DOUBLE'],
  ['difficulty', 'FLOAT'],
  ['difficulty_known', 'UINTEGER'],
  ['cpc', 'FLOAT'],
  ['cpc_known', 'UINTEGER'],
  ['informational', 'UINTEGER'],
  ['navigational', 'UINTEGER'],
  ['commercial', 'UINTEGER'],
  ['transactional', 'UINTEGER'],
  ['is_keyword', 'BOOLEAN'],
] as const;

/** What a slice contains for a node; the last column of the table is for filters. */
export const sliceColumns = columns.slice(0, -1).map(([name]) => name);

/** Rows per chunk. */
const chunkRows = 2048;

/** A database with one row per node, sorted like the pack, which is also the best order for DuckDB. */
export async function makeDatabase(path: string, pack: PackReader): Promise<void> {
  installPeers();
  if (existsSync(path)) return;
  await rm(`${path}.part`, { force: true });
  const duckdb = (await importPeer('@duckdb/node-api')) as DuckDB;
  const instance = await duckdb.DuckDBInstance.create(`${path}.part`);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE nodes (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`);
  const appender = await connection.createAppender('nodes');
  const types = columns.map(([, type]) => duckdb[type]);
  for (let from = 0; from < pack.metadata.nodes; from += chunkRows) {
    const length = Math.min(chunkRows, pack.metadata.nodes - from);
    const rows = Uint32Array.from({ length }, (_, index) => from + index);
    const chunk = duckdb.DuckDBDataChunk.create(types, length);
    chunk.setColumns(await valuesOf(pack, rows));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  await rename(`${path}.part`, path);
}

export async function connect(path: string): Promise<{ connection: Connection; close: () => void }> {
  const { DuckDBInstance } = (await importPeer('@duckdb/node-api')) as DuckDB;
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const unknownAsNull = (values: Float32Array | Float64Array) =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));

/** The columns of the table for some rows, from the pack. */
async function valuesOf(pack: PackReader, rows: Uint32Array): Promise<unknown[][]> {
  const slice = await gatherSlice(pack, { rows, parent: new Uint32Array(rows.length) });
  const text = new TextDecoder();
  const every = (of: Uint32Array, step: number, first: number) =>
    Array.from(rows, (_, index) => of[step * index + first]!);
  return [
    [...rows],
    [...(await pack.gather('parent', rows))],
    [...(await pack.gather('depth', rows))],
    [...slice.type],
    Array.from(rows, (_, row) => text.decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1]))),
    every(slice.address, 2, 0),
    every(slice.address, 2, 1),
    [...slice.childCount],
    [...slice.leaves],
    [...slice.keywords],
    unknownAsNull(slice.volume),
    [...slice.volumeKnown],
    [...slice.childKeywords],
    [...slice.childVolume],
    unknownAsNull(slice.difficulty),
    [...slice.difficultyKnown],
    unknownAsNull(slice.cpc),
    [...slice.cpcKnown],
    ...[0, 1, 2, 3].map((kind) => every(slice.intent, 4, kind)),
    Array.from(await pack.gather('is_keyword', rows), (is) => is === 1),
  ];
}
