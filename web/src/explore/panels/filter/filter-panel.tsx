import {
  type BranchFigure,
  type BranchLevel,
  type BranchPart,
  branchFigures,
  branchLevelOf,
  branchLevels,
  type Filter,
  intents,
  isShare,
  noFilter,
  type Range,
} from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { anyOf, branchFigureName, endText, namedRange, partsOf, typeName } from '@kc/pack/filter-words/filter-parts';
import { maxPatternLength } from '@kc/pack/find/text-query';
import { pageLevel } from '@kc/pack/levels/level';
import type { MatchMode } from '@kc/pack/vocabulary/choices';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { Select } from '../../../ui/select.tsx';
import { exact, keywordsOf, knownFor, writeFigure } from '../../format/figure-text.ts';
import { modeOf, textsIn, textsOfMode, withTextsOfMode } from '../../model/change-filter.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { compile } from '../marked-name.tsx';
import { useSaved } from '../saved/saved.ts';
import { SavedPresets } from '../saved/saved-list.tsx';
import { levelNames, matchOptions } from '../view-names.ts';
import { FilterMarks } from './filter-marks.tsx';
import { Brush, FilterRanges, NumberField } from './filter-ranges.tsx';
import { FilterDisclosure, FilterGroup, type FilterProps, movingMs, typingMs } from './filter-section.tsx';
import { FilterCategories, FilterValues } from './filter-values.tsx';
import { PresetChips } from './preset-chips.tsx';
import { useFilter, usePlaceNames } from './use-filter.ts';

/** All filter criteria. Changes apply immediately. */
function FilterPanel() {
  const { guest } = useExplorer();
  const { filter, change } = useFilter();
  return (
    <div className="flex flex-col gap-5">
      <Head filter={filter} onClear={() => change(noFilter)} />
      <PresetChips filter={filter} change={change} />
      <div className="flex flex-col gap-3">
        <TextsField label="Contains" isIn filter={filter} change={change} />
        <TextsField label="Does not contain" isIn={false} filter={filter} change={change} />
        <p className="m-0 -mt-1.5 text-micro text-muted">
          Case and accents do not count. With commas between them, several texts each have to be in a name, or none of
          them.
        </p>
        <Words filter={filter} change={change} />
      </div>
      <FilterRanges filter={filter} change={change} />
      <Intents filter={filter} change={change} />
      <Types filter={filter} change={change} />
      <FilterCategories filter={filter} change={change} />
      <Shape filter={filter} change={change} />
      <FilterMarks filter={filter} change={change} />
      <FilterBranches filter={filter} change={change} />
      {guest === undefined && <SavedFilters filter={filter} change={change} />}
      <Rest />
    </div>
  );
}

