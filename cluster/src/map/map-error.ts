/** Why a map cannot be edited: it is no map, or has something that editing would lose. */
export type MapProblem =
  | 'not-json'
  | 'no-keywords'
  | 'keyword-twice'
  | 'keyword-missing'
  | 'topic-figures'
  | 'topic-twice';

export class MapError extends Error {
  readonly what: MapProblem;

  constructor(what: MapProblem) {
    super(`This map cannot be edited: ${what}`);
    this.what = what;
  }
}
