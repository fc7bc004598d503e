import { nearName } from '@kc/pack/formula/near-name';
import type { Environment } from './config.ts';
import { secretVariables, variables } from './variables.ts';

const known = [...Object.keys(variables), ...secretVariables.map((name) => `${name}_FILE`)];
/** Variables of other programs whose names happen to resemble ours. */
const foreign = new Set(['HOSTNAME', 'HOSTS', 'PORTS', 'ROLES', 'PGHOST', 'PGPORT', 'CLUSTER_NAME', 'SSL_CERT_FILE']);

/**
 * A sentence for every variable whose name resembles one of {@link variables} but is none: a misspelled variable is
 * otherwise ignored in silence. Values are not repeated, because they may be secrets.
 */
export function nearMisses(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = isCandidate(name) ? nearestTo(name) : undefined;
    return meant ? [`${name} is set, but there is no such variable. Did you mean ${meant}?`] : [];
  });
}

const isCandidate = (name: string): boolean => !known.includes(name) && !foreign.has(name);

/** Compared without underscores, so that `DATABASEURL` and `BASE-URL` are found too. */
function nearestTo(name: string): string | undefined {
  const bare = bareName(name);
  const near = nearName(bare, known.map(bareName));
  const meant = known.find((variable) => bareName(variable) === near);
  // In a short name one letter makes another word: HOME is not HOST.
  if (meant === undefined || (near !== bare && bare.length < 6)) return undefined;
  return meant;
}

const bareName = (name: string): string => name.replaceAll(/[^A-Za-z]/g, '').toUpperCase();
