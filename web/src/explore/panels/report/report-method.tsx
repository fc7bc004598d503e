import { scoreName } from '../../model/score.ts';
import { useExplorer } from '../explorer-context.ts';
import { ReportSection } from './report-section.tsx';
import type { ReportScene } from './use-report.ts';

const rollUps: Readonly<Record<string, string>> = {
  branch: 'computed from the figures of the cluster',
  sum: 'the sum over the keywords of the cluster',
  mean: 'the mean over the keywords of the cluster',
  max: 'the highest among the keywords of the cluster',
};

/** What the figures mean and where they come from. */
export function ReportMethod({ scene: { score, filter } }: { readonly scene: ReportScene }) {
  const { fileName } = useExplorer();
  const [rollUp = '', formula = ''] =
    score === undefined ? [] : [score.split('.', 1)[0]!, score.slice(score.indexOf('.') + 1)];
  return (
    <ReportSection title="How these figures were made">
      <ul className="m-0 list-disc pl-5 text-small">
        <li>
          All figures come from the uploaded file <bdi>{fileName}</bdi>. Nothing is estimated.
        </li>
        <li>
          A figure that the file does not give is unknown. It is left out of sums and means, and never counted as 0.
        </li>
        <li>A keyword that occurs in several places counts once in totals.</li>
        <li>Difficulty, CPC, competition and position are plain means over the keywords for which they are known.</li>
        {filter !== '' && (
          <li>Figures cover only the keywords that the filter keeps, except where this says otherwise.</li>
        )}
        {score !== undefined && (
          <li>
            {scoreName(score)}: <code className="wrap-anywhere">{formula}</code>, {rollUps[rollUp] ?? rollUp}.
          </li>
        )}
      </ul>
    </ReportSection>
  );
}
