import type { ByteSource } from '../format/byte-source.ts';
import type { Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { NumberedResults, type Results, resultsMember } from '../shared-urls/results.ts';
import { sharingOf, type UrlSharing } from '../shared-urls/sharing.ts';
import { eachEntry, findPieces } from './ranked-urls.ts';

/** The search results of the keywords of a map, which a pack does not contain. */
export type PackResults = {
  /** By node: the number of its keyword in `results`; `noRow` if its results are unknown. */
  readonly numberOf: Uint32Array;
  readonly results: Results;
  readonly sharing: UrlSharing;
};

/**
 * The search results of all keywords; undefined if the file has none.
 *
 * Read once and cached by the open pack, not by filter: 4 bytes per node, 8 for each keyword with each of its URLs, and the
 * texts of the URLs. Cost: the entries of all keywords are parsed again, in pieces; nothing for a file without results.
 *
 * @param pack without a filter
 */
export const packResults = (pack: PackReader, original: ByteSource, pause: Pause): Promise<PackResults | undefined> =>
  resultsOfPack(pack, { original, pause });

const resultsOfPack = oncePerPack((pack: PackReader, { original, pause }: { original: ByteSource; pause: Pause }) =>
  readResults(pack, original, pause),
);

async function readResults(pack: PackReader, original: ByteSource, pause: Pause): Promise<PackResults | undefined> {
  const { withheld, nodes } = pack.metadata;
  if (!withheld.some(({ name }) => name === resultsMember)) return undefined;
  const listOf = new Uint32Array(nodes).fill(noRow);
  const { pieces } = await findPieces(pack, listOf, pause);
  const numbers = new Map<number, number>();
  const numbered = new NumberedResults();
  await eachEntry(original, pieces, pause, resultsIn, (list, urls) => {
    if (numbers.has(list)) return;
    numbers.set(list, numbers.size);
    numbered.add(urls);
  });
  if (numbers.size === 0) return undefined;
  await pause();
  const results = withoutRareTexts(numbered.done());
  await pause();
  const sharing = sharingOf(results);
  await pause();
  return { numberOf: listOf.map((list) => numbers.get(list) ?? noRow), results, sharing };
}

/** Removes texts to save memory. Warnings only name URLs that several keywords share, or that are the best of a keyword. */
function withoutRareTexts({ offset, url, texts }: Results): Results {
  const isNamed = new Uint8Array(texts.length);
  const isSeen = new Uint8Array(texts.length);
  for (let keyword = 0; keyword + 1 < offset.length; keyword++)
    for (let at = offset[keyword]!; at < offset[keyword + 1]!; at++) {
      if (at === offset[keyword] || isSeen[url[at]!] === 1) isNamed[url[at]!] = 1;
      isSeen[url[at]!] = 1;
    }
  return { offset, url, texts: texts.map((text, number) => (isNamed[number] === 1 ? text : '')) };
}

function resultsIn(text: string): readonly string[] | undefined {
  if (!text.includes(resultsMember)) return undefined;
  const entry: unknown = JSON.parse(text);
  const urls = typeof entry === 'object' && entry !== null && resultsMember in entry ? entry[resultsMember] : undefined;
  const texts = Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}
