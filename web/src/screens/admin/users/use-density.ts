import { useState } from 'react';

export type Density = 'comfortable' | 'compact';

/** Height of a row in CSS pixels. Source: experience §4.2. */
export const rowPx: Readonly<Record<Density, number>> = { comfortable: 56, compact: 44 };

const storageKey = 'users-density';

/** How close the rows stand, as this browser was last told. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(() =>
    localStorage.getItem(storageKey) === 'compact' ? 'compact' : 'comfortable',
  );
  const choose = (next: Density) => {
    localStorage.setItem(storageKey, next);
    setDensity(next);
  };
  return [density, choose];
}
