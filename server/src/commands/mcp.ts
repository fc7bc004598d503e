/**
 * `npm run mcp`: the tools of an agent over standard input and output, for programs that start their tools themselves. They call
 * the server at `KC_URL` with the access token in `KC_TOKEN`.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../config.ts';
import { type AskApi, MapApi } from '../mcp/map-api.ts';
import { mapTools } from '../mcp/tools.ts';

const { KC_URL, KC_TOKEN } = process.env;
if (!KC_URL || !KC_TOKEN) {
  console.error(
    'Say in KC_URL where the server is, such as https://keywords.example.com, and in KC_TOKEN an access token',
  );
  process.exit(1);
}
const origin = new URL(KC_URL).origin;

const ask: AskApi = async ({ method, path, query = {}, body }) => {
  const address = new URL(`/api${path}`, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.append(name, String(value));
  }
  const answer = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${KC_TOKEN}`,
      ...(body && { 'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) };
};

serveStdio(() => mapTools({ api: new MapApi(ask), origin, version }));
