import {
  type BranchFigure,
  type BranchLevel,
  type BranchPart,
  branchFigures,
  branchLevelOf,
  branchLevels,
  type Range,
} from '@kc/pack/filter/filter';
import { anyOf, endText, namedRange } from '@kc/pack/filter-words/filter-part';
import { branchFigureName, isShare } from '@kc/pack/filter-words/preset-parts';
import { pageLevel } from '@kc/pack/levels/level';
import { useState } from 'react';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { exact, knownFor, writeFigure } from '../../format/figure-text.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { levelNames } from '../table/level-words.ts';
import { Brush, NumberField } from './filter-ranges.tsx';
import { FilterDisclosure, FilterGroup, type FilterProps } from './filter-section.tsx';

/** Debounce while a bound is dragged or typed, in milliseconds. */
const movingMs = 150;

/** Conditions on the subtopic, the cluster or the pillar that a keyword is in. */
export function FilterBranches({ filter, change }: FilterProps) {
  const { tree, isKept } = useExplorer();
  const levels = useLook((state) => state.levels);
  const used = filter.branches[0]?.level;
  const [chosen, setLevel] = useState<BranchLevel>();
  const offered = branchLevels.filter(
    (one) => levels.includes(`${one}s`) || filter.branches.some((part) => part.level === one),
  );
  const level = chosen ?? used ?? branchLevelOf(pageLevel(levels))!;
  const isUsed = (of: BranchFigure) => filter.branches.some((part) => part.level === level && part.of === of);
  const isThere = (of: BranchFigure) => {
    if (of === 'covered') return isKept;
    return of === 'keywords' || isKnownAnywhere(tree, of.replace('known.', '') as 'volume');
  };
  const figures = branchFigures.filter((of) => isThere(of) || isUsed(of));
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
