import { apostropheNote } from '@kc/rules/spreadsheet-cell';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { type Marks, markKind } from '../../charts/layout/layout.ts';
import { counted } from '../../format/figure-text.ts';
import { levelOf } from '../../model/levels.ts';
import { isRankedLevel } from '../../model/list-query.ts';
import { listedChildren } from '../../model/row-order.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { outlineRows } from '../outline/outline-rows.ts';
import { treeColumns } from '../table/table-columns.ts';
import { useColumns, useList } from '../table/use-list.ts';
import { levelWords } from '../view-names.ts';
import { useShareActions } from './share-actions.ts';
import { hasPicture } from './shown-picture.ts';

type Props = {
  /** Undefined for the table, and for the points of a level. */
  readonly stage: Stage | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
};

const scales = [1, 2, 4] as const;

/** Exports the view as a file: as a table, as the data behind it, as a picture. It stays open for the next file. */
export function ExportDialog({ stage, open, onClose }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Export" place="drawer">
      <Files stage={stage} />
    </Dialog>
  );
}

function Files({ stage }: Pick<Props, 'stage'>) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const actions = useShareActions();
  const { selected, focus } = useLooks('selected', 'focus');
  const isFiltered = useLook((state) => state.filter !== '');
  const level = useLook((state) => (state.view === 'table' ? levelOf(state) : undefined));
  const branch = selected !== none && tree.childCount[selected]! > 0 && !tree.isLeftOut(selected) ? selected : focus;
  const whole = isFiltered ? 'all matches' : 'everything';
  const count = isFiltered ? counted(tree.keywords[0]!, 'keyword') : counted(explorer.nodes, 'row');
  return (
    <div className="flex flex-col gap-5">
      {level === 'plan' ? (
        <Section title="Table as shown" text="“Hand over…” in the menu Share exports the plan, with its own columns." />
      ) : level !== undefined && isRankedLevel(level) ? (
        <ListFiles />
      ) : (
        <ShownFiles stage={stage} />
      )}
      {branch !== 0 && <BranchFiles row={branch} name={tree.name(branch)} />}
      <BranchFiles row={0} name={whole} detail={count} />
      <Section title="Picture">
        {hasPicture(explorer, stage) ? (
          <>
            <File onSelect={() => actions.copyImage(stage)}>Copy image</File>
            {scales.map((scale) => (
              <File key={scale} onSelect={() => actions.png(stage, scale)}>{`Download PNG ${scale}×`}</File>
            ))}
            <File onSelect={() => actions.svg(stage)}>Download SVG</File>
            <File onSelect={() => actions.print(stage)}>Print</File>
          </>
        ) : (
          <p className="m-0 text-small text-muted">The table cannot be saved as an image. Choose another view.</p>
        )}
      </Section>
      <p className="m-0 border-line border-t pt-3 text-micro text-muted">
        Figures are those of the file. Averages are rounded to six digits. {apostropheNote}
      </p>
    </div>
  );
}

/** The flat list of the table, all of its rows. */
function ListFiles() {
  const actions = useShareActions();
  const { columns } = useColumns();
  const query = useList((state) => state.query);
  const total = useList((state) => state.total);
  if (!query) return null;
  return (
    <Section
      title="Table as shown"
      detail={total === undefined ? undefined : levelWords[query.level].count(total)}
      text="The workbook has the columns of the screen, in its order and with its filter; a CSV file has all columns."
    >
      <File
        label="XLSX: the table as shown"
        onSelect={() =>
          actions.list(
            query,
            columns.map(({ id }) => id),
          )
        }
      >
        XLSX
      </File>
      <File label="CSV: the table as shown" onSelect={() => actions.list(query)}>
        CSV
      </File>
    </Section>
  );
}

