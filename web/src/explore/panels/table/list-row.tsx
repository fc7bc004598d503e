// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { type CSSProperties, type MouseEvent, memo } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useTheme } from '../../../ui/environment.ts';
import { colourOfNth } from '../../charts/paint/colour-scale.ts';
import { paletteOf } from '../../charts/paint/colours.ts';
import type { ShownColumn } from '../../model/list-columns.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { MarkedName } from '../marked-name.tsx';
import { rowLook } from '../row-look.tsx';
import { cellOf, nameOf, type RowOfPage } from './list-cells.tsx';

export const listRowId = (rank: number) => `list-row-${rank}`;
export const listCellId = (rank: number, column: number) => `list-cell-${rank}-${column}`;

type ListRowProps = {
  /** Undefined while its page is on the way. */
  readonly row: RowOfPage | undefined;
  readonly rank: number;
  readonly columns: readonly ShownColumn[];
  readonly place: CSSProperties;
  readonly ofVolume: number;
  readonly showsPillar: boolean;
  readonly isCursor: boolean;
  /** The cell that keys act on; -1 for the row. */
  readonly cell: number;
  readonly isPicked: boolean;
  readonly onClick: (rank: number, event: MouseEvent) => void;
  /** Adds the row to the selection, or takes it out. */
  readonly onPick: (rank: number) => void;
  readonly onOpen: (rank: number) => void;
  readonly onMenu: (rank: number, event: MouseEvent) => void;
};

/** One row of a flat list. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, rank, columns, place, isCursor, isPicked, cell } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys (aria-activedescendant)
    <div
      id={listRowId(rank)}
      role="row"
      tabIndex={-1}
      aria-rowindex={rank + 2}
      aria-selected={isCursor || isPicked}
      aria-current={isCursor || undefined}
      onClick={(event) => props.onClick(rank, event)}
      onDoubleClick={() => props.onOpen(rank)}
      onContextMenu={(event) => props.onMenu(rank, event)}
      className={classNames(
        'group/row absolute left-0 grid w-full cursor-pointer items-center border-b border-line text-small',
        rowLook({ isCurrent: isCursor, isSelected: isPicked }),
        // Above the name, which covers what scrolls below it.
        isCursor &&
          cell < 0 &&
          'after:pointer-events-none after:absolute after:inset-0 after:z-[2] group-focus-visible:after:outline-2 group-focus-visible:after:-outline-offset-2 group-focus-visible:after:outline-focus',
      )}
      style={place}
    >
      {columns.map((column, index) => (
        <div
          key={column.id}
          id={listCellId(rank, index)}
          role="gridcell"
          tabIndex={-1}
          aria-colindex={index + 1}
          className={classNames(
            'flex h-full min-w-0 items-center px-2.5 tabular-nums',
            !column.isText && column.id !== 'intent' && 'justify-end',
            index === 0 && 'sticky left-0 z-[1] border-r border-line bg-inherit',
            isCursor && cell === index && 'outline-2 -outline-offset-2 outline-focus',
          )}
        >
          {!row ? (
            <span aria-hidden="true" className="h-3 w-3/4 rounded-chip bg-line/60" />
          ) : column.id === 'name' ? (
            <>
              <PickBox isPicked={isPicked} onPick={() => props.onPick(rank)} />
              <Name {...row} showsPillar={props.showsPillar} isPicked={isPicked} />
            </>
          ) : (
            <div className="min-w-0 truncate">{cellOf(column.id, row, props.ofVolume)}</div>
          )}
        </div>
      ))}
    </div>
  );
});

/** For the pointer: keys have Space, and the row itself says whether it is selected. */
export function PickBox({ isPicked, onPick }: { readonly isPicked: boolean; readonly onPick: () => void }) {
  return (
    <span
      aria-hidden="true"
      data-pick=""
      onClick={(event) => {
        event.stopPropagation();
        onPick();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      className="-ml-2.5 flex h-full w-8 shrink-0 items-center justify-center"
    >
      <span
        className={classNames(
          'flex size-4 items-center justify-center rounded-[4px] border text-micro',
          isPicked ? 'border-brand bg-brand text-on-brand' : 'border-line-strong bg-surface',
        )}
      >
        {isPicked && '✓'}
      </span>
    </span>
  );
}

/** The name with the colour of its pillar; beside a cluster, or below it in a narrow column, the name of the pillar. */
function Name({ page, at, showsPillar, isPicked }: RowOfPage & { showsPillar: boolean; isPicked: boolean }) {
  const palette = paletteOf(
    useTheme(),
    useLook((state) => state.isColourBlindSafe),
  );
  const { tree } = useExplorer();
  const pillar = page.pillar[at]!;
  const pillarRow = tree.rowOf(pillar);
  const isStray = pillarRow !== none && tree.isStrays(pillarRow);
  const name = nameOf(page, at);
  const pillarName = showsPillar && pillar !== page.slice.node[at] ? page.names.get(pillar) : undefined;
  return (
    <span className="@container flex min-w-0 flex-1 items-center gap-2">
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full forced-color-adjust-none"
        style={{ background: isStray ? palette.neutral : colourOfNth(palette, pillar - 1) }}
      />
      <span className="flex min-w-0 flex-1 items-center gap-2 @max-[11rem]:flex-col @max-[11rem]:items-stretch @max-[11rem]:gap-0">
        <span dir="auto" className="min-w-0 truncate" title={name}>
          <MarkedName name={name} />
        </span>
        {page.isRepeated[at] === 1 && <span className="shrink-0 text-micro text-muted">in several places</span>}
        {pillarName !== undefined && (
          <span
            dir="auto"
            className="ml-auto max-w-24 shrink-[3] truncate text-micro text-muted @max-[11rem]:ml-0 @max-[11rem]:max-w-none @max-[11rem]:leading-3.5"
          >
            {pillarName}
          </span>
        )}
      </span>
      {isPicked && <span className="sr-only">, selected</span>}
    </span>
  );
}
