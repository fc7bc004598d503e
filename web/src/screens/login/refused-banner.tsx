import { sayRefusal } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { toRefusal } from '../../api/refusal.ts';
import { Banner } from '../../ui/banner.tsx';

/** A mutation, as far as it matters to who tells why it failed. */
type Failing = { readonly error: Error | null; readonly submittedAt: number; readonly reset: () => void };

/** Why what was asked for on a Space surface was refused, for a while; nothing where it was not. */
export function RefusedBanner({ of: { error, submittedAt, reset } }: { readonly of: Failing }) {
  if (!error) return null;
  return (
    <Banner key={submittedAt} tone="error" surface="space" lifeMs={limits.bannerMs} onDismiss={reset}>
      {sayRefusal(toRefusal(error))}
    </Banner>
  );
}
