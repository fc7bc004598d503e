import { sayRefusal } from '@kc/rules/all-messages';
import { paths } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';

const key = ['import-settings'];

/** What happens to lists that programs send for this person. */
export function ProgramImports() {
  const settings = useQuery({ queryKey: key, queryFn: ({ signal }) => client.imports.settings({}, { signal }) });
  const queries = useQueryClient();
  const [refusal, setRefusal] = useState<Refusal>();
  const change = async (publishes: boolean) => {
    try {
      queries.setQueryData(key, await client.imports.changeSettings({ publishes }));
      setRefusal(undefined);
    } catch (error) {
      setRefusal(toRefusal(error));
    }
  };
  const why = refusal ?? (settings.isError ? toRefusal(settings.error) : undefined);
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
        <Link to={paths.docs}>the description of the API</Link>. It becomes a draft.
      </p>
      {why && (
        <div className="mb-3">
          <Banner tone="error">{sayRefusal(why)}</Banner>
        </div>
      )}
      {settings.data && (
        <Checkbox
          label="Publish it if nothing in its reading is a guess"
          checked={settings.data.publishes}
          onChange={(publishes) => void change(publishes)}
        />
      )}
    </section>
  );
}
