import { countText } from '../../../ui/number-text.ts';

const shownNames = 12;

/** Names that may be misspelled: their values are kept, but not used as metrics. */
export function Unrecognised({ names }: { readonly names: readonly string[] }) {
  const more = names.length - shownNames;
  return (
    <p className="mt-2 basis-full text-muted text-small wrap-anywhere">
      Not recognised as metrics, kept as custom fields: {names.slice(0, shownNames).join(', ')}
      {more > 0 && ` and ${countText(more)} more`}
    </p>
  );
}
