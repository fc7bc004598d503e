import { type Level, levels } from '../levels/level.ts';
import { isFigureKey } from '../levels/row-sort.ts';
import { type AreaPart, type Filter, mostCorners, type ScorePart } from './filter.ts';
import { hasEnd, rangeText, readRange } from './range-text.ts';

/** The parts of a filter that are written here. */
export type AreaParts = Pick<Filter, 'areas' | 'scores'>;

const scaleNames = { even: false, log: true } as const;

/** Writes each part by its kind and value, in a fixed order. */
export function writeAreas(filter: AreaParts, write: (kind: string, text: string) => void): void {
  const { areas, scores } = canonicalAreas(filter);
  for (const area of areas) write('area', areaText(area));
  for (const { level, score, ...range } of scores) write('score', `${level}-${rangeText(range)}-${score}`);
}

/** The parts of a text as read so far. */
type Read = { -readonly [K in keyof AreaParts]: AreaParts[K] };

/** @returns whether the part is valid; undefined if its kind is none of these */
export function readAreaPart(read: Read, kind: string, text: string): boolean | undefined {
  if (kind === 'area') {
    const area = readArea(text);
    if (area) read.areas = [...read.areas, area];
    return area !== undefined;
  }
  if (kind !== 'score') return undefined;
  const score = readScorePart(text);
  if (!score || read.scores.some(({ level }) => level === score.level)) return false;
  read.scores = [...read.scores, score];
  return true;
}

/** `clusters-difficulty-volume-even.log-10_500_30_500_20_9000`: level, figures, scales, and the values of the corners. */
function areaText({ level, x, y, isLog, corners }: AreaPart): string {
  const scale = (isOne: boolean) => (isOne ? 'log' : 'even');
  const values = corners.flat().map(numberText).join('_');
  return `${level}-${escaped(x)}-${escaped(y)}-${scale(isLog.x)}.${scale(isLog.y)}-${values}`;
}

function readArea(text: string): AreaPart | undefined {
  const found = /^([a-z]+)-((?:\.[-.]|[^-.])+)-((?:\.[-.]|[^-.])+)-(even|log)\.(even|log)-(.+)$/su.exec(text);
  if (!found) return undefined;
  const [, name, x, y, across, up, list] = found as unknown as string[];
  const level = levelOf(name);
  const values = list!.split('_').map(numberIn);
  const figures = [unescaped(x!), unescaped(y!)];
  if (!level || values.some((value) => value === undefined) || !figures.every(isFigureKey)) return undefined;
  if (values.length % 2 === 1 || values.length < 6 || values.length > 2 * mostCorners) return undefined;
  return {
    level,
    x: figures[0]!,
    y: figures[1]!,
    isLog: { x: scaleNames[across as 'even'], y: scaleNames[up as 'even'] },
    corners: Array.from({ length: values.length / 2 }, (_, at) => [values[2 * at]!, values[2 * at + 1]!] as const),
  };
}

/** A formula has at most 500 characters. Whether it can be read is known later, by who loads what reads formulas. */
const scoreText = /^(?:branch|sum|mean|max)\..{1,520}$/su;

function readScorePart(text: string): ScorePart | undefined {
  const [, name, ends, score] = /^([a-z]+)-(.*?)-((?:branch|sum|mean|max)\..*)$/su.exec(text) ?? [];
  const [level, range] = [levelOf(name), readRange(ends ?? '')];
  return level && range && score !== undefined && scoreText.test(score) ? { level, ...range, score } : undefined;
}

const levelOf = (name: string | undefined): Level | undefined => levels.find((level) => level === name);
const escaped = (name: string) => name.replaceAll(/[-.]/g, '.$&');
const unescaped = (name: string) => name.replaceAll(/\.([-.])/g, '$1');
const numberText = (value: number) => String(value).replace('+', '');

function numberIn(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
}

/** The same parts in the order in which they are written, without duplicates and without those that say nothing. */
export function canonicalAreas({ areas, scores }: AreaParts): AreaParts {
  const found = new Map(areas.map((area) => [areaText(area), area]));
  const rank = ({ level }: { readonly level: Level }) => levels.indexOf(level);
  return {
    areas: [...found.keys()].sort().map((text) => found.get(text)!),
    scores: scores.filter(hasEnd).sort((one, other) => rank(one) - rank(other)),
  };
}

/** Whether a point is in an area or on its edge. @param x, y not NaN */
export function isInArea({ corners, isLog }: Pick<AreaPart, 'corners' | 'isLog'>, x: number, y: number): boolean {
  const [px, py] = [placed(x, isLog.x), placed(y, isLog.y)];
  let isInside = false;
  for (let at = 0; at < corners.length; at++) {
    const [one, other] = [corners[at]!, corners[(at + 1) % corners.length]!];
    const [x0, y0] = [placed(one[0], isLog.x), placed(one[1], isLog.y)];
    const [x1, y1] = [placed(other[0], isLog.x), placed(other[1], isLog.y)];
    const isBeside =
      Math.min(x0, x1) <= px && px <= Math.max(x0, x1) && Math.min(y0, y1) <= py && py <= Math.max(y0, y1);
    if (isBeside && (x1 - x0) * (py - y0) === (y1 - y0) * (px - x0)) return true;
    if (y0 > py !== y1 > py && px < x0 + ((py - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
  }
  return isInside;
}

/** Where a value is on its axis. Below -1 there is no logarithm: such a value is left of all others. */
const placed = (value: number, isLog: boolean): number =>
  isLog ? (value > -1 ? Math.log10(value + 1) : Number.NEGATIVE_INFINITY) : value;
