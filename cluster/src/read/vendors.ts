import { fieldOf } from '../../../pack/src/upload/fields.ts';
import { fold } from '../../../pack/src/upload/spelling.ts';
import type { Delimiter, Vendor } from './reading.ts';

/** The columns that an export has, by name. Source: headers of real exports, and of public parsers. */
const signatures: readonly (readonly [Vendor, readonly string[], without?: string])[] = [
  ['semrush-keyword-strategy-builder', ['Keyword', 'Page', 'Topic', 'Page type']],
  ['semrush-organic-positions', ['Keyword', 'Position', 'Search Volume', 'Traffic (%)']],
  ['semrush-keyword-magic', ['Keyword', 'Volume', 'Keyword Difficulty', 'SERP Features'], 'Position'],
  ['semrush-api', ['Search Volume', 'Keyword Difficulty Index']],
  ['ahrefs-keywords-explorer', ['Keyword', 'Difficulty', 'Parent Keyword']],
  ['ahrefs-keywords-explorer', ['Keyword', 'Difficulty', 'Parent topic']],
  ['ahrefs-organic-keywords', ['Keyword', 'KD', 'Current position', 'Current URL']],
  ['keyword-planner', ['Keyword', 'Avg. monthly searches', 'Competition (indexed value)']],
  ['ubersuggest', ['Keyword', 'SD', 'PD']],
  ['ubersuggest', ['Keyword', 'SEO Difficulty', 'Paid Difficulty']],
];

/** The tool that wrote a file, by its columns; `table` if no tool is known for them. */
export function vendorOf(names: readonly string[], delimiter: Delimiter | undefined): Vendor {
  const spellings = new Set(names.flatMap((name) => [plain(name), plain(name.replace(/\([^()]*\)\s*$/u, ''))]));
  const has = (name: string) => spellings.has(plain(name));
  for (const [vendor, needed, without] of signatures) {
    if (vendor === 'semrush-api' && delimiter !== ';') continue;
    if (needed.every(has) && !(without !== undefined && has(without))) return vendor;
  }
  const fields = new Set(names.map((name) => fieldOf(name)?.name));
  // Reports of ads have the same figures, and what was bid.
  const isOfAds = ['Match type', 'Campaign', 'Ad group', 'Cost'].some(has);
  if (!isOfAds && fields.has('keyword') && fields.has('clicks') && fields.has('impressions')) return 'search-console';
  return 'table';
}

const plain = (name: string): string => fold(name).replaceAll('.', '');
