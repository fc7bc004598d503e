import { memo } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { GridRow, type RowFrame } from '../../../ui/data-grid.tsx';
import { TickMark } from '../../../ui/tick-mark.tsx';
import { colourAt } from '../../charts/paint/colour-scale.ts';
import { rowName } from '../../model/place-names.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { MarkedName } from '../marked-name.tsx';
import { usePalette } from '../row-look.tsx';
import { cellOf, namedIn, type RowOfPage } from './list-cells.tsx';

type ListRowProps = RowFrame & {
  /** Undefined while its page is on the way. */
  readonly row: RowOfPage | undefined;
  readonly ofVolume: number;
  readonly showsPillar: boolean;
  /** Adds the row to the selection, or takes it out. */
  readonly onPick: (rank: number) => void;
};

/** One row of a flat list. */
export const ListRow = memo(function ListRow({ row, ofVolume, showsPillar, onPick, ...frame }: ListRowProps) {
  const { rank, isPicked } = frame;
  return (
    <GridRow
      frame={frame}
      cell={({ id }) => {
        if (!row) return <span aria-hidden="true" className="h-3 w-3/4 rounded-chip bg-line/60" />;
        if (id !== 'name') {
          return (
            <div className={classNames('min-w-0 truncate', id === 'intent' && 'mr-auto')}>
              {cellOf(id, row, ofVolume)}
            </div>
          );
        }
        return (
          <>
            <PickBox isPicked={isPicked} onPick={() => onPick(rank)} />
            <Name {...row} showsPillar={showsPillar} isPicked={isPicked} />
          </>
        );
      }}
    />
  );
});

/** For the pointer: keys have Space, and the row itself says whether it is selected. */
function PickBox({ isPicked, onPick }: { readonly isPicked: boolean; readonly onPick: () => void }) {
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
      <TickMark isOn={isPicked} />
    </span>
  );
}

/** The name with the colour of its pillar; beside a cluster, or below it in a narrow column, the name of the pillar. */
function Name({ page, at, showsPillar, isPicked }: RowOfPage & { showsPillar: boolean; isPicked: boolean }) {
  const palette = usePalette();
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  const pillar = page.pillar[at]!;
  const pillarRow = tree.rowOf(pillar);
  const isStray = pillarRow !== none && tree.isStrays(pillarRow);
  const name = rowName(page.slice, at);
  const pillarName = showsPillar && pillar !== page.slice.node[at] ? namedIn(page, pillar) : undefined;
  return (
    <span className="@container flex min-w-0 flex-1 items-center gap-2">
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full forced-color-adjust-none"
        style={{ background: isStray ? palette.neutral : colourAt(palette, pillar - 1) }}
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
