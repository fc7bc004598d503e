import type { MapError, MapProblem } from '@kc/cluster/map/map-error';
import type { Refusal } from '@kc/rules/result';

const codes = {
  'not-json': 'draft/map-not-json',
  'no-keywords': 'draft/map-no-keywords',
  'keyword-twice': 'draft/map-keyword-twice',
  'keyword-missing': 'draft/map-keyword-missing',
  'topic-figures': 'draft/map-topic-figures',
  'topic-twice': 'draft/map-topic-twice',
} as const satisfies Record<MapProblem, string>;

/** Why a map cannot be edited, as a code of the catalogue of texts. */
export const refusalOfMap = ({ what }: MapError): Refusal => ({ code: codes[what] });
