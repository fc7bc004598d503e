/** `npm run pack -- FILE.json OUT.arrow`: makes sure that the parser's loop is built, then becomes the command. */
import { ensureLoops } from './wasm-loops.ts';

ensureLoops();
await import('../server/src/commands/pack.ts');
