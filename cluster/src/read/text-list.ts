import { TextReader } from './csv.ts';
import { DataRows, type RowReport } from './data-rows.ts';
import type { Reading, Rows } from './reading.ts';

/** A text file while its bytes arrive. */
export type TextList = {
  /** Takes the next bytes, in pieces of any size. */
  write(bytes: Uint8Array): void;
  /** Must be the last call. */
  end(): RowReport;
};

/** Reads the rows of data of a text file. @param take receives them in batches */
export function textList(reading: Reading, take: (rows: Rows) => void): TextList {
  const rows = new DataRows(reading, take);
  const reader = new TextReader(reading, rows);
  return {
    write: (bytes) => reader.write(bytes),
    end() {
      reader.end();
      rows.end();
      return rows.report;
    },
  };
}
