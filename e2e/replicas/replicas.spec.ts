import { describe } from 'vitest';
import { startDeployment } from './deployment.ts';
import { demandTools, tellStories } from './replicas.stories.ts';

demandTools();

describe('two servers behind a load balancer', () => tellStories(startDeployment, true));
