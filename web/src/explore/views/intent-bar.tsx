import type { NodeDetail } from '@kc/rules/shapes';
import { exact, share } from '../numbers.ts';

const intents = [
  { id: 'informational', label: 'Informational', colour: 'var(--pillar-2)' },
  { id: 'navigational', label: 'Navigational', colour: 'var(--pillar-7)' },
  { id: 'commercial', label: 'Commercial', colour: 'var(--pillar-4)' },
  { id: 'transactional', label: 'Transactional', colour: 'var(--pillar-3)' },
] as const;

/** What the searchers want. A keyword may have several intents, so the parts are of all intents named. */
export function IntentBar({ intent }: { intent: NodeDetail['intent'] }) {
  if (intent.known === 0) return <p className="m-0 mt-3 text-small text-muted italic">Intent unknown</p>;
  const named = intents.filter(({ id }) => intent[id] > 0);
  const total = named.reduce((sum, { id }) => sum + intent[id], 0);
  return (
    <div className="mt-4">
      <p className="m-0 mb-1.5 text-micro text-muted">Intent, known for {exact(intent.known)}</p>
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full">
        {named.map(({ id, colour }) => (
          <span key={id} style={{ flexGrow: intent[id] / total, background: colour }} />
        ))}
      </div>
      <ul className="m-0 mt-2 grid list-none grid-cols-2 gap-x-4 gap-y-0.5 p-0 text-micro">
        {named.map(({ id, label, colour }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="text-muted">{share(intent[id], intent.known)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
