import type { ChangedNode } from '@kc/rules/change-shapes';
import type { ChangeName } from '@kc/rules/changes';
import { useExplorer } from '../explorer-context.ts';
import { changeWords, figureChange, figureOfChange, placeText } from './change-words.ts';

type LineProps = { readonly changed: ChangedNode; readonly kind: ChangeName | undefined };

/** A changed node: what happened to it, where it is, and its figures before and after. Goes there, unless it is gone. */
export function ChangedLine({ changed, kind }: LineProps) {
  const explorer = useExplorer();
  const { node } = changed;
  const content = <Content changed={changed} kind={kind} />;
  if (node === undefined) return <li className="px-2 py-1.5">{content}</li>;
  return (
    <li>
      <button
        type="button"
        onClick={() => void explorer.goToNode(node)}
        className="w-full rounded-chip px-2 py-1.5 text-left hover:bg-sunken touch:min-h-11"
      >
        {content}
      </button>
    </li>
  );
}

function Content({ changed, kind }: LineProps) {
  const { name, path, from, changes, node } = changed;
  return (
    <span className="flex flex-col gap-0.5 text-small">
      <span dir="auto" className={node === undefined ? 'text-muted line-through' : 'text-brand-ink'}>
        {name}
      </span>
      <span className="flex flex-wrap gap-x-2 text-micro text-muted">
        {changes.map((one) => (
          <span key={one} className="whitespace-nowrap">
            <span aria-hidden="true">{changeWords[one].sign} </span>
            {changeWords[one].label}
          </span>
        ))}
        {path.length > 0 && (
          <span className="min-w-0 break-words">
            in <bdi>{placeText(path)}</bdi>
          </span>
        )}
      </span>
      {from && (
        <span className="text-micro text-muted">
          from <bdi>{placeText(from)}</bdi>
        </span>
      )}
      <span className="text-micro text-ink tabular-nums">{figureChange(changed, figureOfChange(kind))}</span>
    </span>
  );
}
