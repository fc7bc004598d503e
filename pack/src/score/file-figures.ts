import { type FigureFor, figuresFor, type Intent, intents } from '../format/figures.ts';
import type { PackField, PackMetadata } from '../format/pack-format.ts';
import type { FormulaFigure } from '../formula/expression.ts';
import type { FileFigures } from '../formula/parse-formula.ts';
import { hasGrowth } from '../match/growth.ts';
import { fieldOf } from '../upload/fields.ts';

type Described = Pick<PackMetadata, 'fields' | 'optional' | 'trend'>;
type NumberPackField = PackField & { readonly kind: 'number' };

/** Where the values of a figure come from: from standard columns, a field of the file, or nowhere. */
type FigurePlace =
  | { readonly kind: 'keywords' | 'level' | 'words' | 'growth' }
  | { readonly kind: 'metric'; readonly metric: FigureFor<'filter'> }
  | { readonly kind: 'field'; readonly field: NumberPackField }
  | { readonly kind: 'intent'; readonly bit: number; readonly intent: Intent }
  | { readonly kind: 'none' };

export function placeOf(figure: FormulaFigure, file: Described): FigurePlace {
  const { fields, optional } = file;
  if (figure === 'keywords' || figure === 'level' || figure === 'words') return { kind: figure };
  if (figure === 'growth') return { kind: hasGrowth({ metadata: file }) ? figure : 'none' };
  const metric = figuresFor('filter').find((name) => name === figure);
  if (metric) return optional.includes(`own_${metric}`) ? { kind: 'metric', metric } : { kind: 'none' };
  const bit = (intents as readonly FormulaFigure[]).indexOf(figure);
  if (bit >= 0)
    return optional.includes('own_intent') ? { kind: 'intent', bit, intent: intents[bit]! } : { kind: 'none' };
  const numbers = fields.filter((field) => field.kind === 'number');
  const field = figure.startsWith('field:')
    ? numbers.find(({ name }) => `field:${name}` === figure)
    : numbers.find(({ name }) => fieldOf(name)?.name === figure);
  return field ? { kind: 'field', field } : { kind: 'none' };
}

/** The figures of a file that formulas can use. */
export function figuresOfFile(file: Described): FileFigures {
  return {
    has: (figure) => placeOf(figure, file).kind !== 'none',
    fields: file.fields.filter(({ kind }) => kind === 'number').map(({ name }) => name),
    standardName: (name) => fieldOf(name)?.name,
  };
}
