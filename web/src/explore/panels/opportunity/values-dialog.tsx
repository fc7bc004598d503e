import { branchLevelOf, noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { figureName } from '@kc/pack/filter-words/figure-name';
import { say } from '@kc/rules/explorer-messages';
import type { SelectionTotals } from '@kc/rules/shapes';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { boxOf, pickArea } from '../../charts/opportunity/lasso.ts';
import { counted, exact, figureIn, writeFigure } from '../../format/figure-text.ts';
import { nothingPicked, type Picked, pickedOneByOne, toSelection } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import type { Metric } from '../../tree-data/figures.ts';
import { useExplorer } from '../explorer-context.ts';
import { planPicked } from '../plan/plan-actions.ts';
import { levelWords } from '../view-names.ts';
import { useLatestQuery } from './use-latest-query.ts';

type Ends = readonly [number, number];
type Props = {
  readonly query: PointsQuery;
  /** The smallest and the greatest value of both axes. */
  readonly limits: { readonly x: Ends; readonly y: Ends };
  readonly onClose: () => void;
};

/** How long the fields rest before the rows are counted. */
const restMs = 200;

/** What a lasso does, by numbers: everything between two values of both axes. */
export function ValuesDialog({ query, limits, onClose }: Props) {
  const explorer = useExplorer();
  const { store } = explorer;
  const toast = useToast();
  const [x, setX] = useState<Written>({ from: '', to: '' });
  const [y, setY] = useState<Written>({ from: '', to: '' });
  const [share, setShare] = useState('');
  const words = levelWords[query.level];
  const shareFigure = shareFigureOf(query);
  const [endsX, endsY, least] = [
    endsIn(x, limits.x, query.x),
    endsIn(y, limits.y, query.y),
    endsIn({ from: share, to: '' }, [0, 100]),
  ];
  const problem = [endsX, endsY, least].find((one) => typeof one === 'string');
  const picked =
    typeof endsX === 'string' || typeof endsY === 'string' || typeof least === 'string'
      ? undefined
      : pickByValues(query, endsX, endsY, shareFigure && { of: shareFigure, percent: least[0] });
  const count = useLatestQuery(
    'selection totals',
    picked && toSelection(picked, ''),
    (levels, selection, signal) => levels.selectionTotals(selection, signal),
    restMs,
  );
  const totals = count.isStale ? undefined : count.found?.answer;
  const isNothing = !picked || totals?.rows === 0;
  /** @returns whether it is selected now */
  const select = async (): Promise<boolean> => {
    try {
      // By their place alone, the plot could not tell which points have such a share.
      const isByShare = typeof least !== 'string' && least[0] > 0;
      store.setState({ picked: isByShare ? await pickedOneByOne(explorer.source, picked!) : picked! });
      onClose();
      return true;
    } catch (failure) {
      toast(explorer.explain(failure));
      return false;
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Select by values"
      description={`${words.title} with both figures in these ranges. Ends are included, and an empty field has no limit.`}
      actions={
        <>
          {explorer.isKept && (
            <Button
              disabled={isNothing}
              onClick={async () => {
                if (await select()) await planPicked(explorer, toast);
              }}
            >
              Add to plan
            </Button>
          )}
          <Button
            disabled={isNothing}
            onClick={() => {
              void explorer.setFilter(picked!.filter);
              store.setState({ picked: nothingPicked });
              onClose();
            }}
          >
            Keep only these
          </Button>
          <Button variant="primary" disabled={isNothing} onClick={() => void select()}>
            Select
          </Button>
        </>
      }
    >
      <Form className="flex flex-col gap-4" onSubmit={() => !isNothing && select()}>
        <RangeFields of={query.x} limits={limits.x} value={x} onChange={setX} />
        <RangeFields of={query.y} limits={limits.y} value={y} onChange={setY} />
        {shareFigure && (
          <Field
            label={`${figureName(shareFigure)} known for at least (% of the volume)`}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            value={share}
            onChange={({ target }) => setShare(target.value)}
          />
        )}
        {/* Enter in a field selects; a form with several fields needs a button for that. */}
        <button type="submit" hidden />
        <p role="status" className={`m-0 text-small ${problem === undefined ? 'text-muted' : 'text-bad'}`}>
          {problem ?? countText(totals, count.failure, words.count, explorer.explain)}
        </p>
      </Form>
    </Dialog>
  );
}

type RangeProps = {
  readonly of: Metric;
  readonly limits: Ends;
  readonly value: Written;
  readonly onChange: (value: Written) => void;
};

function RangeFields({ of, limits, value, onChange }: RangeProps) {
  return (
    <fieldset className="m-0 grid grid-cols-2 gap-3 border-0 p-0">
      <legend className="sr-only">{figureName(of)}</legend>
      {(['from', 'to'] as const).map((end, index) => (
        <Field
          key={end}
          label={`${figureName(of)} ${end}`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          placeholder={writeFigure(of, limits[index]!)}
          value={value[end]}
          onChange={({ target }) => onChange({ ...value, [end]: target.value })}
        />
      ))}
    </fieldset>
  );
}

function countText(
  totals: SelectionTotals | undefined,
  failure: unknown,
  rows: (count: number) => string,
  explain: (why: unknown) => string,
): string {
  if (failure !== undefined) return `${say('explore/totals-failed')} ${explain(failure)}`;
  if (!totals) return 'Counting…';
  const volume = totals.volume === undefined ? 'volume unknown' : `volume ${exact(totals.volume)}`;
  return `${rows(totals.rows)} · ${counted(totals.keywords, 'keyword')} · ${volume}`;
}

/** What somebody wrote as the ends of a range. */
type Written = { readonly from: string; readonly to: string };

/**
 * The ends as numbers, with the limits for empty ones; or what is wrong.
 *
 * @param of what they are values of
 */
export function endsIn({ from, to }: Written, [least, most]: Ends, of?: Metric): Ends | string {
  const [low, high] = [numberIn(from, least, of), numberIn(to, most, of)];
  if (low === undefined) return `“${from.trim()}” is not a number.`;
  if (high === undefined) return `“${to.trim()}” is not a number.`;
  if (low > high && from.trim() !== '' && to.trim() !== '') return `${from.trim()} is more than ${to.trim()}.`;
  // One end alone may lie beyond all values: then nothing is between.
  return from.trim() === '' ? [Math.min(low, high), high] : [low, Math.max(low, high)];
}

function numberIn(text: string, fallback: number, of: Metric = 'keywords'): number | undefined {
  if (/^[\s,]*$/.test(text)) return fallback;
  const value = figureIn(of, text);
  return Number.isFinite(value) ? value : undefined;
}

/** The figure whose known share can be asked for: an axis that clusters and pillars know for a part of their volume. */
export function shareFigureOf({ level, x, y }: PointsQuery): 'difficulty' | 'cpc' | undefined {
  if (!branchLevelOf(level)) return undefined;
  return ([x, y] as const).find(
    (figure): figure is 'difficulty' | 'cpc' => figure === 'difficulty' || figure === 'cpc',
  );
}

/**
 * The rows of the plot's level with both figures in a range.
 *
 * @param share the least known share of a figure; 0 asks for nothing
 */
export function pickByValues(
  query: PointsQuery,
  x: Ends,
  y: Ends,
  share: { readonly of: 'difficulty' | 'cpc'; readonly percent: number } | undefined,
): Picked {
  const picked = pickArea(query, boxOf(query, x, y));
  const filter = readFilter(picked.filter) ?? noFilter;
  if (!share || share.percent <= 0) return picked;
  const level = branchLevelOf(query.level)!;
  const of = `known.${share.of}` as const;
  const others = filter.branches.filter((part) => part.level !== level || part.of !== of);
  const before = filter.branches.find((part) => part.level === level && part.of === of);
  const from = Math.max(share.percent, before?.from ?? 0);
  return { ...picked, filter: writeFilter({ ...filter, branches: [...others, { level, of, from, to: before?.to }] }) };
}