function Head({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  return (
    <div className="flex min-h-9 items-center gap-3">
      <p className="m-0 min-w-0 flex-1 text-small text-muted">{keywordsOf(tree, 0)}</p>
      <Button size="dense" aria-disabled={filter === noFilter} onClick={onClear}>
        Clear all
      </Button>
    </div>
  );
}

/** The number of words in a keyword. */
function Words({ filter, change }: FilterProps) {
  return (
    <div className="flex items-center gap-3 text-small">
      <span aria-hidden="true" className="w-20 shrink-0 font-medium">
        Words
      </span>
      <NumberField
        label="Words"
        range={filter.words}
        isWhole
        onChange={(range) => change({ ...filter, words: range }, typingMs)}
      />
    </div>
  );
}

function Intents({ filter, change }: FilterProps) {
  const { tree } = useExplorer();
  if (!isKnownAnywhere(tree, 'intent') && filter.intents.length === 0) return null;
  return (
    <FilterGroup title="Intent">
      <FilterValues
        of="intent"
        values={intents}
        chosen={filter.intents}
        nameOf={capitalised}
        onChange={(values) => change({ ...filter, intents: values })}
      />
    </FilterGroup>
  );
}

function Types({ filter, change }: FilterProps) {
  const { tree } = useExplorer();
  if (tree.types.length < 2) return null;
  return (
    <FilterGroup title="Type" note="Of a keyword itself, or of a branch that it is in">
      <FilterValues
        of="type"
        values={tree.types}
        chosen={filter.types}
        nameOf={(type) => capitalised(typeName(type))}
        onChange={(values) => change({ ...filter, types: values })}
      />
    </FilterGroup>
  );
}

/** Whether excluded nodes stay visible in the chart. */
function Rest() {
  const { store, setFilter } = useExplorer();
  const isFaint = useLook((state) => state.isFaint);
  const note = useId();
  const change = (isOn: boolean) => {
    const { filter, filtering } = store.getState();
    void setFilter(filtering ?? filter, 0, isOn);
  };
  return (
    <div className="flex items-center justify-between gap-3 border-t border-line pt-3 text-small">
      <span className="min-w-0">
        <span aria-hidden="true" className="font-semibold">
          Show filtered-out items faintly
        </span>
        <span id={note} className="block text-micro text-muted">
          Figures count matches only
        </span>
      </span>
      <Switch label="Show filtered-out items faintly" describedBy={note} checked={isFaint} onChange={change} />
    </div>
  );
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const anyChildren = [
  { value: 'any', label: 'Any' },
  { value: 'yes', label: 'With' },
  { value: 'no', label: 'Without' },
] as const;

/** Criteria for a keyword's position in the tree. */
function Shape({ filter, change }: FilterProps) {
  const { hasChildren, depth } = filter;
  return (
    <FilterGroup title="Place in the tree">
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-3">
          <span aria-hidden="true" className="w-20 shrink-0">
            Level
          </span>
          <NumberField
            label="Level"
            range={depth}
            isWhole
            onChange={(range) => change({ ...filter, depth: range }, typingMs)}
          />
        </div>
        <div className="flex items-center justify-between gap-3 text-small">
          <span aria-hidden="true">Children</span>
          <SegmentedControl
            label="Children"
            value={hasChildren === undefined ? 'any' : hasChildren ? 'yes' : 'no'}
            options={anyChildren}
            onChange={(value) => change({ ...filter, hasChildren: value === 'any' ? undefined : value === 'yes' })}
          />
        </div>
      </div>
    </FilterGroup>
  );
}

const savedWords = {
  empty: 'Set a filter, and save it here for all your visualizations',
  saveAs: 'Save this filter as',
  save: 'Save filter',
} as const;

/** Filters that the user saved under a name, and a field that saves the current one under what the chips say. */
function SavedFilters({ filter, change }: FilterProps) {
  const saved = useSaved('filterPresets');
  const placeName = usePlaceNames(filter);
  const suggested = partsOf(filter, placeName)
    .map((part) => part.text)
    .join(', ')
    .slice(0, limits.maxPresetNameLength);
  return (
    <FilterGroup title="Saved filters">
      <SavedPresets
        saved={saved}
        current={writeFilter(filter)}
        suggested={suggested}
        words={savedWords}
        onApply={(text) => change(readFilter(text) ?? noFilter)}
      />
    </FilterGroup>
  );
}

type DockProps = { readonly onClose: () => void };

/** The filter panel beside the chart. It is not modal: the chart stays visible and usable. */
export function FilterDock({ onClose }: DockProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  function press(event: KeyboardEvent): void {
    // A list opened from here is elsewhere in the document and closes by itself.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }
  return (
    <aside
      ref={panel}
      aria-label="Filter"
      tabIndex={-1}
      onKeyDown={press}
      className="flex w-88 min-h-0 shrink-0 flex-col border-l border-line bg-surface outline-none"
    >
      <div className="flex h-10 shrink-0 items-center justify-between border-b border-line pr-1 pl-4">
        <h2 className="m-0 text-small font-semibold text-muted">Filter</h2>
        <IconButton size="dense" label="Close the filter" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <FilterPanel />
      </div>
    </aside>
  );
}

type SheetProps = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** The filter panel on a small screen. */
export function FilterSheet({ open, onOpenChange }: SheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Filter" place="bottom">
      <FilterPanel />
    </Dialog>
  );
}

type Props = FilterProps & {
  readonly label: string;
  /** Whether names must match, or must not. */
  readonly isIn: boolean;
};

/** What has been typed but is not applied: the filter that is applied instead, as text, and the error. */
type Draft = { readonly of: string; readonly error: string | undefined };

/**
 * The texts that names must (or must not) contain, and the match mode. The field keeps the typed spelling until the
 * filter changes elsewhere, and also one that the server refuses, with the reason. It compiles regular expressions before
 * applying them, so that an incomplete one shows an error at the field instead of a failed filter.
 */
function TextsField({ label, isIn, filter, change }: Props) {
  const { store } = useExplorer();
  const requested = useLook(requestedText);
  const [chosen, setMode] = useState(() => modeOf(filter, isIn));
  const used = textsOfMode(filter, isIn, chosen).length > 0 ? chosen : otherMode(filter, isIn, chosen);
  const texts = textsOfMode(filter, isIn, used);
  const [written, setWritten] = useState(shownText(texts));
  const [lastDraft, setDraft] = useState<Draft>();
  // Discard typed text that belongs to a previous filter.
  const draft = lastDraft?.of === requested ? lastDraft : undefined;
  const mode = draft ? chosen : used;
  const typed = useRef(0);
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  const shown = draft || sameTexts(textsIn(written, used), texts) ? written : shownText(texts);

  async function apply(text: string, as: MatchMode): Promise<void> {
    const mine = ++typed.current;
    setWritten(text);
    const next = textsIn(text, as);
    if (as === 'regex' && next[0] !== undefined) {
      setDraft({ of: requested, error: draft?.error });
      // Without the engine, the server reports the error.
      const compiled = await compile(next[0]).catch(() => undefined);
      if (mine !== typed.current) return;
      if (compiled && 'reason' in compiled)
        return setDraft({ of: requested, error: say('visualization/pattern-invalid', compiled) });
    }
    const report = (why: string) => {
      if (isUnmounted.current) return store.setState({ notice: why });
      store.setState({ spoken: why });
      if (mine === typed.current) setDraft({ of: requestedText(store.getState()), error: why });
    };
    setDraft(undefined);
    const cleared = as === used ? filter : withTextsOfMode(filter, isIn, used, []);
    change(withTextsOfMode(cleared, isIn, as, next), typingMs, report);
  }

  return (
    <Field
      label={label}
      action={
        <Select
          showLabel={false}
          size="dense"
          label={`${label}: how to match`}
          value={mode}
          options={matchOptions}
          onChange={(next) => {
            setMode(next);
            void apply(shown, next);
          }}
        />
      }
      error={draft?.error}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxPatternLength}
      value={shown}
      onChange={({ target }) => void apply(target.value, mode)}
    />
  );
}

const requestedText = ({ filter, filtering }: ExplorerState): string => filtering ?? filter;

/** The mode that the filter uses, if the chosen one shows none of its texts. */
function otherMode(filter: Filter, isIn: boolean, chosen: MatchMode): MatchMode {
  const used = modeOf(filter, isIn);
  return textsOfMode(filter, isIn, used).length > 0 ? used : chosen;
}

const shownText = (texts: readonly string[]) => texts.join(', ');
const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text) => other.includes(text));

