/** Texts about keyword lists: what cannot be read, and why. Spread into the catalogue of `messages.ts`. */
export const listMessages = {
  'list/zip': 'This is a ZIP file. Unpack it and choose the CSV files in it.',
  'list/old-excel':
    'This is an old Excel file (.xls), or one with a password. Save it as XLSX or CSV without a password.',
  'list/not-text': 'This is not a text file or a spreadsheet.',
  'list/json': 'This file holds JSON. Rename it to .json to upload it.',
  'list/no-rows': 'This file has no rows.',
  'list/no-keyword-column': 'No column with keywords was found. Choose the column that holds them.',
  'list/too-many-columns': (p: { columns: string }) => `This file has ${p.columns} columns. At most 1,000 can be read.`,
  'list/workbook': (p: { what: string }) =>
    `This spreadsheet is too large or damaged (${p.what}). Save it as CSV: CSV files up to 3072 MB are read.`,

  'list/quote-not-closed': 'a quote opens here and is never closed',
  'list/field-too-long': 'a value is longer than 64 KiB',
  'list/record-too-long': 'the row is longer than 1 MiB',
  'list/not-in-encoding': 'the text is not valid in the encoding of the file',
  'list/one-cell': 'the row has one cell only',
  'list/too-many-cells': 'the row has more cells than the header',
  'list/no-keyword': 'the row has no keyword',
  'list/keyword-too-long': 'the keyword is longer than 2,000 characters',

  'list/by-wording': (p: { language: string }) =>
    `Most of these keywords are ${p.language}. There is no language model for ${p.language} here, so they are grouped by wording.`,
  'list/no-model': 'The language model is not available on this server. Keywords are grouped by wording.',
  'list/cut': (p: { rows: string }) => `The tool that wrote this export cut it at ${p.rows} rows.`,
  'list/summary': (p: { column: string }) =>
    `This looks like a summary of clusters: ${p.column} holds counts, not keywords.`,
  'list/unreadable': (p: { count: string; rows: string }) => `${p.count} of ${p.rows} rows could not be read.`,
} as const;
