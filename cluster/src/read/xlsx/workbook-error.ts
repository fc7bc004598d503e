import type { WorkbookFault } from '../reading.ts';

/** A spreadsheet that cannot be read, or that is too large. */
export class WorkbookError extends Error {
  readonly what: WorkbookFault;

  constructor(what: WorkbookFault) {
    super(`This workbook cannot be read: ${what}`);
    this.what = what;
  }
}
