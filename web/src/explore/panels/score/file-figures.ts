import { type FormulaFigure, formulaFigures } from '@kc/pack/formula/expression';
import type { FileFigures } from '@kc/pack/formula/parse-formula';
import { fieldOf } from '@kc/pack/upload/fields';
import type { Field } from '@kc/rules/shapes';
import { fieldKey, isKnownAnywhere, isScoreKey } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

const intents: readonly FormulaFigure[] = ['informational', 'navigational', 'commercial', 'transactional'];

/**
 * What formulas can use of the visualization: the same as `figuresOfFile` of `pack/score`, from what the browser knows.
 *
 * @param fields of the file and the score, as in the state
 */
export function figuresHere(tree: LoadedTree, fields: readonly Field[]): FileFigures {
  const numbers = fields
    .filter(({ name, kind }) => kind === 'number' && !isScoreKey(fieldKey(name)))
    .map(({ name }) => name);
  const own = numbers.filter((name) => name !== 'competition' && name !== 'position');
  return {
    has(figure) {
      if (figure === 'keywords' || figure === 'level' || figure === 'words') return true;
      // Only the server knows whether there are trends. Its check refuses what is missing.
      if (figure === 'growth') return true;
      if (figure === 'volume' || figure === 'difficulty' || figure === 'cpc') return isKnownAnywhere(tree, figure);
      if (intents.includes(figure)) return isKnownAnywhere(tree, 'intent');
      if (figure === 'competition' || figure === 'position') return numbers.includes(figure);
      if (figure.startsWith('field:')) return own.some((name) => `field:${name}` === figure);
      return own.some((name) => fieldOf(name)?.name === figure);
    },
    fields: own,
    standardName: (name) => fieldOf(name)?.name,
  };
}

export const namedHere = (file: FileFigures): FormulaFigure[] => formulaFigures.filter((figure) => file.has(figure));
