import { type Corrections, type Meaning, mayRepeat } from '@kc/cluster/read/reading';

/** One thing that a person corrects in how a file is read. */
export type Correction =
  | { readonly what: 'meaning'; readonly column: number; readonly meaning: Meaning }
  | { readonly what: 'encoding'; readonly value: NonNullable<Corrections['encoding']> }
  | { readonly what: 'delimiter'; readonly value: NonNullable<Corrections['delimiter']> }
  | { readonly what: 'header'; readonly value: number }
  | { readonly what: 'sheet'; readonly value: string }
  /** An answer to a question about the values. */
  | {
      readonly what: 'values';
      readonly value: Pick<
        Corrections,
        | 'fillsDown'
        | 'isZeroCpcUnknown'
        | 'isCtrPercent'
        | 'areThousands'
        | 'isDayFirst'
        | 'isFirstMonthNewest'
        | 'areResults'
      >;
    }
  /** '' for what was recognised. */
  | { readonly what: 'market'; readonly value: string };

/**
 * The corrections of a file after one more.
 *
 * A meaning that exists once leaves the column that was given it before. Columns are named by their numbers, so their
 * meanings are forgotten when the columns become others.
 */
export function corrected(corrections: Corrections, correction: Correction): Corrections {
  const { meanings, ...rest } = corrections;
  const kept = meanings ? { meanings } : {};
  switch (correction.what) {
    case 'meaning':
      return { ...rest, meanings: withMeaning(meanings ?? {}, correction.column, correction.meaning) };
    case 'encoding':
      return { ...rest, ...kept, encoding: correction.value };
    case 'market': {
      const { market: _, ...others } = rest;
      return { ...others, ...kept, ...(correction.value !== '' && { market: correction.value }) };
    }
    case 'values':
      return { ...corrections, ...correction.value };
    case 'delimiter':
      return { ...rest, delimiter: correction.value };
    case 'header':
      return { ...rest, header: correction.value };
    case 'sheet': {
      const { header: _, ...others } = rest;
      return { ...others, sheet: correction.value };
    }
  }
}

function withMeaning(
  meanings: Readonly<Record<number, Meaning>>,
  column: number,
  meaning: Meaning,
): Readonly<Record<number, Meaning>> {
  const entries = Object.entries(meanings).map(([at, current]) => {
    const moves = current === meaning && Number(at) !== column && !mayRepeat.has(meaning);
    return [at, moves ? 'keep' : current] as const;
  });
  return { ...Object.fromEntries(entries), [column]: meaning };
}

export const isCorrected = (corrections: Corrections): boolean => Object.keys(corrections).length > 0;