/** Conditions on the subtopic, the cluster or the pillar that a keyword is in. */
function FilterBranches({ filter, change }: FilterProps) {
  const { tree, isKept } = useExplorer();
  const levels = useLook((state) => state.levels);
  const used = filter.branches[0]?.level;
  const [chosen, setLevel] = useState<BranchLevel>();
  const offered = branchLevels.filter(
    (one) => levels.includes(`${one}s`) || filter.branches.some((part) => part.level === one),
  );
  const level = chosen ?? used ?? branchLevelOf(pageLevel(levels))!;
  const isUsed = (of: BranchFigure) => filter.branches.some((part) => part.level === level && part.of === of);
  const isAvailable = (of: BranchFigure) => {
    if (of === 'covered') return isKept;
    return of === 'keywords' || isKnownAnywhere(tree, of.replace('known.', '') as 'volume');
  };
  const figures = branchFigures.filter((of) => isAvailable(of) || isUsed(of));
  return (
    <FilterGroup title="Branches" note={`A ${anyOf(offered)} outside a range leaves with all its keywords`}>
      <SegmentedControl
        label="Branches: level"
        value={level}
        options={offered.map((value) => ({ value, label: levelNames[`${value}s`] }))}
        onChange={setLevel}
        className="mb-2"
      />
      <div className="border-b border-line">
        {figures.map((of) => (
          <OneBranchFigure key={`${level} ${of}`} level={level} of={of} filter={filter} change={change} />
        ))}
        <OneScore level={level} filter={filter} change={change} />
      </div>
    </FilterGroup>
  );
}

