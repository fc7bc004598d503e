import { scoreTextIn } from '../score/score-name.ts';
import { seasonOfField } from '../season/season-name.ts';
import { isClickRate } from '../upload/click-rate.ts';

const prefix = 'field:';

const names: Readonly<Record<string, string>> = {
  keywords: 'Keywords',
  volume: 'Volume',
  difficulty: 'Difficulty',
  cpc: 'CPC',
  'field:competition': 'Competition',
  'field:position': 'Position',
  'field:previous_position': 'Previous position',
  'field:url': 'URL',
  'field:clicks': 'Clicks',
  'field:impressions': 'Impressions',
  'field:traffic': 'Traffic',
  'field:traffic_potential': 'Traffic potential',
  'field:traffic_cost': 'Traffic cost',
  'field:serp_features': 'SERP features',
  'field:confidence': 'Confidence',
  'field:similarity': 'Similarity',
  'field:list_status': 'List status',
};

/**
 * The label of a figure, a score or a field; a field of the file has the name that the file gives it, unless it is one
 * that lists are read into. A click rate is called CTR in every language.
 *
 * @param key a figure that every node has, or `field:` and the name of a field
 */
export function figureName(key: string): string {
  const known = names[key];
  if (known !== undefined) return known;
  const field = key.slice(prefix.length);
  if (isScore(field)) return 'Score';
  if (isRate(key)) return 'CTR';
  return isSeason(field) ? 'Peak month' : field;
}

/** The label inside a sentence. */
export function figureWord(key: string): string {
  const name = figureName(key);
  const field = key.slice(prefix.length);
  return key in names || isScore(field) || isSeason(field) ? labelWord(name) : name;
}

/** A label of ours inside a sentence: "Target URL" as "target URL", "CPC" as it is. */
export const labelWord = (label: string): string => label.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());

/** Whether a figure is a click rate: from 0 to 1, and written in percent. */
export const isRate = (key: string): boolean => key.startsWith(prefix) && isClickRate(key.slice(prefix.length));

const isScore = (field: string): boolean => scoreTextIn(field) !== undefined;
const isSeason = (field: string): boolean => seasonOfField(field) !== undefined;

/** "pillar_topic" as "pillar topic" */
export const typeWord = (type: string): string => type.replaceAll(/[_-]+/g, ' ').trim() || 'node';
