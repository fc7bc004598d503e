import { typeWord } from '@kc/pack/filter-words/figure-name';
import { say } from '@kc/rules/messages';
import type { NodeDetail } from '@kc/rules/shapes';
import { shownName } from '@kc/rules/visible-text';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Copy, Link2 } from 'lucide-react';
import { useContext } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LazyBoundary, lazyPart } from '../../../ui/lazy-boundary.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact, isKnown, knownFor, leftOutText } from '../../format/figure-text.ts';
import { currentRow } from '../../model/explorer-state.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { NodeMenuItems } from '../canvas/node-menu.tsx';
import { SinceThen } from '../changes/since-then.tsx';
import { ExplorerPartsContext, useExplorer, useLook } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { PlanButton } from '../plan/plan-elsewhere.tsx';
import { useHue } from '../row-look.tsx';
import { Section } from '../section.tsx';
import { linkTo, useCopy } from '../share/copy.ts';
import { NodeWarnings } from '../warnings/warning-item.tsx';
import { AllKeywords } from './all-keywords.tsx';
import { FieldFigures } from './field-figures.tsx';
import { MergedFrom, OriginalFields, UnrecognisedFields } from './fields-of-file.tsx';
import { KeyNumbers } from './key-numbers.tsx';
import { Similar } from './similar.tsx';
import { TrendChart } from './trend-chart.tsx';

const Comparison = lazyPart(async () => (await import('./comparison.tsx')).Comparison);

