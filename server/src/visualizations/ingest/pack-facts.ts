import type { PackReader } from '@kc/pack/format/pack-reader';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { thumbnailOf } from '@kc/pack/slice/thumbnail';
import type { IngestFacts } from './ingest-messages.ts';

/** What a record contains about a pack. */
export function factsOf({ metadata, rootSlice }: PackReader): IngestFacts {
  const { keywords, merged, nodes, rootName } = metadata;
  const slice = decodeSlice(rootSlice);
  // A file without a list of keywords has those of its hierarchy.
  return { keywords: keywords || slice.keywords[0]!, merged, nodes, rootName, thumbnail: thumbnailOf(slice) };
}
