/** What the audit log tells of, in the order in which a filter offers it. */
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

/** `refused`: a rule said no. `failed`: something broke, or was broken. */
export const activityResults = ['ok', 'refused', 'failed'] as const;
export type ActivityResult = (typeof activityResults)[number];

/** What is known of a line beside who and what, as one text: "pending → approved", "file: garden.json, upload: 3f…". */
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
