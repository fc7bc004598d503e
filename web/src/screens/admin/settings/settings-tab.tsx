import { Lock } from 'lucide-react';
import { useMe } from '../../../session/session.ts';
import { TabHeader } from '../tab-header.tsx';

/** What can be said about the server without changing it. */
export function SettingsTab() {
  const server = useMe()?.server;
  const facts = [
    { name: 'Server version', value: server?.version },
    { name: 'Google sign-in', value: server?.google ? 'Set up' : 'Not set up' },
    { name: 'Support email', value: server?.supportEmail || 'Not set' },
  ];
  return (
    <>
      <TabHeader tab="settings" />
      <section
        aria-labelledby="backend"
        className="max-w-180 rounded-card border border-line bg-surface p-6 shadow-1 short:p-4"
      >
        <h3 id="backend" className="flex items-center gap-2 text-h2">
          <Lock size={18} strokeWidth={1.75} className="text-muted" aria-hidden />
          Backend Configuration
        </h3>
        <p className="mt-1 text-body text-muted">
          These settings are managed in environment configuration and cannot be modified here.
        </p>
        <dl className="mt-4 divide-y divide-line rounded-card border border-line bg-sunken px-4">
          {facts.map(({ name, value }) => (
            <div key={name} className="flex min-h-11 items-center justify-between gap-4 py-2">
              <dt className="text-small text-muted">{name}</dt>
              <dd className="min-w-0 text-right font-medium text-body wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
