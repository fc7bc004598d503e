import type { NodeDetail } from '@kc/rules/api';
import { say } from '@kc/rules/messages';
import { useQuery } from '@tanstack/react-query';
import { Copy, Link2, LocateFixed } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { counted, decimal, exact, isKnown, knownFor, share, typeWord, unknown } from '../numbers.ts';
import { none } from '../state/explorer-state.ts';
import { pathTo } from '../state/tree-walk.ts';
import { useExplorer, useLook } from './explorer-context.ts';
import { useHue } from './hue.ts';
import { IntentBar } from './intent-bar.tsx';
import { linkTo, useCopy } from './node-menu.tsx';
import { OriginalFields } from './original-fields.tsx';

const largestShown = 8;

/** Everything known about the selected node, or about the focus without a selection. */
export function Detail() {
  const explorer = useExplorer();
  const { tree } = explorer;
  const selected = useLook((state) => state.selected);
  const focus = useLook((state) => state.focus);
  useLook((state) => state.treeVersion);
  const row = selected === none ? focus : selected;
  const node = tree.node[row] ?? 0;
  const found = useQuery({
    queryKey: ['node', explorer.id, node],
    queryFn: ({ signal }) => explorer.source.node(node, signal),
    enabled: tree.size > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (tree.size === 0) return null;
  return (
    <div className="flex flex-col gap-5 p-4">
      <Title row={row} />
      <KeyNumbers row={row} detail={found.data} />
      {found.isError && (
        <div className="rounded-control bg-bad-soft p-3 text-small text-bad" role="alert">
          <p className="m-0 mb-2">{say('explore/rest-failed')}</p>
          <Button size="dense" onClick={() => void found.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {found.isPending && <Skeleton className="h-40" />}
      {found.data?.topKeyword && <TopKeyword detail={found.data} />}
      <LargestChildren row={row} />
      {found.data && <Original detail={found.data} />}
    </div>
  );
}

function Title({ row }: { row: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const focus = useLook((state) => state.focus);
  const copy = useCopy();
  const isBranch = tree.childCount[row]! > 0;
  return (
    <header className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <h2 className="m-0 min-w-0 flex-1 break-words text-h2">{tree.name(row)}</h2>
        <IconButton size="dense" label="Copy name" onClick={() => copy(tree.name(row), 'explore/name-copied')}>
          <Copy size={16} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="dense"
          label="Copy link"
          onClick={() => copy(linkTo(tree.addressOf(row), isBranch), 'explore/link-copied')}
        >
          <Link2 size={16} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-small text-muted">
        <Badge tone="brand">{typeWord(tree.types[tree.type[row]!] ?? '')}</Badge>
        <span className="min-w-0 break-words">
          {pathTo(tree, row)
            .slice(0, -1)
            .map((at) => tree.name(at))
            .join(' › ')}
        </span>
      </div>
      {isBranch && row !== focus && (
        <Button
          size="dense"
          className="self-start"
          icon={<LocateFixed size={16} aria-hidden="true" />}
          onClick={() => explorer.focusOn(row)}
        >
          Focus here
        </Button>
      )}
    </header>
  );
}

function KeyNumbers({ row, detail }: { row: number; detail: NodeDetail | undefined }) {
  const { tree } = useExplorer();
  const parent = tree.parent[row] ?? none;
  const keywords = tree.keywords[row]!;
  return (
    <Section title="Numbers">
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-3">
        <Figure
          label="Keywords"
          value={exact(keywords)}
          note={detail && detail.repeats > 0 ? `${exact(detail.repeats)} repeats counted once` : undefined}
        />
        <Figure
          label="Volume a month"
          value={exact(detail?.volume.value ?? tree.volume[row])}
          note={knownFor(detail?.volume.known ?? tree.volumeKnown[row]!, keywords)}
        />
        {parent !== none && (
          <>
            <Figure label="Share of parent" value={share(keywords, tree.keywords[parent])} />
            <Figure label="Share of all" value={share(keywords, tree.keywords[0])} />
          </>
        )}
        {detail && (
          <>
            <Mean label="Difficulty" measure={detail.difficulty} of={keywords} />
            <Mean label="CPC" measure={detail.cpc} of={keywords} />
            <Mean label="Competition" measure={detail.competition} of={keywords} />
            <Mean label="Position" measure={detail.position} of={keywords} />
          </>
        )}
      </dl>
      {detail && <IntentBar intent={detail.intent} />}
    </Section>
  );
}

/** A mean over the known values, plain and weighted by volume. */
function Mean({ label, measure, of }: { label: string; measure: NodeDetail['difficulty']; of: number }) {
  const weighted = isKnown(measure.weighted) && of > 1 ? `${decimal(measure.weighted)} by volume, ` : '';
  return (
    <Figure
      label={label}
      value={decimal(measure.value)}
      note={measure.known > 0 ? `${weighted}${knownFor(measure.known, of)}` : undefined}
    />
  );
}

function Figure({ label, value, note }: { label: string; value: string; note?: string | undefined }) {
  return (
    <div className="min-w-0">
      <dt className="text-micro text-muted">{label}</dt>
      <dd className="m-0">
        <span className={value === unknown ? 'text-body text-muted italic' : 'text-h2 text-ink'}>{value}</span>
        {note && <span className="block text-micro text-muted">{note}</span>}
      </dd>
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
          className="min-w-0 flex-1 text-left text-brand-ink hover:underline"
          onClick={() => void explorer.goToNode(top.node)}
        >
          {top.name}
        </button>
        <span className="text-muted">{exact(top.volume)}</span>
      </p>
    </Section>
  );
}

function LargestChildren({ row }: { row: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const hue = useHue();
  const children = tree.children(row).subarray(0, largestShown);
  if (children.length === 0) return null;
  const most = Math.max(...Array.from(children, (child) => tree.keywords[child]!), 1);
  const areLeaves = most === 1;
  const figure = (child: number) => (areLeaves ? tree.volume[child]! : tree.keywords[child]!);
  const greatest = Math.max(...Array.from(children, figure).filter(isKnown), 1);
  return (
    <Section
      title={`Largest of ${counted(tree.childCount[row]!, 'child', 'children')}${areLeaves ? ', by volume' : ''}`}
    >
      <ul className="m-0 -mx-2 list-none p-0">
        {Array.from(children, (child) => (
          <li key={child}>
            <button
              type="button"
              onClick={() => explorer.select(child)}
              onDoubleClick={() => explorer.focusOn(child)}
              onPointerEnter={() => explorer.hover(child)}
              onPointerLeave={() => explorer.hover(none)}
              className="flex min-h-8 w-full flex-col justify-center gap-1 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
            >
              <span className="flex w-full gap-3">
                <span className="min-w-0 flex-1 truncate">{tree.name(child)}</span>
                <span className="shrink-0 text-muted">{exact(figure(child))}</span>
              </span>
              <span
                aria-hidden="true"
                className="block h-1 rounded-full"
                style={{
                  width: `${isKnown(figure(child)) ? Math.max(1, (figure(child) / greatest) * 100) : 0}%`,
                  background: hue(child),
                }}
              />
            </button>
          </li>
        ))}
      </ul>
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
        <Section title="In the file: keyword">
          <OriginalFields fields={keyword} />
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="m-0 mb-2 text-small font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}
