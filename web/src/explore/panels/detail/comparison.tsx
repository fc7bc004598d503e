import { normalForm } from '@kc/pack/names/normal-form';
import { say } from '@kc/rules/messages';
import { useQueries } from '@tanstack/react-query';
import { Check, Copy, FileSpreadsheet, X } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useCopyText } from '../../../ui/copy-text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { exact } from '../../format/figure-text.ts';
import { removeCompared } from '../../model/compare.ts';
import { type ComparedItem, hasFigures, nameOf } from '../../model/compared-nodes.ts';
import { useExplorer, useLook, useNewestMonth } from '../explorer-context.ts';
import { useHue } from '../row-look.tsx';
import { Section } from '../section.tsx';
import { useShareActions } from '../share/share-actions.ts';
import { type ComparedDetails, type ComparedFigure, comparedFigures, comparedLines } from './compared-figures.ts';
import { monthName, peakOf, TrendColumns } from './trend-chart.tsx';

const keyOf = (one: ComparedItem) => (typeof one === 'number' ? one : one.address);

/** The compared nodes, each with a remove button. With two or more, their figures are shown side by side. */
export function Comparison() {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const compared = useLook((state) => state.compared);
  useLook((state) => state.treeVersion);
  const copy = useCopyText();
  const share = useShareActions();
  const details = useDetails(compared);
  const figures = compared.length > 1 ? comparedFigures(tree, compared, details) : [];
  const exportTable = () =>
    share.table(
      compared.filter((one) => hasFigures(tree, one)).map((row) => tree.node[row]!),
      'compared',
    );
  const copyTable = () =>
    copy(
      comparedLines(tree, compared, details).join('\n'),
      say('explore/compare-copied', { count: compared.length }),
      say('explore/copy-refused'),
    );
  return (
    <section aria-label="Comparison" className="flex flex-col gap-3 border-b border-line pb-5">
      <Section title="Compared">
        <ol className="m-0 -mx-2 list-none p-0">
          {compared.map((one, index) => (
            <Entry key={keyOf(one)} one={one} number={index + 1} />
          ))}
        </ol>
        {compared.length === 1 && (
          <p className="m-0 mt-1 text-micro text-muted">
            Choose another: with ⌘ or Ctrl and a click or Enter, or with “Compare” in its menu.
          </p>
        )}
      </Section>
      {figures.length > 0 && (
        <>
          <Figures figures={figures} compared={compared} />
          <ComparedTrends compared={compared} details={details} />
          <ComparedKeywords compared={compared} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {figures.length > 0 && (
          <>
            <Button size="dense" icon={<Copy size={16} />} onClick={copyTable}>
              Copy as a table
            </Button>
            {explorer.mayDownload && (
              <Button size="dense" icon={<FileSpreadsheet size={16} />} onClick={exportTable}>
                CSV
              </Button>
            )}
          </>
        )}
        <Button size="dense" onClick={() => store.setState({ compared: [] })}>
          Stop comparing
        </Button>
      </div>
    </section>
  );
}

/** The server's details of each node; undefined until loaded and for excluded nodes. */
function useDetails(compared: readonly ComparedItem[]): ComparedDetails {
  const { id, tree, source } = useExplorer();
  const filter = useLook((state) => state.filter);
  const answers = useQueries({
    queries: compared.map((one) => {
      const node = hasFigures(tree, one) ? tree.node[one]! : -1;
      return {
        queryKey: ['node', id, node, filter],
        queryFn: ({ signal }: { signal: AbortSignal }) => source.node({ node, filter }, { signal }),
        enabled: node >= 0 && compared.length > 1,
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  return answers.map(({ data }) => data);
}

function Entry({ one, number }: { one: ComparedItem; number: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const name = nameOf(tree, one);
  return (
    <li className="flex items-center gap-2 px-2">
      <Badge tone="brand">{number}</Badge>
      {typeof one === 'number' ? (
        <ToSelect row={one} />
      ) : (
        <>
          <span aria-hidden="true" className="size-2 shrink-0" />
          <span dir="auto" className="min-w-0 flex-1 truncate px-1 text-left text-small text-muted">
            {name}
          </span>
        </>
      )}
      {!hasFigures(tree, one) && <span className="shrink-0 text-micro text-muted italic">not in the filter</span>}
      <IconButton size="dense" label={`Take out ${name}`} onClick={() => removeCompared(explorer, one)}>
        <X size={16} />
      </IconButton>
    </li>
  );
}

function ToSelect({ row }: { row: number }) {
  const explorer = useExplorer();
  const { tree } = explorer;
  const hue = useHue()(row);
  const isSelected = useLook((state) => state.selected === row);
  return (
    <>
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full forced-color-adjust-none"
        style={{ background: hue }}
      />
      <button
        type="button"
        aria-current={isSelected}
        onClick={() => explorer.select(row)}
        className={classNames(
          'min-h-8 min-w-0 flex-1 rounded-chip px-1 text-left text-small hover:bg-sunken touch:min-h-11',
          isSelected ? 'font-semibold text-ink' : 'text-brand-ink',
        )}
      >
        <span dir="auto" className="block truncate text-left">
          {tree.name(row)}
        </span>
      </button>
    </>
  );
}

/** One column per node under its number. The best value of a row has a check mark with a text alternative. */
function Figures({ figures, compared }: { figures: readonly ComparedFigure[]; compared: readonly ComparedItem[] }) {
  const { tree } = useExplorer();
  const isPartly = figures.some((figure) => figure.isPartly.includes(true));
  const hasBest = figures.some(({ best }) => best !== undefined);
  const word = compared.length > 2 ? 'best' : 'better';
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-micro tabular-nums">
        <caption className="sr-only">Figures side by side</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="text-left font-medium text-muted">
              <span className="sr-only">Figure</span>
            </th>
            {compared.map((one, index) => (
              <th key={keyOf(one)} scope="col" title={nameOf(tree, one)} className="py-1 pl-2 text-right">
                <Badge tone="brand">{index + 1}</Badge>
                <span className="sr-only">
                  {' '}
                  {nameOf(tree, one)}
                  {!hasFigures(tree, one) && ', not in the filter'}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map(({ label, texts, isPartly: partly, best }) => (
            <tr key={label} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal text-muted">
                {label}
              </th>
              {texts.map((text, index) => (
                <td
                  key={keyOf(compared[index]!)}
                  className={classNames(
                    'py-1.5 pl-2 text-right whitespace-nowrap',
                    index === best ? 'font-semibold text-ink' : 'text-muted',
                  )}
                >
                  {index === best && <Check size={12} strokeWidth={3} className="mr-1 inline" />}
                  {text}
                  {partly[index] && ' *'}
                  {index === best && <span className="sr-only">, the {word}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hasBest && (
        <p className="m-0 mt-1 text-micro text-muted">
          <Check size={12} strokeWidth={3} className="mr-1 inline" />
          {word}: higher volume and CPC, lower difficulty and position
        </p>
      )}
      {isPartly && <p className="m-0 mt-1 text-micro text-muted">* known for a part of the keywords</p>}
    </div>
  );
}

type TrendsProps = { readonly compared: readonly ComparedItem[]; readonly details: ComparedDetails };

/** The twelve-month trend of each compared node, if at least two have one. */
function ComparedTrends({ compared, details }: TrendsProps) {
  const { tree } = useExplorer();
  const trends = compared.flatMap((one, index) => {
    const trend = details[index]?.trend;
    return trend ? [{ index, trend, name: nameOf(tree, one) }] : [];
  });
  // All are of one file.
  const newest = useNewestMonth(trends[0]?.trend.newest);
  if (trends.length < 2) return null;
  return (
    <Section title="Trends">
      <ul className="m-0 grid list-none grid-cols-2 gap-x-4 gap-y-3 p-0">
        {trends.map(({ index, trend, name }) => (
          <li key={index} className="min-w-0">
            <p className="m-0 mb-1 flex items-center gap-1.5 text-micro text-muted">
              <Badge tone="brand">{index + 1}</Badge>
              <bdi className="min-w-0 truncate">{name}</bdi>
            </p>
            <TrendColumns trend={trend} newest={newest} />
            <p className="m-0 mt-1 text-micro text-muted">{peakText(trend, newest)}</p>
          </li>
        ))}
      </ul>
      <p className="m-0 mt-1 text-micro text-muted">Each on a scale of its own, oldest month first</p>
    </Section>
  );
}

function peakText(
  { months }: NonNullable<NonNullable<ComparedDetails[number]>['trend']>,
  newest: string | undefined,
): string {
  const peak = peakOf(months);
  return peak === undefined ? 'The same every month' : `Peak: ${monthName(peak, newest)}`;
}

/** How many of each branch's keywords are compared: the heaviest ones. */
const maxCompared = 5000;
/** The most names that are listed. */
const maxListed = 50;

/** Lists the keywords that only one of the compared nodes has, and those that all of them have. */
function ComparedKeywords({ compared }: { compared: readonly ComparedItem[] }) {
  const explorer = useExplorer();
  const { tree, source } = explorer;
  const filter = useLook((state) => state.filter);
  const withFigures = compared.flatMap((one, index) =>
    hasFigures(tree, one) ? [{ index, node: tree.node[one]! }] : [],
  );
  const pages = useQueries({
    queries: withFigures.map(({ node }) => ({
      queryKey: ['compared keywords', explorer.id, node, filter],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        source.keywords({ node, filter, limit: maxCompared }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (withFigures.length < 2) return null;
  const lists = pages.flatMap(({ data }) => (data ? [data.keywords] : []));
  const isCut = pages.some(({ data }) => data?.next !== undefined);
  return (
    <Section title="Keywords that differ">
      {pages.some(({ isError }) => isError) ? (
        <div role="alert" className="text-small text-bad">
          <p className="m-0 mb-2">{say('explore/rest-failed')}</p>
          <Button size="dense" onClick={() => void Promise.all(pages.map(({ refetch }) => refetch()))}>
            Try again
          </Button>
        </div>
      ) : lists.length < withFigures.length ? (
        <Skeleton className="h-20" />
      ) : (
        <Differences lists={lists} numbers={withFigures.map(({ index }) => index + 1)} />
      )}
      {isCut && (
        <p className="m-0 mt-1 text-micro text-muted">Among the {exact(maxCompared)} heaviest keywords of each</p>
      )}
    </Section>
  );
}

type DifferencesProps = {
  readonly lists: readonly (readonly ListedKeyword[])[];
  /** The comparison number of each list's node. */
  readonly numbers: readonly number[];
};

function Differences({ lists, numbers }: DifferencesProps) {
  const { shared, only } = differingKeywords(lists);
  return (
    <>
      {only.map((keywords, i) => (
        <Names key={numbers[i]} keywords={keywords}>
          Only in <Badge tone="brand">{numbers[i]}</Badge>
        </Names>
      ))}
      <Names keywords={shared}>In all of them</Names>
    </>
  );
}

function Names({ keywords, children }: { keywords: readonly ListedKeyword[]; children: React.ReactNode }) {
  const explorer = useExplorer();
  const label = (
    <>
      {children}
      <span className="ml-auto text-muted tabular-nums">{exact(keywords.length)}</span>
    </>
  );
  if (keywords.length === 0) return <p className="m-0 flex min-h-8 items-center gap-1.5 pl-4 text-small">{label}</p>;
  return (
    <details className="text-small">
      <summary className="min-h-8 cursor-pointer touch:min-h-11">
        <span className="inline-flex min-h-8 w-[calc(100%-1rem)] items-center gap-1.5">{label}</span>
      </summary>
      <ul className="m-0 list-none p-0 pl-4">
        {keywords.slice(0, maxListed).map(({ node, name }) => (
          <li key={node}>
            <button
              type="button"
              onClick={() => void explorer.goToNode(node)}
              className="min-h-7 max-w-full truncate text-left text-brand-ink hover:underline touch:min-h-11"
            >
              <bdi>{name}</bdi>
            </button>
          </li>
        ))}
        {keywords.length > maxListed && (
          <li className="text-micro text-muted">and {exact(keywords.length - maxListed)} more</li>
        )}
      </ul>
    </details>
  );
}

type ListedKeyword = { readonly node: number; readonly name: string };

type DifferingKeywords = {
  /** Keywords in every list. */
  readonly shared: readonly ListedKeyword[];
  /** For each list, the keywords that no other list has. */
  readonly only: readonly (readonly ListedKeyword[])[];
};

/**
 * Splits lists of keywords into common and unique ones. Spellings compare as in the pack: in NFC, ignoring case and
 * spaces. A keyword that occurs twice in a list counts once. Each list keeps its order.
 */
export function differingKeywords(lists: readonly (readonly ListedKeyword[])[]): DifferingKeywords {
  const maps = lists.map((list) => {
    const byKey = new Map<string, ListedKeyword>();
    for (const one of list) if (!byKey.has(keyOfWord(one.name))) byKey.set(keyOfWord(one.name), one);
    return byKey;
  });
  const inAll = (key: string) => maps.every((map) => map.has(key));
  const inOne = (key: string) => maps.filter((map) => map.has(key)).length === 1;
  const pick = (map: ReadonlyMap<string, ListedKeyword> | undefined, test: (key: string) => boolean) =>
    [...(map ?? [])].flatMap(([key, one]) => (test(key) ? [one] : []));
  return { shared: pick(maps[0], inAll), only: maps.map((map) => pick(map, inOne)) };
}

/** Source: docs/pack-format.md: how entries of the file are matched with nodes. */
const keyOfWord = (name: string): string => normalForm(name, 'NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
