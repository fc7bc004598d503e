import { keyName } from './keys.ts';

export type KeyGroup = {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
};

/** A table of keyboard shortcuts, in groups. */
export function KeyMap({ groups }: { readonly groups: readonly KeyGroup[] }) {
  return (
    <div className="gap-x-10 sm:columns-2">
      {groups.map((group) => (
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
                      {keyName(key)}
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
  );
}
