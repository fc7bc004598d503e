import { sayRefusal } from '@kc/rules/all-messages';
import { guidePath } from '@kc/rules/paths';
import { client } from '../../api/client.ts';
import { useOwnSettings } from '../../api/own-settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';

/** What happens to lists that programs send for this person. */
export function ProgramImports() {
  const { settings, refusal, change } = useOwnSettings('import-settings', {
    read: (signal) => client.imports.settings({}, { signal }),
    change: (next) => client.imports.changeSettings(next),
  });
  return (
    <section
      aria-labelledby="program-imports"
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <h3 id="program-imports" className="text-h2">
        Lists from programs
      </h3>
      <p className="mt-1 mb-3 text-muted text-small">
        A program can send next month’s list with an access token, or put it into a folder of the server. See{' '}
        <a href={guidePath('automation')} target="_blank" rel="noreferrer">
          how to do that
        </a>
        . It becomes a draft.
      </p>
      {refusal && (
        <div className="mb-3">
          <Banner tone="error">{sayRefusal(refusal)}</Banner>
        </div>
      )}
      {settings && (
        <Checkbox
          label="Publish it if nothing in its reading is a guess"
          checked={settings.publishes}
          onChange={(publishes) => change({ publishes })}
        />
      )}
    </section>
  );
}
