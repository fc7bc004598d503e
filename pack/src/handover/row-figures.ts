import type { FilteredPack } from '../filter/filtered-pack.ts';
import { growthOf } from '../filter/growth.ts';
import { intents } from '../format/figures.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { type IntentShare, intentShares } from '../levels/intent-shares.ts';
import { valuesOf } from '../levels/row-values.ts';
import { rowScores } from '../score/row-scores.ts';
import type { Score } from '../score/score.ts';
import { rollUpsOf } from '../slice/rolled-rows.ts';

/** The figures of a row as the table shows them. Undefined is unknown. */
export type RowFigures = {
  readonly keywords: number;
  readonly volume: number | undefined;
  readonly difficulty: number | undefined;
  /** How much of the row its difficulty is known for, 0 to 1. */
  readonly difficultyKnown: number | undefined;
  readonly cpc: number | undefined;
  readonly position: number | undefined;
  /** Empty if none is known. */
  readonly intents: readonly IntentShare[];
  readonly score: number | undefined;
  /** Of a keyword. */
  readonly growth: number | undefined;
};

/**
 * The figures of some rows, in their order: of a branch, those of its kept keywords.
 *
 * @param score undefined for none
 */
export async function figuresOfRows(
  pack: PackReader | FilteredPack,
  wanted: Uint32Array,
  score: Score | undefined,
  pause: Pause = noPause,
): Promise<RowFigures[]> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const rows = Uint32Array.from(new Set(wanted)).sort();
  const totals = await rollUpsOf(pack, rows);
  const [children, keywords, volume, difficulty, cpc, position] = [
    await totals.column('child_count'),
    await totals.column('keywords'),
    await totals.column('volume'),
    await totals.column('difficulty'),
    await totals.column('cpc'),
    await totals.column('position'),
  ];
  const [known, intentKnown] = [
    await valuesOf(pack, 'known:difficulty', rows, pause),
    await totals.column('intent_known'),
  ];
  const ofIntents = await Promise.all(intents.map((name) => totals.column(name)));
  const scores = score && (await rowScores({ pack, rows, totals, pause }, score));
  const growth = await growthOf(whole, { pause });
  const figures = Array.from(rows, (row, at): RowFigures => {
    const isBranch = children[at]! > 0;
    return {
      keywords: keywords[at]!,
      volume: knownNumber(volume[at]!),
      difficulty: shortNumber(difficulty[at]!, isBranch),
      difficultyKnown: difficultyKnown(known[at]!, keywords[at]!),
      cpc: shortNumber(cpc[at]!, isBranch),
      position: shortNumber(position[at]!, isBranch),
      intents: intentShares(
        ofIntents.map((counts) => counts[at]!),
        intentKnown[at]!,
      ),
      score: scores && knownNumber(scores[at]!),
      growth: growth && !isBranch ? knownNumber(growth[row]!) : undefined,
    };
  });
  const places = new Map(Array.from(rows, (row, at) => [row, at]));
  return Array.from(wanted, (row) => figures[places.get(row)!]!);
}

const knownNumber = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** 32-bit floats have seven significant digits, their means six. Further digits are noise. */
const shortNumber = (value: number, isMean: boolean): number | undefined =>
  Number.isNaN(value) ? undefined : Number(value.toPrecision(isMean ? 6 : 7));

const difficultyKnown = (share: number, keywords: number): number | undefined =>
  keywords === 0 ? undefined : knownNumber(Number(share.toPrecision(7)));
