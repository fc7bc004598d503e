import { scoreFieldName } from '@kc/pack/score/score-name';
import { fieldOfTopic, stampedName } from '@kc/pack/slice/mark-fields';
import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { fieldKey } from '../tree-data/figures.ts';
import { fieldsFor, offeredColumns, shownColumns } from './list-columns.ts';
import { isMarking } from './warning-marks.ts';

const tree = loadTree(sliceOf('shop (a 5 b 3)'));
const plain = { tree, fields: [], level: 'clusters', hasTrends: false, vs: undefined, planStamp: undefined } as const;
const ids = (columns: readonly { readonly id: string }[]) => columns.map(({ id }) => id);

test('columns of changes are offered and shown while two uploads are compared, and no longer', () => {
  expect(ids(offeredColumns(plain))).not.toContain('change');
  const compared = { ...plain, vs: 'old' };
  expect(ids(shownColumns(compared, ''))).toEqual(expect.arrayContaining(['change', 'volume_before', 'volume_change']));
  // A link that names them shows the others without a comparison.
  expect(ids(shownColumns(plain, 'name*change*volume'))).toEqual(['name', 'volume']);
});

test('without volumes, lists show what is known of clicks', () => {
  const unknown = loadTree(sliceOf('shop (a b)'));
  const number = (name: string) => ({ name, kind: 'number', rollUp: 'sum', least: 0 }) as const;
  const fields = ['impressions', 'CTR', 'Clicks', 'position', 'other'].map(number);
  const source = { ...plain, tree: unknown, fields };
  const ofClicks = ['field:Clicks', 'field:impressions', 'field:CTR', 'field:position'];
  expect(ids(shownColumns(source, ''))).toEqual(['name', 'keywords', ...ofClicks]);
  expect(
    ids(shownColumns({ ...source, level: 'keywords' }, ''))
      .filter((id) => id.startsWith('field:'))
      .sort(),
  ).toEqual(ofClicks.toSorted());
  expect(ids(shownColumns({ ...source, tree }, ''))).not.toContain('field:Clicks');
});

test('a score that is applied has a column beside the name', () => {
  const score = { name: scoreFieldName('branch.volume'), kind: 'number', rollUp: 'mean', least: 0 } as const;
  const source = { ...plain, fields: [score] };
  expect(ids(shownColumns(source, '')).slice(0, 2)).toEqual(['name', fieldKey(score.name)]);
  // Whoever chose columns has hidden it.
  expect(ids(shownColumns(source, 'name*volume'))).toEqual(['name', 'volume']);
});

test('rows are asked for what their columns need, with the upload and the plan that it is about', () => {
  const source = { vs: 'old', planStamp: '7.0' };
  expect(fieldsFor([{ id: 'name' }, { id: 'field:Stage' }], [], source)).toEqual(['Stage']);
  expect(fieldsFor([{ id: 'volume_percent' }, { id: 'change' }], [], source)).toEqual([
    stampedName(fieldOfTopic.change, 'old'),
  ]);
  expect(fieldsFor([{ id: 'covered' }], [], source)).toEqual([stampedName(fieldOfTopic.plan, '7.0')]);
  expect(fieldsFor([{ id: 'covered' }, { id: 'change' }], [], { vs: undefined, planStamp: undefined })).toEqual([]);
  // An order by what is not shown follows it as well.
  expect(fieldsFor([{ id: 'name' }], [{ by: 'covered', descending: true }], source)).toEqual([
    stampedName(fieldOfTopic.plan, '7.0'),
  ]);
});

test('warnings are loaded for their column, too', () => {
  const look = { isWarned: undefined, panel: 'details', detailOpen: true, isSmall: false, view: 'table' };
  expect(isMarking({ ...look, cols: 'name*volume' })).toBe(false);
  expect(isMarking({ ...look, cols: 'name*warnings.90' })).toBe(true);
  expect(isMarking({ ...look, cols: 'name*warnings', view: 'treemap' })).toBe(false);
  expect(isMarking({ ...look, cols: '', panel: 'warnings' })).toBe(true);
});