/** The score as it is set now. A condition on another one stays as it is until it is changed. */
function OneScore({ level, filter, change }: FilterProps & { level: BranchLevel }) {
  const score = useLook((state) => state.score);
  const rows = `${level}s` as const;
  const part = filter.scores.find((one) => one.level === rows);
  if (score === undefined && !part) return null;
  const name = `${levelNames[rows].slice(0, -1)} score`;
  const isOther = part !== undefined && score !== undefined && part.score !== score;
  const set = (range: Range | undefined) => {
    const scores = filter.scores.filter((one) => one !== part);
    const of = score ?? part?.score;
    const isSet = of !== undefined && range !== undefined && (range.from !== undefined || range.to !== undefined);
    change({ ...filter, scores: isSet ? [...scores, { level: rows, score: of, ...range }] : scores }, movingMs);
  };
  return (
    <FilterDisclosure title={name} summary={part ? namedRange('', part).trim() : ''} isUsed={part !== undefined}>
      <NumberField label={name} range={part} onChange={set} />
      {isOther && (
        <p className="m-0 text-micro text-muted">
          By another formula: {part.score.slice(part.score.indexOf('.') + 1)}. A change uses the score as it is set now.
        </p>
      )}
    </FilterDisclosure>
  );
}

function OneBranchFigure({ level, of, filter, change }: FilterProps & { level: BranchLevel; of: BranchFigure }) {
  const part = filter.branches.find((one) => one.level === level && one.of === of);
  const name = branchFigureName(level, of);
  const isPercent = isShare(of);
  const unit = isPercent ? ' %' : '';
  const set = (range: Range | undefined) => {
    const others = filter.branches.filter((one) => one !== part);
    const isSet = range !== undefined && (range.from !== undefined || range.to !== undefined);
    const branches: readonly BranchPart[] = isSet ? [...others, { level, of, ...range }] : others;
    change({ ...filter, branches }, movingMs);
  };
  return (
    <FilterDisclosure
      title={name}
      summary={part ? `${namedRange('', part).trim()}${unit}` : ''}
      isUsed={part !== undefined}
    >
      {of === 'covered' ? (
        <p className="m-0 mb-1 text-micro text-muted">
          How much of its volume has a page that is written or live; of its keywords where most volumes are unknown
        </p>
      ) : (
        <Brush
          of={`${level}-${of}`}
          name={name}
          range={part}
          writeEnd={(end) =>
            isPercent
              ? `${endText(Math.round(end))} %`
              : of === 'keywords'
                ? exact(end)
                : writeFigure(of as 'volume', end)
          }
          noteOf={(known, all) => `${knownFor(known, all) ?? exact(all)} ${level}s`}
          onChange={set}
        />
      )}
      <NumberField label={`${name}${isPercent ? ', in %' : ''}`} range={part} onChange={set} />
    </FilterDisclosure>
  );
}
