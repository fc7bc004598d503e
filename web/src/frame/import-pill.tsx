import { draftPercent } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { useImports } from '../api/imports.ts';
import { useMe } from '../session/session.ts';

const pillClass =
  'flex h-9 items-center gap-2 rounded-full bg-brand-soft px-3 font-medium text-brand-ink text-small no-underline touch:h-11';

/** The import of this browser on every page: how far it is, then "Draft ready – Open". */
export function ImportPill({ draft }: { readonly draft: Draft }) {
  const { sending, refusal } = useImports();
  const isAdmin = useMe()?.isAdmin === true;
  if (draft.state === 'ready') {
    return (
      <a
        href={`${paths.visualization}?draft=${draft.id}`}
        onClick={() => useImports.setState({ draft: undefined })}
        className={pillClass}
      >
        Draft ready – Open<span className="sr-only">: {draft.name}</span>
      </a>
    );
  }
  const percent = sending
    ? draftPercent('receiving', { received: sending.sentBytes / Math.max(1, sending.totalBytes) })
    : Math.round(draft.percent);
  const hasEnded = refusal !== undefined || draft.state === 'stopped' || draft.state === 'failed';
  const word = hasEnded ? 'stopped' : `${percent}%`;
  const label = `Import ${word}: ${draft.name}`;
  return isAdmin ? (
    <Link to={paths.admin} search={{ tab: 'upload' }} aria-label={label} title={label} className={pillClass}>
      Import {word}
    </Link>
  ) : (
    <Link to={paths.import} aria-label={label} title={label} className={pillClass}>
      Import {word}
    </Link>
  );
}
