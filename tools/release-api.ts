import { writeFileSync } from 'node:fs';
import { apiDocument } from '../server/src/http/openapi.ts';
import { root } from './source-files.ts';

/** Where the API of the last release is. */
export const releasedApi = 'fixtures/released-api.json';

/** The API of this version, as it is written down for a release. */
export async function apiNow(): Promise<string> {
  const { paths } = await apiDocument('', 'kc_session');
  // A line for each path: those that change are seen.
  const lines = Object.entries(paths).map(([path, methods]) => `${JSON.stringify(path)}: ${JSON.stringify(methods)}`);
  return `{\n"paths": {\n${lines.sort().join(',\n')}\n}\n}\n`;
}

// Writes it down: node tools/release-api.ts, in the commit of a release.
if (import.meta.main) writeFileSync(root + releasedApi, await apiNow());
