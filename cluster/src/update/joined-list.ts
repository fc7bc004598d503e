import type { KeywordMapFile } from '../map/read-map.ts';
import { type KeywordList, keywordKey } from '../pipeline/keyword-list.ts';
import type { FieldValue, UploadField } from '../write/upload-json.ts';

/** A new list, followed by the keywords of a map that it does not have, with the figures of that map. */
export type JoinedList = {
  readonly list: KeywordList;
  readonly fields: readonly UploadField[];
  /** How many keywords the new list has. */
  readonly here: number;
};

export function joinedList(map: KeywordMapFile, list: KeywordList, fields: readonly UploadField[]): JoinedList {
  const known = new Set(list.texts.map(keywordKey));
  const gone = [...map.texts.keys()].filter((row) => !known.has(keywordKey(map.texts[row]!)));
  const here = list.texts.length;
  const before = new Map(map.fields.map(({ name, values }) => [name, values]));
  const names = new Set([...fields.map(({ name }) => name), ...before.keys()]);
  const now = new Map(fields.map(({ name, values }) => [name, values]));
  return {
    here,
    list: {
      texts: [...list.texts, ...gone.map((row) => map.texts[row]!)],
      volume: Float64Array.from([...list.volume, ...gone.map((row) => map.volume[row]!)]),
    },
    fields: Array.from(names, (name) => {
      const [values, earlier] = [now.get(name), before.get(name)];
      return {
        name,
        values: Array.from(
          { length: here + gone.length },
          (_, row): FieldValue => (row < here ? values?.[row] : earlier?.[gone[row - here]!]),
        ),
      };
    }),
  };
}
