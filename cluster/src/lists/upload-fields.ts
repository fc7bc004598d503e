import { intentBits } from '../../../pack/src/upload/intent-texts.ts';
import type { FigureName } from '../merge/figures.ts';
import type { Keywords } from '../merge/keywords.ts';
import type { Postings } from '../merge/postings.ts';
import type { TextColumn } from '../merge/text-column.ts';
import type { FieldValue, UploadField } from '../write/upload-json.ts';

/** The members of an upload for our figures. */
const memberOf: Readonly<Record<FigureName, string>> = {
  volume: 'search_volume',
  difficulty: 'keyword_difficulty',
  cpc: 'cpc',
  competition: 'competition',
  position: 'position',
  previousPosition: 'previous_position',
  traffic: 'traffic',
  trafficPotential: 'traffic_potential',
  trafficCost: 'traffic_cost',
  clicks: 'clicks',
  impressions: 'impressions',
  ctr: 'ctr',
};

/** What is known about keywords, as members of the entries of an upload. Columns kept as they are have their own names. */
export function uploadFieldsOf(keywords: Keywords): UploadField[] {
  const fields: UploadField[] = Object.entries(keywords.figures).map(([name, values]) => ({
    name: memberOf[name as FigureName],
    values,
  }));
  const add = (name: string, values: FieldValue[] | undefined) => {
    if (values?.some((value) => value !== undefined) && !fields.some((field) => field.name === name))
      fields.push({ name, values });
  };
  add('intent', Array.from(keywords.intents, intentsOf));
  add(
    'serp_features',
    listed(keywords.serpFeatures, (text) => text.split(/[,;|]/u).map((part) => part.trim())),
  );
  add(
    'trend',
    listed(keywords.trend, (text) => text.split(',').map(Number)),
  );
  if (keywords.urls) {
    const urls = Array.from(keywords.text, (_, row) => addressesOf(keywords.urls!, row));
    add(
      'url',
      urls.map(([best]) => best),
    );
    if (urls.some((all) => all.length > 1))
      add(
        'all_urls',
        urls.map((all) => (all.length > 1 ? all : undefined)),
      );
  }
  for (const { name, meaning, ...column } of keywords.texts)
    add(
      meaning === 'language' ? 'language' : name,
      listed(column, (text) => text),
    );
  return fields;
}

function intentsOf(bits: number): FieldValue {
  const names = Object.entries(intentBits).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]));
  return names.length > 0 ? names : undefined;
}

/** Each different text is converted once. */
function listed(column: TextColumn | undefined, convert: (text: string) => FieldValue): FieldValue[] | undefined {
  if (!column) return undefined;
  const values = column.values.map(convert);
  return Array.from(column.codes, (code) => (code < 0 ? undefined : values[code]));
}

/** The addresses of a keyword: that with the most clicks first, then the best position, then as in the file. */
export function addressesOf({ start, url, position, clicks, names }: Postings, row: number): string[] {
  const places = Array.from({ length: start[row + 1]! - start[row]! }, (_, at) => start[row]! + at);
  const known = (value: number, otherwise: number) => (Number.isNaN(value) ? otherwise : value);
  places.sort(
    (one, other) =>
      known(clicks[other]!, -1) - known(clicks[one]!, -1) ||
      known(position[one]!, Number.MAX_VALUE) - known(position[other]!, Number.MAX_VALUE) ||
      one - other,
  );
  return places.map((place) => names[url[place]!]!);
}
