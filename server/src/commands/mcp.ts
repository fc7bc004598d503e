/**
 * `npm run mcp`: the tools of an agent over standard input and output, for programs that start their tools themselves. They call
 * the server at `KC_URL` with the access token in `KC_TOKEN`; with a file as an argument, a server that is started for it.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../config.ts';
import { type CallApi, MapApi } from '../mcp/map-api.ts';
import { mapTools } from '../mcp/tools.ts';
import { startLocalServer } from './local-server.ts';

const usage =
  'Say in KC_URL where the server is, such as https://keywords.example.com, and in KC_TOKEN an access token.\n' +
  'Or name a keyword list or a hierarchy, and a server is started for it: npm run --silent mcp -- may.csv language=en\n';

const [file, ...options] = process.argv.slice(2);
const { KC_URL, KC_TOKEN } = process.env;
const isAddressed = KC_TOKEN && /^https?:$/.test(URL.parse(KC_URL ?? '')?.protocol ?? '');
if (file === '--help' || options.some((option) => !option.includes('=')) || (file === undefined && !isAddressed)) {
  process.stderr.write(usage);
  process.exit(1);
}
const local =
  file === undefined
    ? undefined
    : await startLocalServer(file, settings(options)).catch((error: Error) => {
        process.stderr.write(`${file} cannot be read: ${error.message}\n`);
        process.exit(1);
      });
const origin = local?.origin ?? new URL(KC_URL!).origin;

const callApi: CallApi = async ({ method, path, query = {}, body }) => {
  const token = (await local?.token) ?? KC_TOKEN;
  const address = new URL(`/api${path}`, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.append(name, String(value));
  }
  const answer = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) };
};

let isEnding = false;
// Clients close the input, and send a signal 2 s later. The server gets only one of them: see `endWithNpm`.
const end = async (): Promise<void> => {
  if (isEnding) return;
  isEnding = true;
  await local?.stop();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
process.stdin.once('close', () => void end());
serveStdio(() => mapTools({ api: new MapApi(callApi), origin, version }));

function settings(args: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(args.map((option) => option.split(/=(.*)/s).slice(0, 2)));
}
