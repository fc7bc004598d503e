/** `npm run pack -- FILE.json OUT.arrow`: makes sure that the parser's loop is built, then becomes the command. */
import { ensureJsonLoop } from './json-loop.ts';

ensureJsonLoop();
await import('../server/src/commands/pack.ts');
