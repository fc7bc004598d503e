import {
  type DataType,
  Dictionary,
  Field,
  Float32,
  Float64,
  LargeUtf8,
  List,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import {
  branchColumnsOf,
  type numberKinds,
  PackDamaged,
  type PackMetadata,
  type PackShape,
  packFormatVersion,
  rowColumnsOf,
} from '../pack-format.ts';

/** The Arrow schema of a pack. `blocks`: the XXH32 of every block, 8 hex digits each. */
export function packSchema(shape: PackShape, metadata?: PackMetadata, blocks = ''): Schema {
  const entries = metadata
    ? [['keyword-clustering', JSON.stringify(metadata)] as const, ['keyword-clustering.blocks', blocks] as const]
    : [];
  let dictionaries = 1;
  const fields = rowColumnsOf(shape).map(({ name, kind }) => {
    if (name === 'merged') return new Field(name, new List(new Field('merged_range', new Uint32(), false)), false);
    if (name === 'similar') return new Field(name, new List(new Field('similar_row', new Uint32(), false)), false);
    if (name === 'own_trend') return new Field(name, new List(new Field('own_month', new Float32(), false)), false);
    if (name === 'folded') return new Field(name, new List(new Field('fold', new LargeUtf8(), false)), false);
    if (name === 'branch') return new Field(name, new List(new Field('structure', branchType(shape), false)), false);
    if (kind === 'category')
      return new Field(name, new Dictionary(new Utf8(), new Uint8(), dictionaries++, false), false);
    return new Field(name, kind === 'text' ? new LargeUtf8() : numberType(kind), false);
  });
  return new Schema(fields, new Map(entries));
}

/**
 * Reads the metadata and the block hashes from a schema.
 * @throws PackDamaged if it is not a pack of this version
 */
export function readMetadata(schema: Schema): { metadata: PackMetadata; blocks: Uint32Array } {
  const text = schema.metadata.get('keyword-clustering');
  const blocks = schema.metadata.get('keyword-clustering.blocks');
  if (text === undefined || blocks === undefined) throw new PackDamaged('an Arrow file, but no pack');
  const metadata = JSON.parse(text) as PackMetadata;
  if (metadata.version !== packFormatVersion) {
    throw new PackDamaged(`format version ${metadata.version}, expected ${packFormatVersion}`);
  }
  const hashes = Uint32Array.from({ length: blocks.length / 8 }, (_, block) =>
    Number.parseInt(blocks.slice(8 * block, 8 * block + 8), 16),
  );
  return { metadata, blocks: hashes };
}

function branchType(shape: PackShape): DataType {
  return new Struct(
    branchColumnsOf(shape).map(({ name, kind }) => {
      const type = name === 'trend' ? new List(new Field('month', new Float64(), false)) : numberType(kind);
      return new Field(name, type, false);
    }),
  );
}

function numberType(kind: keyof typeof numberKinds | 'text' | 'structure'): DataType {
  switch (kind) {
    case 'uint8':
      return new Uint8();
    case 'uint16':
      return new Uint16();
    case 'uint32':
      return new Uint32();
    case 'uint64':
      return new Uint64();
    case 'float32':
      return new Float32();
    case 'float64':
      return new Float64();
    case 'type':
      return new Dictionary(new Utf8(), new Uint16(), 0, false);
    default:
      throw new Error(`A ${kind} is no number`);
  }
}
