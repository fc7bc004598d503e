import { counted, exact } from '../../format/figure-text.ts';
import { kindNames } from '../warnings/warning-names.ts';
import { reasonOf, titleOf } from '../warnings/warning-texts.ts';
import { Asked, ReportSection } from './report-section.tsx';
import { type ReportScene, useWarningKinds } from './use-report.ts';

/** The warnings by kind, with examples of each. */
export function ReportWarnings({ scene }: { readonly scene: ReportScene }) {
  const kinds = useWarningKinds(scene);
  return (
    <ReportSection title="Warnings" note={scene.within === 0 ? undefined : 'Of everything, not only of this branch.'}>
      <Asked asked={kinds}>
        {(found) =>
          found.length === 0 ? (
            <p className="m-0 text-small text-muted">No warnings.</p>
          ) : (
            found.map(({ kind: { kind, count, dismissed }, lines }) => (
              <div key={kind} className="break-inside-avoid">
                <h4 className="m-0 text-small font-semibold">
                  {kindNames[kind]}{' '}
                  <span className="font-normal text-muted">
                    {counted(count, 'warning')}
                    {dismissed > 0 && `, ${exact(dismissed)} more judged no problem`}
                  </span>
                </h4>
                <ul className="m-0 list-disc pl-5 text-small">
                  {lines.map((line) => (
                    <li key={`${line.node} ${line.subject ?? ''}`} className="wrap-anywhere">
                      <bdi>{line.subject === undefined ? line.path.join(' › ') || titleOf(line) : line.subject}</bdi>:{' '}
                      {reasonOf(line)}
                    </li>
                  ))}
                  {count > lines.length && (
                    <li className="list-none text-muted">and {exact(count - lines.length)} more</li>
                  )}
                </ul>
              </div>
            ))
          )
        }
      </Asked>
    </ReportSection>
  );
}
