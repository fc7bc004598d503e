import { say } from '@kc/rules/messages';
import { Button } from '../../ui/button.tsx';
import { useExplorer } from './explorer-context.ts';

/** The picture could not be loaded: what failed, and the way to try once more. */
export function Failure({ failure }: { failure: unknown }) {
  const explorer = useExplorer();
  return (
    <div className="absolute inset-0 flex items-center justify-center p-6">
      <div role="alert" className="max-w-sm rounded-card border border-line bg-surface p-6 text-center shadow-2">
        <h2 className="m-0 text-h2">{say('explore/load-failed')}</h2>
        <p className="mt-2 mb-4 text-body text-muted">{explorer.explain(failure)}</p>
        <Button variant="primary" onClick={() => void explorer.start()}>
          Try again
        </Button>
      </div>
    </div>
  );
}
