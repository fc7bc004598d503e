/** Texts about warnings. */
export const warningMessages = {
  'warnings/dismissed': 'Dismissed. It stays so after a new upload.',
  'warnings/restored': 'Restored',
  'warnings/not-found': 'This warning is not dismissed any more.',
  'warnings/full': (p: { max: number }) => `No more than ${p.max} warnings can be dismissed. Restore some first.`,
  'warnings/thresholds': 'These thresholds are not possible.',
  'warnings/not-dismissed': (p: { reason: string }) => `The warning was not dismissed: ${p.reason}`,
  'warnings/not-restored': (p: { reason: string }) => `The warning was not restored: ${p.reason}`,
  'warnings/not-set': (p: { reason: string }) => `The thresholds were not saved: ${p.reason}`,
} as const;
