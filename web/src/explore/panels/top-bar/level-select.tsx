import { Select } from '../../../ui/select.tsx';
import { levelOf } from '../../model/levels.ts';
import { isRankedLevel, type TableLevel } from '../../model/list-query.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { ColumnsButton } from '../table/columns-button.tsx';
import { levelNames } from '../view-names.ts';

/** Which rows the table lists, and which points Opportunity shows. The hierarchy there means the children of the focus. */
export function LevelSelect() {
  const { store, isKept } = useExplorer();
  const level = useLook(levelOf);
  const isPlot = useLook((state) => state.view === 'opportunity');
  const levels = useLook((state) => state.levels);
  // A plan is no part of a draft, and Opportunity shows nodes of the tree.
  const offered: readonly TableLevel[] = ['tree', ...levels, ...(!isPlot && isKept ? (['plan'] as const) : [])];
  const options = offered.map((value) => ({
    value,
    label: isPlot && value === 'tree' ? 'Children' : levelNames[value],
  }));
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      <span aria-hidden="true" className="text-small whitespace-nowrap text-muted short:max-lg:hidden">
        Level
      </span>
      <div className="w-30">
        <Select
          showLabel={false}
          size="dense"
          label="Level"
          value={offered.includes(level) ? level : 'tree'}
          options={options}
          onChange={(next) => store.setState({ level: next })}
        />
      </div>
    </div>
  );
}

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
