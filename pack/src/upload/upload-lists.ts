import { type JsonMemory, OPEN, STRING } from '../json/json-memory.ts';
import type { ExtraFields } from './extra-fields.ts';
import { rankShift } from './upload-members.ts';
import { KEYWORD, KEYWORDS, MEMBERS } from './upload-plan.ts';
import type { UploadRows } from './upload-rows.ts';
import { fieldOfCode } from './upload-trend.ts';

/**
 * Forwards the lists of the keywords in a run of plain rows: trends from beside the tape, texts from the tape.
 *
 * @param from the first tape word of the run; `to` is its end
 * @param row the first row of the run
 */
export function forwardLists(
  run: UploadRows,
  memory: JsonMemory,
  from: number,
  to: number,
  row: number,
  extras: ExtraFields | undefined,
): void {
  if (run.seriesCode !== 0) forwardSeries(run, memory.values, row, extras);
  if (run.hasMembers) forwardMembers(run, memory, from, to, row, extras);
  else if (run.membersCode !== 0) forwardBits(run, row, extras);
}

function forwardSeries(run: UploadRows, values: Float64Array, first: number, extras: ExtraFields | undefined): void {
  const field = fieldOfCode(run.seriesCode);
  const { rows, series } = run;
  for (let row = 0; row < rows; row++) {
    const count = series[row]! >>> 16;
    if (count > 0) extras?.trend?.series(field, first + row, values, series[row]! & 0xffff, count);
  }
}

function forwardBits(run: UploadRows, first: number, extras: ExtraFields | undefined): void {
  const field = run.membersCode >>> rankShift;
  const { rows, members } = run;
  for (let row = 0; row < rows; row++) if (members[row] !== 0) extras?.bits?.(field, first + row, members[row]!);
}

function forwardMembers(
  run: UploadRows,
  { bytes, tape }: JsonMemory,
  from: number,
  to: number,
  first: number,
  extras: ExtraFields | undefined,
): void {
  let row = first - 1;
  let code = 0;
  for (let at = from; at < to; at += 4) {
    const tag = tape[at]!;
    if (tag === (STRING | (MEMBERS << 4))) {
      const start = tape[at + 2]! + 1;
      const end = tape[at + 3]! - 1;
      const bits = extras?.member?.(code >>> rankShift, row, bytes, start, end) ?? -1;
      if (run.mayLearn(code)) run.learn(code, bytes.subarray(start, end), bits);
    } else if (tag === (OPEN | (KEYWORD << 4)) && tape[at + 3] === MEMBERS) code = tape[at + 1]!;
    else if (tag === (OPEN | (KEYWORDS << 4)) || tag === (STRING | (KEYWORDS << 4))) row++;
  }
}
