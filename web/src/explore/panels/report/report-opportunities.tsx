import { figureWord } from '@kc/pack/filter-words/figure-name';
import { exact } from '../../format/figure-text.ts';
import { scoreKeyOf, scoreName } from '../../model/score.ts';

import { levelWords } from '../table/level-words.ts';
import { cellOf, nameOf } from '../table/list-cells.tsx';
import { Asked, ReportSection } from './report-section.tsx';
import { ReportTable } from './report-table.tsx';
import { type ReportScene, useQuadrants, useTopClusters } from './use-report.ts';

/** The best clusters, and how many are in each quadrant if thresholds are set. */
export function ReportOpportunities({ scene }: { readonly scene: ReportScene }) {
  const { score, pages } = scene;
  const words = levelWords[pages];
  const one = words.title.slice(0, -1);
  const clusters = useTopClusters(scene);
  const quadrants = useQuadrants(scene);
  const title = score === undefined ? `Largest ${pages}` : `Top opportunities by ${scoreName(score)}`;
  const columns = [
    { title: one },
    { title: 'Keywords', isNumber: true },
    { title: 'Volume', isNumber: true },
    { title: 'Difficulty', isNumber: true },
    { title: 'Difficulty known', isNumber: true },
    { title: 'CPC', isNumber: true },
    ...(score === undefined ? [] : [{ title: scoreName(score), isNumber: true }]),
  ];
  const figures = [
    ...['keywords', 'volume', 'difficulty', 'known:difficulty', 'cpc'],
    ...(score === undefined ? [] : [scoreKeyOf(score)]),
  ];
  return (
    <ReportSection
      title={title}
      note={
        <Asked asked={clusters}>
          {({ total, slice }) =>
            [
              `${slice.rows < total ? `The first ${slice.rows} of ` : ''}${words.count(total)}`,
              score === undefined ? 'largest volume first, because no score is set' : 'highest score first',
            ].join(', ')
          }
        </Asked>
      }
    >
      {clusters.data && (
        <ReportTable
          label={title}
          columns={columns}
          rows={Array.from({ length: clusters.data.slice.rows }, (_, at) => {
            const page = clusters.data!;
            const isPillar = page.pillar[at] === page.slice.node[at];
            const pillar = isPillar ? undefined : page.names.get(page.pillar[at]!);
            return {
              key: `${page.slice.node[at]}`,
              cells: [
                <span key="name">
                  {at + 1}. <bdi className="font-medium">{nameOf(page, at)}</bdi>
                  {pillar !== undefined && <bdi className="block text-micro text-muted">{pillar}</bdi>}
                </span>,
                ...figures.map((id) => cellOf(id, { page, at }, Number.NaN)),
              ],
            };
          })}
        />
      )}
      <p className="m-0 text-micro text-muted">
        * Known for a part of the {one.toLowerCase()}. ○ Known for less than 20 % of its volume.
      </p>
      <Asked asked={quadrants}>
        {(lines) =>
          lines && (
            <ReportTable
              label="Quadrants"
              columns={[
                { title: `Quadrant by ${figureWord(scene.x)} and ${figureWord(scene.y)}` },
                { title: words.title, isNumber: true },
                { title: 'Keywords', isNumber: true },
                { title: 'Volume', isNumber: true },
              ]}
              rows={lines.map(({ name, rows, keywords, volume }) => ({
                key: name,
                cells: [name, exact(rows), exact(keywords), exact(rows === 0 ? 0 : volume)],
              }))}
            />
          )
        }
      </Asked>
    </ReportSection>
  );
}
