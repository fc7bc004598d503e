import { levelOf } from '../../model/levels.ts';
import { isRankedLevel } from '../../model/list-query.ts';
import { useLook } from '../explorer-context.ts';
import { ColumnsButton } from '../table/columns-button.tsx';
import { LevelSelect } from './level-select.tsx';

/** What the table lists, and the columns of a flat list. */
export function TableControls() {
  const level = useLook(levelOf);
  return (
    <>
      <LevelSelect />
      {isRankedLevel(level) && <ColumnsButton />}
    </>
  );
}
