// Shows REL-55.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { releases } from '../../tools/releases.ts';
import { startDeployment } from './deployment.ts';
import { buildRelease, unpackRelease, whyNoCode } from './last-release.ts';
import { demandTools, tellStories } from './replicas.stories.ts';

demandTools();

const [release] = releases();
const why = release ? whyNoCode(release) : 'CHANGELOG.md names no release';
if (why) console.log(`Skipped: servers of two versions. ${why}`);

// As during an upgrade: the old server made the database, the new one has migrated it.
describe.skipIf(why)(`a server of ${release?.name} beside one of this version`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = unpackRelease(release!);
    await buildRelease(folder);
  }, 900_000);
  afterAll(() => folder && rmSync(folder, { recursive: true, force: true }));

  tellStories(() => startDeployment(folder), false);
});
