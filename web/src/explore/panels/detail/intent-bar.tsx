import type { NodeDetail } from '@kc/rules/shapes';
import { useTheme } from '../../../ui/theme.ts';
import { colourOfNth, intentNames } from '../../charts/paint/colour-scale.ts';
import { paletteOf } from '../../charts/paint/palettes.ts';
import { exact, share } from '../../format/numbers.ts';
import { useLook } from '../explorer-context.ts';

const intents = ['informational', 'navigational', 'commercial', 'transactional'] as const;

/** What the searchers want, in the colours that pictures give intents. A keyword may have several intents, so the parts are of all intents named. */
export function IntentBar({ intent }: { intent: NodeDetail['intent'] }) {
  const palette = paletteOf(
    useTheme(),
    useLook((state) => state.isSafe),
  );
  if (intent.known === 0) return <p className="m-0 mt-3 text-small text-muted italic">Intent unknown</p>;
  const named = intents
    .map((id, nth) => ({ id, label: intentNames[nth]!, colour: colourOfNth(palette, nth) }))
    .filter(({ id }) => intent[id] > 0);
  const total = named.reduce((sum, { id }) => sum + intent[id], 0);
  return (
    <div className="mt-4">
      <p className="m-0 mb-1.5 text-micro text-muted">
        Intent, known for {exact(intent.known)}
        {total > intent.known && ', for some several'}
      </p>
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full">
        {named.map(({ id, colour }) => (
          <span
            key={id}
            className="forced-color-adjust-none"
            style={{ flexGrow: intent[id] / total, background: colour }}
          />
        ))}
      </div>
      <ul className="m-0 mt-2 grid list-none grid-cols-2 gap-x-4 gap-y-0.5 p-0 text-micro">
        {named.map(({ id, label, colour }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-2 shrink-0 rounded-full forced-color-adjust-none"
              style={{ background: colour }}
            />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="text-muted">{share(intent[id], total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
