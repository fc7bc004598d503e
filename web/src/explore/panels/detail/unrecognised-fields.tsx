import { useLook } from '../explorer-context.ts';
import { Section } from '../section.tsx';

/** Of the whole file, the fields that are no metric by their name: one of them may be a misspelled one. */
export function UnrecognisedFields() {
  const fields = useLook((state) => state.fields);
  const withheld = useLook((state) => state.withheld);
  const names = [...(fields ?? []), ...withheld].filter(({ isCustom }) => isCustom).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Section title="Not recognised as metrics">
      <p className="m-0 mb-1.5 text-small text-muted">
        These members of the file are kept as custom fields. Check their spelling if one should be a metric.
      </p>
      <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
        {names.map((name) => (
          <li key={name} dir="auto" className="rounded-chip bg-sunken px-1.5 py-0.5 text-micro text-ink wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
    </Section>
  );
}