/** The rows that the tree of the table shows, or those of a chart. */
function ShownFiles({ stage }: Pick<Props, 'stage'>) {
  const { tree, store } = useExplorer();
  const actions = useShareActions();
  const isTable = useLook((state) => state.view === 'table');
  const nodes = (): readonly number[] => {
    const { expanded, focus, tableSort, ranked } = store.getState();
    const sight = stage?.sight();
    const lines = () =>
      outlineRows(tree, focus, new Set([...expanded, focus]), listedChildren(tree, tableSort, ranked));
    const shown = sight ? shownRows(sight.marks) : lines().flatMap((line) => (line.kind === 'node' ? [line.row] : []));
    return shown.filter((row) => !tree.isLeftOut(row)).map((row) => tree.node[row]!);
  };
  /** As the tree of the table shows them. Without its indents, a column says the level. */
  const columns = (): string[] => {
    const { fields = [], vs } = store.getState();
    const shown = { tree, fields: isTable ? fields : [], isCompared: isTable && vs !== undefined };
    return treeColumns(shown).flatMap(({ id }) => (id === 'name' ? ['name', 'depth'] : [id]));
  };
  const what = isTable ? 'the table as shown' : 'what is shown';
  return (
    <Section title={isTable ? 'Table as shown' : 'What is shown'} text="The rows that are open, in their order.">
      <File label={`XLSX: ${what}`} onSelect={() => actions.table(nodes(), 'shown', columns())}>
        XLSX
      </File>
      <File label={`CSV: ${what}`} onSelect={() => actions.table(nodes(), 'shown')}>
        CSV
      </File>
    </Section>
  );
}

/** A branch with everything below it; row 0 is everything. */
function BranchFiles({ row, name, detail }: { readonly row: number; readonly name: string; readonly detail?: string }) {
  const explorer = useExplorer();
  const actions = useShareActions();
  const isWhole = row === 0;
  const of = isWhole ? name : `“${name}”`;
  return (
    <Section
      title={
        isWhole ? (
          `${of[0]!.toUpperCase()}${of.slice(1)}`
        ) : (
          <>
            “<bdi>{name}</bdi>”
          </>
        )
      }
      detail={detail}
    >
      <File label={`CSV: ${of}`} onSelect={() => actions.branch('csv', row)}>
        CSV
      </File>
      {(['keywords', 'clusters'] as const).map((kind) => (
        <File
          key={kind}
          label={`${kinds[kind]} as CSV: ${of}`}
          onSelect={() => actions.branch('csv', row, kind)}
        >{`${kinds[kind]} as CSV`}</File>
      ))}
      {explorer.guest === undefined && (
        <File label={`JSON: ${of}`} onSelect={() => actions.branch('json', row)}>
          JSON
        </File>
      )}
      <File label={`Copy as a list: ${of}`} onSelect={() => actions.copyList(row)}>
        Copy as a list
      </File>
    </Section>
  );
}

const kinds = { keywords: 'Keywords', clusters: 'Clusters' } as const;

type SectionProps = {
  readonly title: ReactNode;
  readonly detail?: string | undefined;
  readonly text?: string;
  readonly children?: ReactNode;
};

function Section({ title, detail, text, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="m-0 flex flex-wrap items-baseline gap-x-3 text-body font-semibold wrap-anywhere">
        {title}
        {detail && <span className="text-micro font-normal text-muted tabular-nums">{detail}</span>}
      </h3>
      {text && <p className="m-0 text-small text-muted">{text}</p>}
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </section>
  );
}

type FileProps = { readonly label?: string; readonly onSelect: () => void; readonly children: string };

function File({ label, onSelect, children }: FileProps) {
  return (
    <Button size="dense" aria-label={label} onClick={onSelect}>
      {children}
    </Button>
  );
}

/** The distinct rows that have a mark, in drawing order: a branch comes before its content. */
function shownRows({ count, row, kind }: Marks): number[] {
  const rows = new Set<number>();
  for (let mark = 0; mark < count; mark++) if (kind[mark] !== markKind.tail) rows.add(row[mark]!);
  return [...rows];
}
