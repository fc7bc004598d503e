import { assumable, assuming, defaultAssumptions } from '@kc/pack/formula/assume';
import type { Expression, FormulaFigure } from '@kc/pack/formula/expression';
import { writeReadable } from '@kc/pack/formula/formula-text';
import { parseFormula } from '@kc/pack/formula/parse-formula';
import { readScore, type Score, type ScoreRollUp, writeScore } from '@kc/pack/score/score';
import { presetsFor, type ScorePreset } from '@kc/pack/score/score-presets';
import { limits } from '@kc/rules/limits';
import { Check } from 'lucide-react';
import { type RefObject, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/field.tsx';
import { ButtonPanel } from '../../../ui/popover.tsx';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { useRested } from '../../../ui/timers.ts';
import { useToast } from '../../../ui/toast.tsx';
import { compact, exact, writeScoreValue } from '../../format/figure-text.ts';
import { type ScoreDraft, type ScoreUse, scoreUses } from '../../model/encodings.ts';
import { applyScore, presetNames, removeScore, usesOf } from '../../model/score.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useSaved } from '../saved/saved.ts';
import { SavedPresets } from '../saved/saved-list.tsx';
import { levelNames } from '../view-names.ts';
import { FormulaField, figuresHere, problemText, sayScore, unitsBefore } from './formula-field.tsx';
import { type Checked, useScoreCheck, useScoreName } from './use-score-check.ts';

/** How long nothing is typed before an error is shown, and before scores are computed, in milliseconds. */
const restMs = 400;

const rollUps: readonly { readonly value: ScoreRollUp; readonly label: string }[] = [
  { value: 'branch', label: 'Branch figures' },
  { value: 'sum', label: 'Sum' },
  { value: 'mean', label: 'Mean' },
  { value: 'max', label: 'Highest' },
];
const rollUpHelp: Readonly<Record<ScoreRollUp, string>> = {
  branch: 'The formula with the figures that a branch shows.',
  sum: 'The sum of the scores of its keywords, each counted once.',
  mean: 'The mean of the known scores of its keywords.',
  max: 'The highest score of its keywords.',
};

type Props = { readonly field: RefObject<HTMLInputElement | null>; readonly onClose: () => void };

/** Sets the score: to a preset with one click, or to a formula, which changes nothing before it is applied. */
function ScoreEditor({ field, onClose }: Props) {
  const explorer = useExplorer();
  const toast = useToast();
  const { tree, store } = explorer;
  const fields = useLook((state) => state.fields);
  const isOnTheWay = fields === undefined;
  const file = useMemo(() => figuresHere(tree, fields ?? []), [tree, fields]);
  const presets = useMemo(() => presetsFor(file), [file]);
  const set = useLook((state) => state.score);
  // What is set when the panel opens, until something is changed.
  const [first] = useState<ScoreDraft>(() => ({
    text: '',
    rollUp: 'branch',
    ...formulaOf(set),
    uses: firstUses(store.getState()),
  }));
  const draft = useLook((state) => state.scoreDraft) ?? first;
  const problemId = useId();
  const nameOf = useScoreName();

  const parsed = useMemo(
    () => (isOnTheWay ? parseFormula(draft.text) : parseFormula(draft.text, file)),
    [draft.text, file, isOnTheWay],
  );
  const isSettled = useRested(draft.text, restMs) === draft.text;
  const problem = parsed.ok || draft.text.trim() === '' ? undefined : parsed.problem;
  const score = parsed.ok ? writeScore({ rollUp: draft.rollUp, expression: parsed.expression }) : undefined;
  const checked = useScoreCheck(isSettled ? score : undefined);
  const refused = checked.data && 'problem' in checked.data && checked.data.score === score ? checked.data : undefined;
  const shownProblem = isSettled ? (problem ?? refused?.problem) : undefined;
  const figure = parsed.ok ? assumable(parsed.expression)[0] : undefined;

  const change = (next: Partial<ScoreDraft>) => store.setState({ scoreDraft: { ...draft, ...next } });
  const assume = (expression: Expression) =>
    change({ text: writeReadable(assuming(expression, figure!, defaultAssumptions[figure!]!)) });
  const goToError = () => {
    const wrong = parsed.ok ? refused?.problem : parsed.problem;
    if (!wrong) return;
    const { at, length } = wrong;
    field.current?.focus();
    field.current?.setSelectionRange(unitsBefore(draft.text, at), unitsBefore(draft.text, at + length));
  };
  const replaceBy = (suggestion: string) => {
    const { at, length } = shownProblem!;
    const [start, end] = [unitsBefore(draft.text, at), unitsBefore(draft.text, at + length)];
    // A suggested field is a call; inside one, only its name is wrong.
    const isInCall = draft.text[start] === '"';
    const text = isInCall ? suggestion.replace(/^field\(|\)$/g, '') : suggestion;
    change({ text: draft.text.slice(0, start) + text + draft.text.slice(end) });
    field.current?.focus();
  };
  /** At once: its formula can be changed afterwards. */
  const applyPreset = ({ name, text }: ScorePreset) => {
    applyScore(explorer, text, draft.uses);
    change(formulaOf(text)!);
    toast(sayScore('score/applied', { name, uses: usesText(draft.uses) }));
  };
  const apply = () => {
    if (score === undefined || refused) return goToError();
    applyScore(explorer, score, draft.uses);
    toast(sayScore('score/applied', { name: nameOf(score), uses: usesText(draft.uses) }));
    onClose();
  };

  return (
    <div className="flex flex-col gap-3">
      <Form onSubmit={apply} className="flex flex-col gap-3">
        {presets.length > 0 && (
          <fieldset className="m-0 flex flex-wrap items-center gap-2 border-0 p-0">
            <legend className="mb-1.5 p-0 text-small text-muted">Use a score now</legend>
            {presets.map((preset) => (
              <Button
                key={preset.text}
                size="dense"
                aria-pressed={preset.text === set}
                onClick={() => applyPreset(preset)}
                className="aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
              >
                {preset.text === set && <Check size={14} strokeWidth={2.5} />}
                {preset.name}
              </Button>
            ))}
          </fieldset>
        )}
        <div className="flex flex-col gap-2">
          <span aria-hidden="true" className="text-small text-muted">
            {presets.length > 0 ? 'Or change its formula' : 'Formula'}
          </span>
          <FormulaField
            field={field}
            text={draft.text}
            file={file}
            problem={shownProblem}
            problemId={problemId}
            onChange={(text) => change({ text })}
          />
          <div id={problemId} role="alert" className="text-small text-bad empty:hidden">
            {shownProblem && problemText(shownProblem)}
          </div>
          {shownProblem && (
            <div className="flex gap-2">
              {'suggestion' in shownProblem && shownProblem.suggestion !== undefined && (
                <Button size="dense" onClick={() => replaceBy(shownProblem.suggestion!)}>
                  Replace
                </Button>
              )}
              <Button size="dense" variant="ghost" onClick={goToError}>
                Go to error
              </Button>
            </div>
          )}
        </div>
        <div className="flex flex-col gap-1.5">
          <span aria-hidden="true" className="text-small text-muted">
            On branches
          </span>
          <SegmentedControl
            label="On branches"
            value={draft.rollUp}
            options={rollUps}
            onChange={(rollUp) => change({ rollUp })}
            className="self-start"
          />
          <p className="m-0 text-micro text-muted">{rollUpHelp[draft.rollUp]}</p>
        </div>
        {score !== undefined && checked.data && 'summary' in checked.data && (
          <ScoreSummary
            checked={checked.data}
            assumption={figure && { figure, value: defaultAssumptions[figure]! }}
            onAssume={() => parsed.ok && assume(parsed.expression)}
          />
        )}
        {checked.isError && (
          <p role="alert" className="m-0 text-small text-bad">
            {explorer.explain(checked.error)}
          </p>
        )}
        <UseAs uses={draft.uses} onChange={(uses) => change({ uses })} />
        <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-3">
          {set !== undefined && (
            <Button
              variant="danger-ghost"
              className="mr-auto"
              onClick={() => {
                removeScore(explorer);
                toast(sayScore('score/removed'));
                onClose();
              }}
            >
              Remove
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" type="submit" aria-disabled={score === undefined || refused !== undefined}>
            Apply
          </Button>
        </div>
      </Form>
      {explorer.isKept && (
        <SavedScores score={refused ? undefined : score} onApply={(text) => change(formulaOf(text) ?? {})} />
      )}
    </div>
  );
}

function formulaOf(text: string | undefined): Omit<ScoreDraft, 'uses'> | undefined {
  const score: Score | undefined = text === undefined ? undefined : readScore(text);
  return score && { text: writeReadable(score.expression), rollUp: score.rollUp };
}

/** What a new score is used for first: the order of a table, an axis of Opportunity, otherwise the size. */
function firstUses(state: ReturnType<ReturnType<typeof useExplorer>['store']['getState']>): ReadonlySet<ScoreUse> {
  if (state.score !== undefined) return usesOf(state);
  return new Set([state.view === 'table' ? 'sort' : state.view === 'opportunity' ? 'axis' : 'size']);
}

const savedWords = {
  empty: 'Enter a formula, and save it here for all your visualizations',
  saveAs: 'Save this score as',
  save: 'Save score',
} as const;

/**
 * Scores that the user saved under a name, and a field that saves the one in the editor.
 *
 * @param score undefined while its formula has an error. A preset has a name already
 */
function SavedScores({ score, onApply }: { score: string | undefined; onApply: (text: string) => void }) {
  const saved = useSaved('savedScores');
  const own = score === undefined || presetNames.has(score) ? '' : score;
  const read = own === '' ? undefined : readScore(own);
  const suggested = read ? writeReadable(read.expression).slice(0, limits.maxPresetNameLength) : '';
  return (
    <section aria-label="My scores" className="border-t border-line pt-3">
      <h3 className="m-0 mb-1.5 text-small font-semibold">My scores</h3>
      <SavedPresets saved={saved} current={own} suggested={suggested} words={savedWords} onApply={onApply} />
    </section>
  );
}

type ScoreOverlayProps = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
};

/** The editor of the score: below its button, or as a sheet on a small screen. */
export function ScoreOverlay(props: ScoreOverlayProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <ButtonPanel
      {...props}
      label="Score"
      align="start"
      initialFocus={field}
      className="w-[min(28.75rem,calc(100vw-1rem))]"
    >
      <ScoreEditor field={field} onClose={props.onClose} />
    </ButtonPanel>
  );
}

const labels: Readonly<Record<ScoreUse, string>> = { sort: 'Sort', colour: 'Colour', size: 'Size', axis: 'Axis' };

/** "colour and size" */
const usesText = (uses: ReadonlySet<ScoreUse>): string =>
  new Intl.ListFormat('en').format(scoreUses.filter((use) => uses.has(use)).map((use) => labels[use].toLowerCase()));

type UseAsProps = { readonly uses: ReadonlySet<ScoreUse>; readonly onChange: (uses: ReadonlySet<ScoreUse>) => void };

/** What the score is used for when it is applied: the order of the table, colour, size, or an axis of Opportunity. */
function UseAs({ uses, onChange }: UseAsProps) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-wrap items-center gap-2 border-0 p-0">
      <legend className="float-left mr-1 p-0 text-small text-muted">Use as</legend>
      {scoreUses.map((use) => (
        <button
          key={use}
          type="button"
          aria-pressed={uses.has(use)}
          onClick={() => onChange(new Set(scoreUses.filter((one) => uses.has(one) !== (one === use))))}
          className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-3 text-small font-medium text-ink hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink touch:h-11"
        >
          {uses.has(use) && <Check size={14} strokeWidth={2.5} />}
          {labels[use]}
        </button>
      ))}
    </fieldset>
  );
}

