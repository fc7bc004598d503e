import { changeNames } from '@kc/rules/changes';
import { say } from '@kc/rules/explorer-messages';
import { exact } from '../../format/figure-text.ts';
import { changeWords, figureChange, figureOfChange, placeText } from '../changes/change-words.ts';
import { uploadMoment, useEarlier } from '../changes/use-uploads.ts';
import { Asked, ReportSection } from './report-section.tsx';
import { ReportTable } from './report-table.tsx';
import { changesListed, type ReportScene, useChanges } from './use-report.ts';

/** The clusters that changed since the compared upload. */
export function ReportChanges({ scene }: { readonly scene: ReportScene }) {
  const changes = useChanges(scene);
  const earlier = useEarlier();
  return (
    <ReportSection title={`Since ${uploadMoment(earlier)}`}>
      <Asked asked={changes}>
        {(page) => {
          if (!page) return null;
          if (page.isSame) return <p className="m-0 text-small text-muted">{say('explore/changes-same')}</p>;
          if (page.total === 0)
            return <p className="m-0 text-small text-muted">{say('explore/changes-none-clusters')}</p>;
          const counts = changeNames
            .filter((name) => page.counts[name] > 0)
            .map((name) => `${changeWords[name].label} ${exact(page.counts[name])}`);
          return (
            <>
              <p className="m-0 text-small">Clusters: {counts.join(' · ')}</p>
              <ReportTable
                label="Changed clusters"
                columns={[{ title: 'Cluster' }, { title: 'Change' }, { title: 'Figures' }]}
                rows={page.nodes.slice(0, changesListed).map((node) => ({
                  key: `${node.address} ${node.node === undefined}`,
                  cells: [
                    <bdi key="name">{placeText([...node.path, node.name])}</bdi>,
                    node.changes.map((name) => changeWords[name].label).join(', '),
                    figureChange(node, figureOfChange(node.changes[0])),
                  ],
                }))}
              />
              {page.total > changesListed && (
                <p className="m-0 text-small text-muted">
                  The {changesListed} with the largest change in volume, of {exact(page.total)}.
                </p>
              )}
            </>
          );
        }}
      </Asked>
    </ReportSection>
  );
}
