import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { type Coverage, coveredShare, shareFrom, statusRank } from '@kc/rules/plan';
import { share as shareText } from '../../format/figure-text.ts';
import { statusesFromLive, statusWords } from './plan-texts.tsx';

const fills: Readonly<Record<PlanStatus, string>> = {
  live: 'bg-ok',
  written: 'bg-brand',
  planned: 'bg-info',
  idea: 'bg-line-strong',
};

/** How much of a branch has which status: a bar and the same in words. @param of “of the volume of …” */
export function CoverageBar({ coverage, of }: { readonly coverage: Coverage; readonly of: string }) {
  const covered = coveredShare(coverage);
  if (!covered) return null;
  const parts = statusesFromLive.map((status) => {
    const rank = statusRank(status);
    const share = (shareFrom(coverage, rank)?.share ?? 0) - (shareFrom(coverage, rank + 1)?.share ?? 0);
    return { status, share: Math.max(0, share) };
  });
  const words = parts
    .filter(({ share }) => share > 0)
    .map(({ status, share }) => `${status ? statusWords[status] : 'Not planned'} ${shareText(share, 1)}`);
  return (
    <figure className="m-0 flex flex-col gap-1">
      <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-sunken">
        {parts.map(
          ({ status, share }) =>
            status && share > 0 && <span key={status} className={fills[status]} style={{ width: `${100 * share}%` }} />,
        )}
      </div>
      <figcaption className="text-small">
        {shareText(covered.share, 1)} of {of} {covered.of === 'volume' ? 'volume' : 'keywords'} is covered
        <span className="block text-micro text-muted">{words.join(' · ')}</span>
      </figcaption>
    </figure>
  );
}

/** The keywords and the volume of everything that is in the plan. */
export function plannedFigures({ ofStatus, ...coverage }: Coverage) {
  const planned = ofStatus.slice(statusRank(planStatuses[0]));
  const sum = (of: (one: (typeof planned)[number]) => number) => planned.reduce((total, one) => total + of(one), 0);
  return {
    keywords: sum(({ keywords }) => keywords),
    volume: sum(({ volume }) => volume),
    share: shareFrom({ ...coverage, ofStatus }, 1),
  };
}
