/** The kinds of audit log entries, in the order of the filter's options. */
export const activityKinds = [
  'sign-up',
  'sign-in',
  'sign-out',
  'sign-out-everywhere',
  'claim',
  'reset-password',
  'verify-email',
  'link',
  'migrate',
  'email',
  'name',
  'step-up',
  'create',
  'status',
  'role',
  'delete',
  'delete-records',
  'delete-auth',
  'forget',
  'admin-fix',
  'duplicate',
  'settings',
  'upload',
  'activate',
  'describe',
  'delete-visualization',
  'export',
  'backup',
  'restore',
  'refused',
  'rate-limit',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** `refused`: a rule rejected the action. `failed`: something broke. */
export const activityResults = ['ok', 'refused', 'failed'] as const;
export type ActivityResult = (typeof activityResults)[number];

/** The details of an entry as one text: "pending → approved", "file: garden.json, upload: 3f…". */
export function detailsText(details: Readonly<Record<string, unknown>>): string {
  const { from, to, ...rest } = details;
  const change = from !== undefined && to !== undefined ? [`${valueText(from)} → ${valueText(to)}`] : [];
  const others = change.length > 0 ? rest : details;
  return [...change, ...Object.entries(others).map(([name, value]) => `${name}: ${valueText(value)}`)].join(', ');
}

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(valueText).join(' ');
}
