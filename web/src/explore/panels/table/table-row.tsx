// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are positioned, which table elements do not allow
import { typeWord } from '@kc/pack/filter-words/type-word';
import type { Field } from '@kc/rules/shapes';
import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { rowLook } from '../../../ui/data-grid.tsx';
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
import { addsTo } from '../../../ui/keys.ts';
import { toggleCompared } from '../../model/compare.ts';
import { fieldKey, figuresOf } from '../../tree-data/figures.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer } from '../explorer-context.ts';
import { MarkedName } from '../marked-name.tsx';
import { askForMore } from '../outline/more-in-sight.ts';
import { indentOf, type OutlineRow } from '../outline/outline-rows.ts';
import { ComparedBadge, useHue } from '../row-look.tsx';
import { MarkCell } from './mark-cells.tsx';
import { type FigureColumn, grid, type MarkColumn, rowPx } from './table-columns.ts';

export const tableRowId = (row: number) => `table-${row}`;

type LineProps = {
  readonly line: OutlineRow;
  readonly figures: readonly FigureColumn[];
  readonly fields: readonly Field[];
  readonly marks: readonly MarkColumn[];
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
  /** Its number in the comparison; 0 if it is not compared. */
  readonly comparedAs: number;
  readonly isOpen: boolean;
  readonly isLit: boolean;
};

/** Memoised like the rows of the outline. */
export const TableLine = memo(function TableLine({
  line,
  figures,
  fields,
  marks,
  index,
  top,
  isCurrent,
  comparedAs,
  isOpen,
  isLit,
}: LineProps) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const { row, level } = line;
  const hue = useHue()(row);
  const place = { top, height: rowPx };
  if (line.kind === 'more') {
    return (
      <div
        role="row"
        tabIndex={-1}
        aria-level={level}
        aria-rowindex={index + 2}
        className="absolute inset-x-0 flex items-center"
        style={place}
      >
        <div role="gridcell" tabIndex={-1} style={{ paddingLeft: 36 + indentOf(level) }}>
          <button
            type="button"
            onClick={() =>
              askForMore(explorer, row, { sort: explorer.store.getState().tableSort, want: explorer.wantRanked })
            }
            className="h-7 px-2 text-small text-brand-ink hover:underline"
          >
            {exact(line.nodes)} more…
          </button>
        </div>
      </div>
    );
  }
  const isBranch = tree.childCount[row]! > 0;
  const keywords = tree.keywords[row]!;
  const parent = Math.max(0, tree.parent[row]!);
  // Excluded nodes have no figures: neither 0 nor unknown ones.
  const isLeftOut = tree.isLeftOut(row);
  const unlessOut = (text: string) => (isLeftOut ? '–' : text);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys (aria-activedescendant)
    <div
      id={tableRowId(row)}
      role="row"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={line.position}
      aria-setsize={line.of}
      aria-rowindex={index + 2}
      aria-selected={isCurrent || comparedAs > 0}
      aria-current={isCurrent || undefined}
      {...(isBranch ? { 'aria-expanded': isOpen } : {})}
      onClick={(event) => (addsTo(event) ? toggleCompared(explorer, row) : explorer.select(row))}
      onDoubleClick={() => explorer.focusOn(row)}
      onPointerEnter={() => explorer.hover(row)}
      className={classNames(
        grid,
        'absolute inset-x-0 cursor-pointer items-center border-b border-line text-small',
        rowLook({ isCurrent, isSelected: comparedAs > 0 }),
        isCurrent &&
          'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
        isLeftOut && 'text-muted',
        isLit && 'shadow-[inset_3px_0_0_var(--highlight)]',
      )}
      style={place}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        className="flex min-w-0 items-center gap-1.5 px-2"
        style={{ paddingLeft: 8 + indentOf(level) }}
      >
        {isBranch ? (
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
        {isLeftOut && <span className="shrink-0 text-micro italic">left out</span>}
      </div>
      <div role="gridcell" tabIndex={-1} className="truncate px-3 text-muted max-md:hidden">
        {typeWord(tree.types[tree.type[row]!] ?? '')}
      </div>
      <Figure
        value={keywords}
        text={isLeftOut || (isBranch && !isOpen && isCut(tree, row)) ? exactKeywordsOf(tree, row) : exact(keywords)}
        whole={tree.keywords[parent]!}
      />
      {figures.map(({ id }) => {
        const { value, known } = figuresOf(tree, id)!;
        return (
          <Figure
            key={id}
            value={value[row]!}
            text={unlessOut(write[id](value[row]))}
            whole={wholeOf[id](tree, parent)}
            known={knownPart(known![row]!, keywords)}
          />
        );
      })}
      {fields.map((field) => (
        <FieldCell key={field.name} row={row} field={field} />
      ))}
      {marks.map(({ id }) => (
        <div
          key={id}
          role="gridcell"
          tabIndex={-1}
          className={classNames('truncate px-3', id !== 'change' && 'text-right tabular-nums')}
        >
          {isLeftOut ? (
            '–'
          ) : (
            <MarkCell id={id} fieldOf={(field) => tree.markField(field)} at={row} volume={tree.volume[row]!} />
          )}
        </div>
      ))}
    </div>
  );
});

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
  if (!field || field.known[row] === notLoaded) return <div role="gridcell" tabIndex={-1} />;
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
    <div
      role="gridcell"
      tabIndex={-1}
      className={classNames('truncate px-3', text === unknown && 'text-muted italic')}
      title={figureText(tree, row, fieldKey(name))}
    >
      <bdi>{text}</bdi>
    </div>
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
    <div
      role="gridcell"
      tabIndex={-1}
      className="relative h-full px-3 text-right leading-[34px] tabular-nums"
      title={known}
    >
      <span className={text === unknown ? 'text-muted italic' : ''}>{text}</span>
      {known && <span className="text-muted"> *</span>}
      {known && <span className="sr-only">{known}</span>}
      {width > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-3 bottom-1 h-0.5 rounded-full bg-brand/60"
          style={{ width: `calc((100% - 1.5rem) * ${width / 100})` }}
        />
      )}
    </div>
  );
}