type ScoreSummaryProps = {
  readonly checked: Checked;
  /** What can be assumed of a figure that is unknown. */
  readonly assumption: { readonly figure: FormulaFigure; readonly value: number } | undefined;
  readonly onAssume: () => void;
};

/** How many rows have a score, how the scores are distributed, and which are the highest. */
function ScoreSummary({ checked: { summary, level }, assumption, onAssume }: ScoreSummaryProps) {
  const { known, unknown, missing, bins, edges, top } = summary;
  const most = Math.max(1, ...bins);
  return (
    <div className="flex flex-col gap-2 text-small">
      <p className="m-0">
        {levelNames[level]}: {countsText(known, unknown, missing)}
      </p>
      {bins.length > 1 && (
        <div aria-hidden="true">
          <div className="flex h-9 items-end gap-px border-b border-line-strong">
            {bins.map((count, bin) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its index
                key={bin}
                className="min-w-0 flex-1 rounded-t-[2px] bg-brand forced-colors:bg-[CanvasText]"
                style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }}
              />
            ))}
          </div>
          <p className="m-0 mt-0.5 flex justify-between text-micro text-muted">
            <span>{writeScoreValue(edges[0])}</span>
            {summary.isLog && <span>log scale</span>}
            <span>{writeScoreValue(edges.at(-1))}</span>
          </p>
        </div>
      )}
      {top.length > 0 && (
        <p className="m-0 text-muted">
          Highest:{' '}
          {top.map(({ node, name, score }, at) => (
            <span key={node}>
              {at > 0 && ' · '}
              <bdi className="text-ink">{name}</bdi>{' '}
              {Math.abs(score) >= 10_000 ? compact(score) : writeScoreValue(score)}
            </span>
          ))}
        </p>
      )}
      {assumption && unknown > 0 && (
        <Button size="dense" className="self-start" onClick={onAssume}>
          Assume {assumption.figure} {exact(assumption.value)} where unknown
        </Button>
      )}
    </div>
  );
}

/** "56 of 116 have a score, 60 unknown (difficulty)" */
function countsText(known: number, unknown: number, missing: readonly string[]): string {
  const all = known + unknown;
  if (all === 0) return 'none here';
  if (unknown === 0) return `all ${exact(all)} have a score`;
  const why = missing.map((figure) => figure.replace(/^field:/, '')).join(', ');
  return `${exact(known)} of ${exact(all)} have a score, ${exact(unknown)} unknown${why === '' ? '' : ` (${why})`}`;
}
