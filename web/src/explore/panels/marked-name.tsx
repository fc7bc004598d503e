import { readFilter } from '@kc/pack/filter/filter-text';
import { useLook } from './explorer-context.ts';
import { markMatches } from './match-marks.ts';

/** A name in which what is searched for, and what names are filtered by, is marked: underlined and in bold, whatever the colours. */
export function MarkedName({ name }: { readonly name: string }) {
  const query = useLook((state) => state.query);
  const filter = useLook((state) => state.filter);
  const texts = [query, ...(filter === '' ? [] : readFilter(filter)!.contains)];
  let start = 0;
  return markMatches(name, texts).map(({ text, hit }) => {
    const key = start;
    start += text.length;
    return hit ? (
      <mark
        key={key}
        className="bg-transparent font-semibold text-inherit underline decoration-2 decoration-[var(--highlight)] underline-offset-2"
      >
        {text}
      </mark>
    ) : (
      text
    );
  });
}
