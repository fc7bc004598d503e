import { Lock } from 'lucide-react';
import { useMe } from '../../../session/session.ts';
import { SettingsCard } from './settings-card.tsx';

/** What can be said about the server without changing it. */
export function BackendCard() {
  const server = useMe()?.server;
  const facts = [
    { name: 'Server version', value: server?.version },
    { name: 'Google sign-in', value: server?.google ? 'Set up' : 'Not set up' },
    { name: 'Support email', value: server?.supportEmail || 'Not set' },
  ];
  return (
    <SettingsCard
      title="Backend Configuration"
      icon={<Lock size={18} strokeWidth={1.75} className="text-muted" aria-hidden />}
      note="These settings are managed in environment configuration and cannot be modified here."
    >
      <dl className="mt-2 divide-y divide-line rounded-card border border-line bg-sunken px-4">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex min-h-11 items-center justify-between gap-4 py-2">
            <dt className="text-muted text-small">{name}</dt>
            <dd className="min-w-0 text-right font-medium text-body wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </SettingsCard>
  );
}
