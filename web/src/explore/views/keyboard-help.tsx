import { Dialog } from '../../ui/dialog.tsx';
import { useExplorer, useLook } from './explorer-context.ts';
import { keyboardMap } from './keyboard-map.ts';

export function KeyboardHelp() {
  const { store } = useExplorer();
  const isOpen = useLook((state) => state.helpOpen);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(helpOpen) => store.setState({ helpOpen })}
      title="Keys"
      description="Views and panels answer anywhere but in a text field, the rest while the picture has the focus. The outline and the table go by rows."
      className="w-[min(44rem,calc(100vw-2rem))]"
    >
      <div className="gap-x-10 sm:columns-2">
        {keyboardMap.map((group) => (
          <section key={group.title} className="mb-6 break-inside-avoid">
            <h3 className="m-0 mb-2 text-small font-semibold text-muted">{group.title}</h3>
            <dl className="m-0 flex flex-col gap-1.5 text-small">
              {group.keys.map(({ keys, does }) => (
                <div key={does} className="flex items-center gap-3">
                  <dt className="flex w-28 shrink-0 flex-wrap gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="rounded-chip border border-line-strong bg-sunken px-1.5 font-mono text-micro text-ink"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dt>
                  <dd className="m-0 text-ink">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
