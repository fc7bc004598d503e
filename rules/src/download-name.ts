/** What a downloaded file contains. */
type DownloadParts = {
  /** The visualization, by the name of its uploaded file. */
  readonly fileName: string;
  /** The name of the branch; undefined for everything. */
  readonly branch?: string | undefined;
  /** The rows or the picture, for example `keywords` or `treemap`. */
  readonly what: string;
  readonly isFiltered: boolean;
  /** Milliseconds since 1970. The name has the day in UTC, the same from the server and from the page. */
  readonly now: number;
  /** Without a dot, for example `csv`. */
  readonly extension: string;
};

/**
 * The name of every file that leaves the explorer: `shoes – trail shoes – keywords (filtered) – 2026-11-23.csv`.
 *
 * The result is valid on every common file system and at most 255 bytes long in UTF-8.
 */
export function downloadName({ fileName, branch, what, isFiltered, now, extension }: DownloadParts): string {
  const names = [fileName.replace(/\.json$/i, ''), branch ?? '']
    .map((text) => validName(text))
    .filter((part) => part !== '');
  const day = new Date(now).toISOString().slice(0, 10);
  const parts = [
    names.length > 0 ? names.join(separator) : 'keywords',
    `${what}${isFiltered ? ' (filtered)' : ''}`,
    day,
  ];
  return `${parts.join(separator)}.${extension}`;
}

/** The name of an uploaded file when it is downloaded again, always ending in `.json`. */
export const originalName = (fileName: string): string =>
  `${validName(fileName.replace(/\.json$/i, ''), 240) || 'keywords'}.json`;

const separator = ' – ';
/** Characters that file systems reject, invisible characters, and ones that change the reading direction. */
const invalid = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\/:*?"<>|]+/gu;
/** The limit for the file name and for the branch. Both, three separators and the longest rest fit into 255 bytes. */
const partBytes = 90;

/** A name without invalid characters, at most `maxBytes` bytes long in UTF-8; possibly empty. */
function validName(text: string, maxBytes = partBytes): string {
  const plain = text.replace(invalid, ' ').replace(/\s+/g, ' ');
  // A leading dot hides the file. Windows drops a trailing one.
  return cut(plain.replace(/^[\s.]+/, ''), maxBytes).replace(/(?<![\s.])[\s.]+$/, '');
}

/** The longest prefix of whole characters that fits into this many bytes of UTF-8. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Bytes(character.codePointAt(0)!);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

const utf8Bytes = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** The parts of the name of a file for other people. */
type HandoverNameParts = {
  /** The name of the root. */
  readonly root: string;
  /** For example `plan`, or the name of a branch. */
  readonly what: string;
  readonly now: number;
  readonly extension: string;
};

/** The name of a file for other people: `add to website-plan-2026-11-23.xlsx`, valid as {@link downloadName} is. */
export function handoverName({ root, what, now, extension }: HandoverNameParts): string {
  const names = [root, what].map((text) => validName(text)).filter((part) => part !== '');
  const day = new Date(now).toISOString().slice(0, 10);
  return `${[...(names.length > 0 ? names : ['keywords']), day].join('-')}.${extension}`;
}
