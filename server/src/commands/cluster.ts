import { clusterLists } from './cluster-lists.ts';

// npm run cluster
process.exitCode = await clusterLists(process.argv.slice(2));