/** Details of the selected node, or of the focus if nothing is selected. */
export function Detail() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const row = useLook(currentRow);
  const filter = useLook((state) => state.filter);
  const isComparing = useLook((state) => state.compared.length > 0);
  const isComparedUpload = useLook((state) => state.vs !== undefined);
  useLook((state) => state.treeVersion);
  const node = tree.node[row] ?? 0;
  const found = useQuery({
    queryKey: ['node', explorer.id, node, filter],
    queryFn: ({ signal }) => explorer.source.node({ node, filter }, { signal }),
    enabled: tree.size > 0 && !tree.isLeftOut(row),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (tree.size === 0) return null;
  if (tree.isLeftOut(row)) return <LeftOut row={row} />;
  return (
    <div className="flex flex-col gap-5 p-4">
      <LazyBoundary>{isComparing && <Comparison />}</LazyBoundary>
      <Title row={row} />
      <KeyNumbers row={row} detail={found.data} />
      <Actions row={row} />
      {isComparedUpload && <SinceThen node={node} />}
      {found.isError && <PartFailure onRetry={() => void found.refetch()}>{say('explore/rest-failed')}</PartFailure>}
      {node > 0 && explorer.hasWarnings && <NodeWarnings node={node} />}
      {found.isPending && <Skeleton className="h-40" />}
      {found.data?.trend && <TrendChart trend={found.data.trend} of={found.data} node={node} />}
      {found.data?.topKeyword && <TopKeyword detail={found.data} />}
      <FieldFigures node={node} weighed={found.data?.byImpressions ?? []} />
      {node === 0 && <UnrecognisedFields />}
      <LargestChildren row={row} />
      {found.data && <Similar detail={found.data} />}
      {found.data && found.data.children > 0 && <AllKeywords key={node} detail={found.data} />}
      {found.data?.notInHierarchy && <NotInHierarchy summary={found.data.notInHierarchy} />}
      {found.data?.merged && <MergedFrom merged={found.data.merged} />}
      {found.data && <Original detail={found.data} />}
    </div>
  );
}

/** No figures are computed for excluded nodes. */
function LeftOut({ row }: { row: number }) {
  const { tree } = useExplorer();
  return (
    <div className="flex flex-col gap-5 p-4">
      <Title row={row} />
      <p className="m-0 rounded-control bg-sunken p-3 text-small first-letter:uppercase">{leftOutText(tree, row)}</p>
      <Actions row={row} />
    </div>
  );
}

function Title({ row }: { row: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const copy = useCopy();
  const { DetailLine, onRename } = useContext(ExplorerPartsContext);
  return (
    <header className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <h2
          dir="auto"
          // On a small screen the head of the sheet has the name, and the figures need the room.
          className="m-0 min-w-0 flex-1 break-words text-left text-h2 max-md:sr-only"
          onDoubleClick={() => onRename?.(row)}
        >
          {tree.name(row)}
        </h2>
        <IconButton
          size="dense"
          label="Copy name"
          className="max-md:hidden"
          onClick={() => copy(tree.ownName(row), 'explore/name-copied')}
        >
          <Copy size={16} />
        </IconButton>
        {explorer.isKept && (
          <IconButton
            size="dense"
            label="Copy link"
            className="max-md:hidden"
            onClick={() => copy(linkTo(explorer, row), 'explore/link-copied')}
          >
            <Link2 size={16} />
          </IconButton>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-small text-muted">
        <Badge tone="brand">{typeWord(tree.types[tree.type[row]!] ?? '')}</Badge>
        <span className="min-w-0 break-words">
          {pathTo(tree, row)
            .slice(0, -1)
            .map((at, level) => (
              <span key={at}>
                {level > 0 && ' › '}
                <bdi>{tree.name(at)}</bdi>
              </span>
            ))}
        </span>
      </div>
      {DetailLine && <DetailLine row={row} />}
    </header>
  );
}

/** What is done most with the node, and a menu of everything else, which is that of the node in the chart. */
function Actions({ row }: { row: number }) {
  const { tree, isKept } = useExplorer();
  const { DetailAction } = useContext(ExplorerPartsContext);
  const isLeftOut = tree.isLeftOut(row);
  return (
    <div className="flex flex-wrap gap-2">
      {DetailAction && !isLeftOut && <DetailAction row={row} />}
      {row > 0 && !isLeftOut && !tree.isStrays(row) && isKept && <PlanButton row={row} />}
      <Menu
        trigger={
          <button type="button" className={buttonClass('secondary', 'dense')}>
            More actions
            <ChevronDown size={14} />
          </button>
        }
      >
        <NodeMenuItems row={row} />
      </Menu>
    </div>
  );
}

function TopKeyword({ detail }: { detail: NodeDetail }) {
  const explorer = useExplorer();
  const top = detail.topKeyword;
  if (!top || top.node === detail.node) return null;
  return (
    <Section title="Top keyword">
      <p className="m-0 flex items-baseline gap-3 text-small">
        <button
          type="button"
          dir="auto"
          className="min-w-0 flex-1 text-left text-brand-ink hover:underline"
          onClick={() => void explorer.goToNode(top.node)}
        >
          {shownName(top.name)}
        </button>
        <span className="text-muted">{exact(top.volume)}</span>
      </p>
    </Section>
  );
}

/** The number of keywords outside the hierarchy, and a button that opens their list. */
function NotInHierarchy({ summary }: { summary: NonNullable<NodeDetail['notInHierarchy']> }) {
  const { store } = useExplorer();
  const { keywords, volume } = summary;
  const known = volume.known > 0 ? knownFor(volume.known, keywords) : undefined;
  return (
    <Section title="Not in the hierarchy">
      <p className="m-0 mb-2 text-small">
        {counted(keywords, 'keyword')} of the file that no node names, volume {exact(volume.value)}
        {known && `, ${known}`}. No figure here counts them.
      </p>
      <Button size="dense" onClick={() => store.setState({ unplacedQuery: '' })}>
        Show these keywords
      </Button>
    </Section>
  );
}

function Original({ detail }: { detail: NodeDetail }) {
  const { node, keyword } = detail.original;
  return (
    <>
      {node && (
        <Section title="In the file: node">
          <OriginalFields fields={node} />
        </Section>
      )}
      {keyword && (
        <Section title={detail.merged ? 'In the file: the first entry of the keyword' : 'In the file: keyword'}>
          <OriginalFields fields={keyword} />
        </Section>
      )}
    </>
  );
}

const shown = 8;

/** The largest children of a branch, with bars relative to the largest one. */
function LargestChildren({ row }: { row: number }) {
  const { tree } = useExplorer();
  const { by, rows } = largestOf(tree, row, shown);
  const first = rows[0];
  if (first === undefined) return null;
  const greatest = tree[by][first]!;
  // If excluded nodes are shown faintly, not all children are kept.
  const of = tree.shape === tree ? `of ${counted(tree.childCount[row]!, 'child', 'children')}` : 'children';
  return (
    <Section title={`Largest ${of}, by ${by}`}>
      <ul className="m-0 -mx-2 list-none p-0">
        {rows.map((child) => (
          <li key={child}>
            <Child row={child} figure={tree[by][child]!} greatest={greatest} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Child({ row, figure, greatest }: { row: number; figure: number; greatest: number }) {
  const explorer = useExplorer();
  const hue = useHue();
  const part = isKnown(figure) && greatest > 0 ? Math.max(1, (figure / greatest) * 100) : 0;
  return (
    <button
      type="button"
      onClick={() => explorer.select(row)}
      onDoubleClick={() => explorer.focusOn(row)}
      onPointerEnter={() => explorer.hover(row)}
      onPointerLeave={() => explorer.hover(none)}
      className="flex min-h-8 w-full flex-col justify-center gap-1 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
    >
      <span className="flex w-full gap-3">
        <span dir="auto" className="min-w-0 flex-1 truncate text-left">
          {explorer.tree.name(row)}
        </span>
        <span className="shrink-0 text-muted">{exact(figure)}</span>
      </span>
      <span
        aria-hidden="true"
        className="block h-1 rounded-full forced-color-adjust-none"
        style={{ width: `${part}%`, background: hue(row) }}
      />
    </button>
  );
}

/** Children sorted by a figure in descending order, and which figure that is. */
type Largest = { readonly by: 'keywords' | 'volume'; readonly rows: readonly number[] };

/**
 * The children of a row with the largest figure, unknown ones last, at most `count`.
 *
 * The figure is the keyword count if it tells them apart. If all children are single keywords, or some children are not
 * loaded, it is volume, if any is known: the pack order guarantees only by volume that loaded children come first.
 */
export function largestOf(tree: LoadedTree, row: number, count: number): Largest {
  const children = tree.children(row).filter((child) => !tree.isLeftOut(child));
  const saysNothing = tree.tail(row).nodes > 0 || children.every((child) => tree.keywords[child]! <= 1);
  const by = saysNothing && children.some((child) => isKnown(tree.volume[child])) ? 'volume' : 'keywords';
  const figure = (child: number) => (isKnown(tree[by][child]) ? tree[by][child] : Number.NEGATIVE_INFINITY);
  const rows = Array.from(children).sort((one, other) => {
    const [a, b] = [figure(one), figure(other)];
    return a === b ? 0 : b - a;
  });
  return { by, rows: rows.slice(0, count) };
}
