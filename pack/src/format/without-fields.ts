import type { WithheldField } from '../upload/upload-tables.ts';
import { branchColumnsOf, type NumberColumn, type PackField, type PackMetadata, rowColumnsOf } from './pack-format.ts';
import type { PackReader } from './pack-reader.ts';

/**
 * A view of a pack that hides some fields: their names, values and totals.
 *
 * @param isShown whether a field stays
 */
export function withoutFields(pack: PackReader, isShown: (field: PackField | WithheldField) => boolean): PackReader {
  const { fields, withheld } = pack.metadata;
  const hidden = fields.filter((field) => !isShown(field));
  if (hidden.length === 0 && withheld.every(isShown)) return pack;
  const metadata: PackMetadata = {
    ...pack.metadata,
    fields: fields.filter(isShown),
    withheld: withheld.filter(isShown),
  };
  const shape = { ...metadata, fields: hidden, optional: [] };
  const common = new Set(
    [...rowColumnsOf({ ...shape, fields: [] }), ...branchColumnsOf({ ...shape, fields: [] })].map(nameOf),
  );
  const unseen = new Set(
    [...rowColumnsOf(shape), ...branchColumnsOf(shape)].map(nameOf).filter((name) => !common.has(name)),
  );
  const isUnseen = (name: NumberColumn) => unseen.has(name);
  const restricted: PackReader = {
    ...pack,
    metadata,
    get whole() {
      return restricted;
    },
    column: async (name) => (isUnseen(name) ? (undefined as never) : pack.column(name)),
    gather: async (name, rows) => (isUnseen(name) ? (undefined as never) : pack.gather(name, rows)),
  };
  return restricted;
}

const nameOf = ({ name }: { readonly name: string }): string => name;
