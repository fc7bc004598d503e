import { limits } from '@kc/rules/limits';
import type { Field } from '@kc/rules/shapes';
import { useEffect, useMemo, useRef } from 'react';
import { DataGrid } from '../../../ui/data-grid.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { useTreeRows } from '../outline/tree-rows.ts';
import { sortedColumns, treeColumns } from './table-columns.ts';
import { TableLine } from './table-row.tsx';

const rowPx = 36;
const noFields: readonly Field[] = [];

/** The focused branch as a treegrid, with the same selection, focus and keys as the charts. */
export function Table() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const treeVersion = useLook((state) => state.treeVersion);
  const focus = useLook((state) => state.focus);
  const expanded = useLook((state) => state.expanded);
  const fields = useLook((state) => state.fields) ?? noFields;
  const sort = useLook((state) => state.tableSort);
  const ranked = useLook((state) => state.ranked);
  const isCompared = useLook((state) => state.vs !== undefined);
  const isSmall = !useMedia(`(min-width: ${limits.mobileBelowPx}px)`);
  const scroller = useRef<HTMLDivElement>(null);
  const open = useMemo(() => new Set([...expanded, focus]), [expanded, focus]);
  const rows = useTreeRows({ top: focus, open, isTopOpen: true, sort, ranked, want: explorer.wantRanked });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const columns = useMemo(() => {
    return sortedColumns(treeColumns({ tree, fields, isCompared, isSmall }), sort, (next) => {
      explorer.sortTable(next);
      scroller.current?.scrollTo({ top: 0 });
    });
  }, [explorer, tree, treeVersion, fields, isCompared, isSmall, sort]);
  // The table may load long after the chart that had the focus is gone.
  useEffect(() => {
    const cameLater = explorer.store.getInitialState().view !== 'table';
    if (cameLater && document.activeElement === document.body) scroller.current?.focus();
  }, [explorer]);
  return (
    <div className="absolute inset-0 flex flex-col bg-surface">
      <DataGrid
        id="table"
        role="treegrid"
        label={`Table of ${tree.size === 0 ? 'keywords' : tree.name(focus)}`}
        attributes={{
          className: 'min-h-0 flex-1',
          'aria-describedby': notesId,
          onPointerLeave: () => explorer.hover(none),
        }}
        scroller={scroller}
        columns={columns}
        count={rows.lines.length}
        keyAt={rows.keyAt}
        rowPx={rowPx}
        cursor={rows.cursor}
        moves={rows.moves}
        gestures={rows.gestures}
        keys={{ ...rows.keys, ...(singleKeysOn() && { t: explorer.toggleTable }) }}
        onOpen={rows.onOpen}
        onSight={rows.onSight}
        row={(frame) => <TableLine key={frame.rowKey} {...frame} {...rows.lookOf(frame.rank)} fields={fields} />}
      />
      <Notes isSorted={sort !== undefined} />
    </div>
  );
}

/** Explains the sort order and the asterisks on figures. */
function Notes({ isSorted }: { isSorted: boolean }) {
  const { tree } = useExplorer();
  const isFaint = useLook((state) => state.isFaint && state.filter !== '');
  useLook((state) => state.treeVersion);
  const isByVolume = !isSorted && tree.size > 0 && tree.volumeKnown[0]! > 0;
  return (
    <p
      id={notesId}
      className="m-0 flex flex-wrap gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted"
    >
      <span>* known for a part of the keywords</span>
      {isByVolume && <span>Highest volume first</span>}
      {isSorted && isFaint && !tree.isComplete && (
        <span>With the rest shown, only branches that are here whole are sorted</span>
      )}
    </p>
  );
}

const notesId = 'table-notes';
