import type { Settings } from '@kc/rules/settings';
import { type PreviewNode, previewOf } from './preview-tree.ts';

const width = 216;
const height = 148;
const margin = 16;
const levelPx = (width - 2 * margin) / 4;

type Props = {
  readonly settings: Settings;
  /** What everybody's page looks like; without one each system decides. */
  readonly theme: 'light' | 'dark' | undefined;
};

/** Twelve nodes as a tree of the explorer would begin with them. Source: experience §4.7. */
export function SettingsPreview({ settings, theme }: Props) {
  const { shown, nodes } = previewOf(settings);
  return (
    <figure
      data-theme={theme}
      className="m-0 overflow-hidden rounded-card border border-line-strong bg-canvas text-ink"
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Preview: a tree of ${nodes} nodes opens with ${shown.length} of them${theme ? `, ${theme}` : ''}`}
        className="mx-auto block h-auto w-full max-w-66"
      >
        {shown.map((node) => node.parent && <Link key={keyOf(node)} from={node.parent} to={node} />)}
        {shown.map((node) => (
          <Dot key={keyOf(node)} node={node} />
        ))}
      </svg>
      <figcaption className="border-line border-t bg-surface px-3 py-1.5 text-center text-micro text-muted tabular-nums">
        Preview · {shown.length} of {nodes} nodes
      </figcaption>
    </figure>
  );
}

const x = ({ level }: PreviewNode): number => margin + level * levelPx;
const y = (node: PreviewNode): number => margin / 2 + node.y * (height - margin);
const keyOf = (node: PreviewNode): string => `${node.level} ${node.y}`;
const colourOf = ({ topic }: PreviewNode): string =>
  topic === undefined ? 'var(--ink)' : `var(--pillar-${topic + 1})`;

function Link({ from, to }: { readonly from: PreviewNode; readonly to: PreviewNode }) {
  const middle = (x(from) + x(to)) / 2;
  return (
    <path
      d={`M${x(from)} ${y(from)}C${middle} ${y(from)} ${middle} ${y(to)} ${x(to)} ${y(to)}`}
      fill="none"
      stroke="var(--line-strong)"
      strokeWidth={1.25}
    />
  );
}

/** A disc; with a plus in it while its branch is closed. */
function Dot({ node }: { readonly node: PreviewNode }) {
  const [left, top] = [x(node), y(node)];
  return (
    <>
      <circle cx={left} cy={top} r={node.isClosed ? 7 : 5} fill={colourOf(node)} />
      {node.isClosed && (
        <path d={`M${left - 3.5} ${top}h7M${left} ${top - 3.5}v7`} stroke="var(--canvas)" strokeWidth={1.75} />
      )}
    </>
  );
}
