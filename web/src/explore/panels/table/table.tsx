import { typeWord } from '@kc/pack/filter-words/figure-name';
import type { Field } from '@kc/rules/shapes';
import { ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { DataGrid, GridRow, type RowFrame } from '../../../ui/data-grid.tsx';
import { useIsSmall } from '../../../ui/environment.ts';
import {
  confidenceText,
  exact,
  exactKeywordsOf,
  figureText,
  isConfidence,
  isCut,
  isKnown,
  knownFor,
  mean,
  money,
  namedValue,
  unknown,
  writeFigure,
} from '../../format/figure-text.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldKey, figuresOf } from '../../tree-data/figures.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { singleKeysOn } from '../keyboard/single-keys.ts';
import { MarkedName } from '../marked-name.tsx';
import { indentOf, type OutlineRow } from '../outline/outline-rows.ts';
import { askForMore, useTreeRows } from '../outline/tree-rows.ts';
import { ComparedBadge, useHue } from '../row-look.tsx';
import { MarkCell } from './mark-cells.tsx';
import { sortedColumns, treeColumns } from './table-columns.ts';

const rowPx = 36;
const noFields: readonly Field[] = [];

/** The focused branch as a treegrid, with the same selection, focus and keys as the charts. */
export function Table() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { treeVersion, focus, expanded } = useLooks('treeVersion', 'focus', 'expanded');
  const fields = useLook((state) => state.fields) ?? noFields;
  const { tableSort: sort, ranked } = useLooks('tableSort', 'ranked');
  const isCompared = useLook((state) => state.vs !== undefined);
  const isSmall = useIsSmall();
  const scroller = useRef<HTMLDivElement>(null);
  const open = useMemo(() => new Set([...expanded, focus]), [expanded, focus]);
  const rows = useTreeRows({ top: focus, open, isTopOpen: true, sort, ranked, want: explorer.requestRanked });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const columns = useMemo(() => {
    return sortedColumns(treeColumns({ tree, fields, isCompared, isSmall }), sort, (next) => {
      explorer.sortTable(next);
      scroller.current?.scrollTo({ top: 0 });
    });
  }, [explorer, tree, treeVersion, fields, isCompared, isSmall, sort]);
  // The table may load long after the chart that had the focus is gone.
  useEffect(() => {
    const wasSwitchedTo = explorer.store.getInitialState().view !== 'table';
    if (wasSwitchedTo && document.activeElement === document.body) scroller.current?.focus();
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
  const volume = tree.hasLeftOut ? 'volume without the filter' : 'volume';
  return (
    <p
      id={notesId}
      className="m-0 flex flex-wrap gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted"
    >
      <span>* known for a part of the keywords</span>
      {isByVolume && <span>{`Highest ${volume} first`}</span>}
      {isSorted && isFaint && !tree.isComplete && (
        <span>With the rest shown, only branches that are here whole are sorted</span>
      )}
    </p>
  );
}

const notesId = 'table-notes';

type LineProps = RowFrame & {
  readonly line: OutlineRow;
  readonly fields: readonly Field[];
  /** Its number in the comparison; 0 if it is not compared. */
  readonly comparedAs: number;
  readonly isOpen: boolean;
  readonly isLit: boolean;
};

/** Memoised like the rows of the outline. */
const TableLine = memo(function TableLine({ line, fields, comparedAs, isOpen, isLit, ...frame }: LineProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { row, level } = line;
  if (line.kind === 'more') {
    return (
      <GridRow frame={frame} branch={{ level }} className="flex">
        {/* biome-ignore lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow */}
        <div role="gridcell" tabIndex={-1} style={{ paddingLeft: 36 + indentOf(level) }}>
          <button
            type="button"
            onClick={() =>
              askForMore(explorer, row, { sort: explorer.store.getState().tableSort, want: explorer.requestRanked })
            }
            className="h-7 px-2 text-small text-brand-ink hover:underline"
          >
            {exact(line.nodes)} more…
          </button>
        </div>
      </GridRow>
    );
  }
  const isBranch = tree.childCount[row]! > 0;
  const { position, of } = line;
  return (
    <GridRow
      frame={frame}
      branch={{ level, position, of, isOpen: isBranch ? isOpen : undefined }}
      isSelected={comparedAs > 0}
      onPointerEnter={() => explorer.hover(row)}
      className={classNames(tree.isLeftOut(row) && 'text-muted', isLit && 'shadow-[inset_3px_0_0_var(--highlight)]')}
      cell={({ id }) =>
        id === 'name' ? (
          <Name row={row} level={level} isOpen={isOpen} comparedAs={comparedAs} />
        ) : (
          <Cell id={id} row={row} isOpen={isOpen} fields={fields} />
        )
      }
    />
  );
});

type NameProps = Pick<LineProps, 'isOpen' | 'comparedAs'> & { readonly row: number; readonly level: number };

function Name({ row, level, isOpen, comparedAs }: NameProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const hue = useHue()(row);
  return (
    <div className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: indentOf(level) }}>
      {tree.childCount[row]! > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${tree.name(row)}`}
          onClick={(event) => {
            event.stopPropagation();
            explorer.setExpanded(row, !isOpen);
          }}
          className="flex size-6 shrink-0 items-center justify-center rounded-chip text-muted hover:bg-line"
        >
          <ChevronRight
            size={14}
            strokeWidth={2}
            className={classNames('motion transition-transform duration-150', isOpen && 'rotate-90')}
          />
        </button>
      ) : (
        <span className="w-6 shrink-0" />
      )}
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: hue }} />
      <span dir="auto" className="truncate">
        <MarkedName name={tree.name(row)} />
      </span>
      {comparedAs > 0 && <ComparedBadge number={comparedAs} />}
      {tree.isLeftOut(row) && <span className="shrink-0 text-micro italic">left out</span>}
    </div>
  );
}

type CellProps = Pick<LineProps, 'isOpen' | 'fields'> & { readonly id: string; readonly row: number };

function Cell({ id, row, isOpen, fields }: CellProps): ReactNode {
  const { tree } = useExplorer();
  const keywords = tree.keywords[row]!;
  const parent = Math.max(0, tree.parent[row]!);
  // Excluded nodes have no figures: neither 0 nor unknown ones.
  const isLeftOut = tree.isLeftOut(row);
  const isShut = tree.childCount[row]! > 0 && !isOpen;
  switch (id) {
    case 'type':
      return <span className="truncate text-muted">{typeWord(tree.types[tree.type[row]!] ?? '')}</span>;
    case 'keywords':
      return (
        <Figure
          value={keywords}
          text={isLeftOut || (isShut && isCut(tree, row)) ? exactKeywordsOf(tree, row) : exact(keywords)}
          whole={tree.keywords[parent]!}
        />
      );
    case 'volume':
    case 'difficulty':
    case 'cpc': {
      const { value, known } = figuresOf(tree, id)!;
      return (
        <Figure
          value={value[row]!}
          text={isLeftOut ? '–' : write[id](value[row])}
          whole={wholeOf[id](tree, parent)}
          known={knownPart(known![row]!, keywords)}
        />
      );
    }
    default: {
      const field = fields.find(({ name }) => fieldKey(name) === id);
      if (field) return <FieldCell row={row} field={field} />;
      if (isLeftOut) return '–';
      return (
        <span className="truncate">
          <MarkCell id={id} fieldOf={(mark) => tree.markField(mark)} at={row} volume={tree.volume[row]!} />
        </span>
      );
    }
  }
}

const write = { volume: exact, difficulty: mean, cpc: money } as const;
/** The value of a full bar; NaN for a figure without a bar. */
const wholeOf = {
  volume: (tree: LoadedTree, parent: number) => tree.volume[parent]!,
  difficulty: () => 100,
  cpc: () => Number.NaN,
} as const;

/** The value of a file field, or an empty cell while it loads. */
function FieldCell({ row, field: { name } }: { row: number; field: Field }) {
  const { tree } = useExplorer();
  const field = tree.field(name);
  if (!field || field.known[row] === notLoaded) return null;
  if (tree.isLeftOut(row)) return <Figure value={Number.NaN} text="–" whole={Number.NaN} />;
  const known = knownPart(field.known[row]!, tree.keywords[row]!);
  if (field.kind === 'number') {
    const value = field.value[row]!;
    const whole = field.rollUp === 'sum' ? field.value[Math.max(0, tree.parent[row]!)]! : Number.NaN;
    const text = isConfidence(fieldKey(name), field) ? confidenceText(value) : writeFigure(fieldKey(name), value);
    return <Figure value={value} text={text} whole={whole} known={known} />;
  }
  const text = field.known[row] === 0 ? unknown : namedValue(field, row);
  return (
    <bdi
      className={classNames('truncate', text === unknown && 'text-muted italic')}
      title={figureText(tree, row, fieldKey(name))}
    >
      {text}
    </bdi>
  );
}

/** Undefined if all or none of the values are known: the value itself shows that. */
function knownPart(known: number, of: number): string | undefined {
  return known > 0 ? knownFor(known, of) : undefined;
}

type FigureProps = {
  readonly value: number;
  readonly text: string;
  readonly whole: number;
  readonly known?: string | undefined;
};

/** A number with a bar below it: its share of the parent's value, or of the maximum. */
function Figure({ value, text, whole, known }: FigureProps) {
  const width = isKnown(value) && isKnown(whole) && whole > 0 ? Math.min(100, (value / whole) * 100) : 0;
  return (
    <div className="relative h-full min-w-0 flex-1 text-right leading-[34px]" title={known}>
      <span className={text === unknown ? 'text-muted italic' : ''}>{text}</span>
      {known && <span className="text-muted"> *</span>}
      {known && <span className="sr-only">{known}</span>}
      {width > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-0 bottom-1 h-0.5 rounded-full bg-brand/60"
          style={{ width: `${width}%` }}
        />
      )}
    </div>
  );
}
