import { isUrlName } from '@kc/pack/detail/entry-url';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { withoutFields } from '@kc/pack/format/without-fields';
import { isShown, type ShownColumns } from '@kc/rules/link-columns';

const separator = '?';

/**
 * The key under which queries open a pack of which only some columns exist. Everything that reads the pack, remembers
 * something of it or names an answer does so by its key, so nothing of a hidden column gets past this.
 *
 * @param packKey as in the storage
 */
export const shownPackKey = (packKey: string, columns: ShownColumns): string =>
  `${packKey}${separator}${columns === 'impersonal' ? '' : JSON.stringify([...columns].sort())}`;

/** The key of the storage in a key of {@link shownPackKey} or of a whole pack. */
export const storedKey = (key: string): string => key.split(separator, 1)[0]!;

/** What of an open pack exists under a key. */
export function shownPart(pack: PackReader, key: string): PackReader {
  const at = key.indexOf(separator);
  if (at < 0) return pack;
  const text = key.slice(at + 1);
  const columns: ShownColumns = text === '' ? 'impersonal' : (JSON.parse(text) as string[]);
  const all = columnsOf(pack).map((column) => ({ ...column, isShown: isShown(column, columns) }));
  // The details of a keyword list the URLs of its entries whatever their members are called.
  const urls = all.every((column) => column.isShown || !isUrlName(column.name));
  const shown = new Set(all.flatMap(({ name, isShown }) => (isShown && (urls || !isUrlName(name)) ? [name] : [])));
  return withoutFields(pack, ({ name }) => shown.has(name));
}

const columnsOf = ({ metadata: { fields, withheld } }: PackReader) => [
  ...fields.map((field) => ({
    name: field.name,
    kind: field.kind,
    ...('values' in field && { values: field.values }),
    ...('role' in field && { role: field.role }),
  })),
  ...withheld.map(({ name }) => ({ name, kind: 'none' as const })),
];
