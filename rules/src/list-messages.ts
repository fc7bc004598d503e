/** Texts about keyword lists: what cannot be read, and why. Spread into the catalogue of `messages.ts`. */
export const listMessages = {
  'list/zip': 'This is a ZIP file. Unpack it and choose the CSV files in it.',
  'list/old-excel':
    'This is an old Excel file (.xls), or one with a password. Save it as XLSX or CSV without a password.',
  'list/web-page':
    'This is a web page, even if its name ends in .xls. Open it in a spreadsheet and save it as XLSX or CSV.',
  'list/not-text': 'This is not a text file or a spreadsheet.',
  'list/json': 'This file holds JSON. Rename it to .json to upload it.',
  'list/rows-in-brackets':
    'The rows of this file are in brackets, or have names before their values, as programs write them. Save it as CSV, or as JSON with a list of objects.',
  'list/transposed':
    'The keywords of this table are side by side in one row. Swap rows and columns in a spreadsheet (Paste Special, Transpose) and save it again.',
  'list/no-rows': 'This file has no rows.',
  'list/all-unreadable': (p: { rows: string; lines: string }) =>
    `None of the ${p.rows} rows of this file could be read. Check the header line and the delimiter. The first are ${p.lines}`,
  'list/no-answers': (p: { rows: string; lines: string }) =>
    `None of the ${p.rows} responses in this file has search results. Save whole responses of DataForSEO (Google Organic, regular or advanced) or of SerpApi (Google). The first are ${p.lines}`,
  'list/no-results': 'These files have no search results. Choose a file with several result URLs for each keyword.',
  'list/no-results-of-map': 'None of these search results is for a keyword of this map. Is it the right one?',
  'list/no-such-line': (p: { line: string }) =>
    `The header cannot be in line ${p.line}: none of the first rows is there.`,
  'list/no-such-number': (p: { column: string; columns: string }) =>
    `This file has no column ${p.column}. It has ${p.columns}.`,
  'list/no-such-sheet': (p: { sheet: string; sheets: string }) =>
    `This file has no sheet ${p.sheet}. Its sheets are: ${p.sheets}.`,
  'list/no-keyword-column': 'No column with keywords was found. Choose the column that holds them.',
  'list/no-such-column': (p: { column: string }) => `There is no column "${p.column}" that can be a group.`,
  'list/too-many-columns': (p: { columns: string }) => `This file has ${p.columns} columns. At most 1,000 can be read.`,
  'list/workbook': (p: { what: string }) =>
    `This spreadsheet is too large or damaged (${p.what}). Save it as CSV: CSV files up to 3072 MB are read.`,

  'list/quote-not-closed': 'a quote opens here and is never closed',
  'list/field-too-long': 'a value is longer than 64 KiB',
  'list/record-too-long': 'the row is longer than 1 MiB',
  'list/not-in-encoding': 'the text is not valid in the encoding of the file',
  'list/one-cell': 'the row has one cell only',
  'list/other-table': 'the row belongs to another table, or repeats the header',
  'list/too-many-cells': 'the row has more cells than the header',
  'list/no-keyword': 'the row has no keyword',
  'list/heading': 'the row is a heading or a comment',
  'list/answer-broken': 'the response is not valid JSON',
  'list/answer-cut': 'the file ends within this response; save the whole file again',
  'list/answer-too-long': 'the response is longer than 16 MiB',
  'list/no-answer': 'this is not a response of DataForSEO or SerpApi with search results',
  'list/not-answered': 'the search was not performed; request this keyword again',
  'list/other-place':
    'the results are for another place, language or device than the first ones; import these separately',
  'list/keyword-too-long': 'the keyword is longer than 2,000 characters',

  'list/by-wording': (p: { language: string }) =>
    `Most of these keywords are ${p.language}. There is no language model for ${p.language} here, so they are grouped by wording.`,
  'list/no-model': 'The language model is not available on this server. Keywords are grouped by wording.',
  'list/other-scripts': (p: { count: number }) =>
    p.count === 1
      ? '1 keyword is in another script and is grouped by wording.'
      : `${p.count.toLocaleString('en-US')} keywords are in other scripts and are grouped by wording.`,
  'list/cut': (p: { rows: string }) => `The tool that wrote this export cut it at ${p.rows} rows.`,
  'list/summary': (p: { column: string }) =>
    `This looks like a summary of clusters: ${p.column} holds counts, not keywords.`,
  'list/no-volume': 'This list has no search volumes.',
  'list/unsplit': (p: { sign: string }) =>
    p.sign === '\n'
      ? 'Each line is read as one keyword, but many are only numbers. If these are the cells of a table, copy them into a spreadsheet first, a row for each keyword.'
      : p.sign === ' '
        ? 'Each line is read as one keyword, but most begin or end with a number. If that is a figure, choose “One keyword and its figure per line” as the delimiter.'
        : `Each line is read as one keyword, but most have the same number of “${p.sign}”. If it separates columns, choose another delimiter, or replace it with commas.`,
  'list/unread-figures': (p: { columns: string }) =>
    `These numbers are not recognised and kept as they are: ${p.columns}.`,
  'list/global-figures': (p: { columns: string }) =>
    `Figures of all countries are used, because the list has none of one country: ${p.columns}.`,
  'list/other-lists': (p: { columns: string }) =>
    `These columns seem to be other lists beside the first one, and are not read as keywords: ${p.columns}. Put each list into its own file.`,
  'list/words-in-figures': (p: { column: string; words: string }) =>
    `In ${p.column}, these words count as unknown: ${p.words}.`,
  'list/groups-in-rows': (p: { column: string }) =>
    `Some rows of ${p.column} seem to be groups: their figures are the sums of the rows below them. They count as keywords. Show the pivot table in tabular form and export it again.`,
  'list/group-rows': (p: { column: string }) =>
    `Some rows hold only a name in ${p.column}. They may be the groups of the keywords below them, or keywords without figures.`,
  'list/group-lines':
    'Some lines seem to be headings: the groups of the keywords below them, or after them on the same line.',
  'list/keywords-in-cells': (p: { column: string }) =>
    `Cells of ${p.column} hold several keywords each. Each becomes a separate keyword, without the figures of its row.`,
  'list/filled-down': (p: { columns: string }) =>
    `Groups are written once, so empty cells get the value above them: ${p.columns}.`,
  'list/zero-cpc': (p: { column: string; share: string }) =>
    `${p.column} is 0 in ${p.share} of the rows. Some tools write 0 if the price is unknown.`,
  'list/ctr-scale': (p: { column: string; sample: string; share: string; percent: string; read: string }) =>
    `In ${p.column}, ${p.sample} may mean ${p.share} or ${p.percent}, because no number is above 1. It is read as ${p.read}.`,
  'list/thousands-guess': (p: { column: string; sample: string; read: string }) =>
    `In ${p.column}, ${p.sample} may be a number of thousands or have decimals, because all numbers have three digits after their only separator. It is read as ${p.read}.`,
  'list/in-millions': (p: { column: string }) =>
    `The numbers of ${p.column} have decimals, so they are read as millions. If they are monthly searches, rename the column.`,
  'list/volume-of-year': (p: { column: string }) =>
    `${p.column} may contain the searches of a whole year. It is read as monthly searches. If it contains totals, add “total” to its name.`,
  'list/volume-of-year-divided': (p: { column: string }) =>
    `${p.column} seems to contain the searches of a whole year, so its numbers are divided by 12.`,
  'list/header-guess': (p: { line: string }) =>
    `Line ${p.line} is read as the column names, but may be an ordinary row. If it is one, set the header line to 0.`,
  'list/several-volumes': (p: { column: string }) =>
    `Some keywords have several rows with different numbers in ${p.column}; the last one counts. If they are parts of a total, such as devices, add them up first.`,
  'list/counts-rows': (p: { column: string }) =>
    `${p.column} only counts the rows, so it is left out. If it holds positions, say so below.`,
  'list/date-order': (p: { column: string; first: string }) =>
    `${p.column}: day and month cannot be told apart. The ${p.first} is read first.`,
  'list/month-order': (p: { column: string; read: string }) =>
    `Months have no dates. ${p.column} may be the oldest or the newest, and is read as the ${p.read}.`,
  'list/results-guess': (p: { column: string }) =>
    `${p.column} has pages of several sites for one keyword. They may be search results, or pages of your own.`,
  'list/encoding-guess': (p: { encoding: string }) => `The encoding of this file is a guess: ${p.encoding}.`,
  'list/several-markets': (p: { markets: string }) =>
    `The list has rows of several markets, whose volumes are added up: ${p.markets}.`,
  'list/several-currencies': (p: { currencies: string }) =>
    `The costs of these lists are in several currencies and are not converted: ${p.currencies}. Leave out the columns of all but one, or import the lists one by one.`,
  'list/language-guess': (p: { language: string }) => `The language of these keywords is a guess: ${p.language}.`,
  'list/other-sheets': (p: { sheets: string }) =>
    `Other sheets are not read, because their headers differ: ${p.sheets}.`,
  'list/next-month': (p: { name: string }) =>
    `There is already a map of such a list. Is this a newer export of ${p.name}? An update keeps its clusters and names.`,
  'list/hidden-rows':
    'Rows that are hidden in the spreadsheet, for example by a filter, are also read. Delete them there if they do not belong to the list.',
  'list/filtered': (p: { kept: string; volume: string; words: string }) =>
    `${p.kept} ${p.kept === '1' ? 'keyword is' : 'keywords are'} kept. Left out: ${p.volume} by volume, ${p.words} by words.`,
  'list/all-left-out': 'The filter leaves out every keyword. Lower the minimum volume or remove words.',
  'list/also': 'Keyword lists can be imported as CSV, TSV or XLSX, too.',
  'list/json-left-out': (p: { name: string }) => `${p.name} is a JSON file and was left out. Upload it on its own.`,
  'list/off-list': (p: { name: string }) =>
    `${p.name} is not a keyword list. Lists are CSV, TSV, TXT or XLSX files, or JSON with a list of objects.`,
  'list/left-out': (p: { name: string }) => `${p.name} is not a keyword list and was left out.`,
  'list/empty': (p: { name: string }) => `${p.name} is empty and was left out.`,
  'list/file-too-large': (p: { name: string; mb: number }) =>
    `${p.name} was left out: a file may have up to ${p.mb}MB.`,
  'list/too-many-files': (p: { max: number }) => `At most ${p.max} lists can be imported together.`,
  'list/twice': (p: { name: string }) => `${p.name} was added twice and is used once.`,
  'list/pasted-too-large': (p: { mb: number }) => `A pasted list may have up to ${p.mb} MB. Save it as a file instead.`,
  'list/other-file': (p: { names: string }) => `Choose the same files again: ${p.names}.`,
  'list/check-reading': (p: { count: string; rows: string }) =>
    `${p.count} of ${p.rows} rows could not be read. Check delimiter and encoding.`,
  'list/off': 'Importing is switched off. Please ask an administrator.',
  'list/too-many-maps': (p: { count: number; max: number }) =>
    `You have ${p.count} of ${p.max} visualizations. Delete one to import another list.`,
  'list/too-large': (p: { mb: string; max: number }) =>
    `These files have ${p.mb} MB. You may import up to ${p.max} MB at a time.`,
  'list/writes-too-much': (p: { max: number }) =>
    `A draft of these lists would take more than ${p.max} MB of storage, which is too much for lists of this size. Leave out columns with long or repeated texts, or choose a smaller list.`,
  'list/quota': (p: { used: number; max: number }) =>
    `Your lists, drafts and maps take ${p.used} of ${p.max} MB of storage. Delete some, and try again tomorrow: what is deleted is kept for 24 hours. An administrator can purge it at once.`,
  'list/no-room': (p: { needed: string; free: string }) =>
    `These files need about ${p.needed} MB of storage, and ${p.free} MB are free. Ask an administrator to make room: “Purge now” in the settings frees what deleted files still take.`,
  'list/other-list': (p: { name: string }) =>
    `Less than half of the keywords of ${p.name} are in this list. Is it the right one?`,
  'list/cut-update': (p: { rows: string; gone: string }) =>
    `This export was cut at ${p.rows} rows. Some of the ${p.gone} missing keywords may only have fallen below the cut.`,
  'list/lost-volumes': (p: { count: number }) =>
    `${counted(p.count)} of the map had a search volume and ${p.count === 1 ? 'has' : 'have'} none in this list. To keep volumes, import it together with a list that has them.`,
  'list/updated': (p: { kept: number; new: number; clusters: number; gone: number }) =>
    `${p.kept.toLocaleString('en-US')} keywords kept, ${p.new.toLocaleString('en-US')} new, ${p.gone.toLocaleString('en-US')} gone. ${p.clusters.toLocaleString('en-US')} new ${p.clusters === 1 ? 'cluster' : 'clusters'}.`,
  'list/results-added': (p: { added: number; unmatched: number; without: number }) =>
    `${counted(p.added)} got search results. ${counted(p.unmatched)} of the list ${p.unmatched === 1 ? 'is not in the map and was' : 'are not in the map and were'} left out; ${counted(p.without)} of the map ${p.without === 1 ? 'has' : 'have'} no search results.`,
  'list/model-file': (p: { file: string }) => `The folder of the language model has no ${p.file} that can be read.`,
  'list/model-json': (p: { file: string }) => `${p.file} of the language model is not valid JSON.`,
  'list/model-description': (p: { member: string }) =>
    `model.json of the language model is not valid: see ${p.member === '' ? 'its members' : `“${p.member}”`}. docs/keyword-lists.md says what it holds.`,
  'list/model-tokenizer': 'tokenizer.json of the language model is of a kind that is not supported.',
  'list/model-onnx': 'model.onnx of the language model cannot be run.',
  'list/model-input': (p: { names: string }) =>
    `model.onnx of the language model takes ${p.names}. Supported are input_ids, attention_mask and token_type_ids.`,
  'list/model-output':
    'model.onnx of the language model does not return what the “pooling” in model.json says: one vector per text, or one per token.',
  'list/model-tensors': 'model.safetensors of the language model is damaged or not complete.',
  'list/model-matrix': (p: { found: string }) =>
    `model.safetensors of the language model has ${p.found}. Supported is a matrix “embeddings” or “embedding.weight” of F64, F32, F16 or I8 with 2 to 4096 columns.`,
  'list/model-vocabulary': (p: { known: number; tokens: number }) =>
    `tokenizer.json of the language model has ${p.known.toLocaleString('en-US')} tokens, and model.safetensors has vectors of ${p.tokens.toLocaleString('en-US')}.`,
  'list/no-branch': (p: { path: string }) => `The map has no branch ${p.path}.`,
  'list/remembered': (p: { day: string }) => `Read as you corrected it on ${p.day}.`,
  'list/forgotten': 'Forgotten. The list is read without corrections.',
  'list/not-forgotten': (p: { reason: string }) => `The corrections were not forgotten: ${p.reason}`,
  'list/fields-head': (p: { entries: string }) => `By the first ${p.entries} entries`,
  'list/fields-whole': (p: { entries: string }) => `By all ${p.entries} entries`,
  'list/fields-corrected': 'Saved. The file is read again with your corrections; the map follows by itself.',
  'list/fields-not-corrected': (p: { reason: string }) => `The correction was not saved: ${p.reason}`,
  'list/column-left-out': (p: { column: string }) =>
    `The texts of the column ${p.column} take too much memory. It is left out.`,
  'list/unreadable': (p: { count: string; rows: string }) => `${p.count} of ${p.rows} rows could not be read.`,
} as const;

const counted = (keywords: number): string =>
  `${keywords.toLocaleString('en-US')} ${keywords === 1 ? 'keyword' : 'keywords'}`;
