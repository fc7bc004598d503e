import { Button } from '../../../ui/button.tsx';
import { useExplorer } from '../explorer-context.ts';
import { Outline } from './outline.tsx';

/** The outline in place of a chart that cannot be drawn. */
export function OutlineOnly() {
  const { store } = useExplorer();
  return (
    <section aria-label="Outline without a picture" className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div className="flex min-h-10 shrink-0 items-center justify-between gap-3 border-b border-line px-4 py-1">
        <h2 className="m-0 text-small font-semibold text-muted">Outline only</h2>
        <Button size="dense" onClick={() => store.setState({ outlineOnly: false })}>
          Show the picture
        </Button>
      </div>
      <Outline />
    </section>
  );
}
