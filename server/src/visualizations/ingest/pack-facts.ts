import type { PackReader } from '@kc/pack/format/pack-reader';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { thumbnailOf } from '@kc/pack/slice/thumbnail';
import type { IngestFacts } from './ingest-messages.ts';

/** What a record contains about a pack. */
export function factsOf({ metadata, rootSlice }: PackReader): IngestFacts {
  const { keywords, merged, nodes, rootName } = metadata;
  return { keywords, merged, nodes, rootName, thumbnail: thumbnailOf(decodeSlice(rootSlice)) };
}
