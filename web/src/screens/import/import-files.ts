import { holdsRows } from '@kc/cluster/read/json-objects';
import { holdsResults, resultEndings } from '@kc/cluster/read/search-results';
import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';

type NamedFile = Pick<File, 'name' | 'size' | 'type'>;

/** What to do with chosen, dropped or pasted files. */
export type Sorted<Of extends NamedFile> =
  /** JSON, or anything that is refused as such: the upload form handles these. */
  | { readonly as: 'json'; readonly files: readonly Of[] }
  | { readonly as: 'lists'; readonly files: readonly Of[]; readonly notices: readonly string[] }
  | { readonly as: 'nothing'; readonly notices: readonly string[] };

const listEndings = ['.csv', '.tsv', '.txt', '.xlsx'] as const;

/** What a person may choose: lists, and JSON that may hold search results or rows. */
export const chosenEndings = [...listEndings, ...resultEndings] as const;

/** Files whose content makes them lists, whatever their names. */
type Results = ReadonlySet<object>;
const noResults: Results = new Set();

/** So many bytes show what JSON contains. */
const sampleBytes = 1 << 16;

/** Those of some files that hold search results or rows as JSON. */
export async function resultsAmong(files: readonly File[]): Promise<Results> {
  const maybe = files.filter(({ name, type }) => isJsonType(type) || endsWith(name, resultEndings));
  // A file that cannot be read is reported where it is used.
  const heads = await Promise.all(
    maybe.map((file) =>
      file
        .slice(0, sampleBytes)
        .text()
        .catch(() => ''),
    ),
  );
  const holdsList = (head: string) => /^\s*[[{]/u.test(head) && (holdsResults(head) || holdsRows(head));
  return new Set(maybe.filter((_, at) => holdsList(heads[at]!)));
}

const endsWith = (name: string, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** Whether a file is a keyword list by its name; one whose type is JSON is JSON, whatever its name, unless it holds results. */
export const isList = (file: Pick<File, 'name' | 'type'>, results: Results = noResults): boolean =>
  results.has(file) || (!isJsonType(file.type) && endsWith(file.name, listEndings));

/** `application/json`, `application/ld+json`, with any parameters. */
const isJsonType = (type: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(type);

/** The first file decides: if it is a list, all lists are taken, up to the number that one map may have. */
export function sortFiles<Of extends NamedFile>(
  files: readonly Of[],
  existing = 0,
  results: Results = noResults,
): Sorted<Of> {
  const [first] = files;
  if (!first || (existing === 0 && !isList(first, results))) return { as: 'json', files };
  const lists = files.filter((file) => isList(file, results));
  const room = limits.maxLists - existing;
  const accepted = lists.slice(0, room).filter(({ size }) => size > 0 && size <= limits.maxUploadBytes);
  const notices = [
    ...files.filter((file) => !isList(file, results)).map(leftOut),
    ...lists.filter(({ size }) => size === 0).map(({ name }) => say('list/empty', { name })),
    ...lists
      .filter(({ size }) => size > limits.maxUploadBytes)
      .map(({ name }) => say('list/file-too-large', { name, mb: limits.maxUploadMb })),
    ...(lists.length > room ? [say('list/too-many-files', { max: limits.maxLists })] : []),
  ];
  return accepted.length > 0 ? { as: 'lists', files: accepted, notices } : { as: 'nothing', notices };
}

const leftOut = ({ name, type }: NamedFile): string =>
  isJsonType(type) || /\.json$/i.test(name) ? say('list/json-left-out', { name }) : say('list/left-out', { name });

const pastedName = 'Pasted list.txt';

/** A pasted text as a file; undefined if it is too long. */
export function pastedFile(text: string): File | undefined {
  const file = new File([text], pastedName, { type: 'text/plain' });
  return file.size > limits.maxPastedBytes ? undefined : file;
}

const comparedBytes = 1 << 20;

/** Whether two files have equal bytes. Reads both in pieces. */
export async function haveEqualBytes(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += comparedBytes) {
    const pieces = [one, other].map((file) => file.slice(at, at + comparedBytes).arrayBuffer());
    const [left, right] = (await Promise.all(pieces)).map((piece) => new Uint8Array(piece));
    if (left!.some((byte, index) => byte !== right![index])) return false;
  }
  return true;
}
