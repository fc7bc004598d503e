import { Agent, request } from 'node:http';

/** The headers of a request. */
export type Sent = Readonly<Record<string, string>>;

/** `headers`: one per concurrent client; if there are fewer, they are used in turn. */
type Load = { readonly requests: number; readonly atOnce: number; readonly headers: readonly Sent[] };

/**
 * Sends so many GET requests over persistent connections, `atOnce` of them in flight at any time.
 *
 * @throws Error for a response other than 200
 */
export async function load(url: string, { requests, atOnce, headers }: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let left = requests;
  const askOn = async (sent: Sent): Promise<void> => {
    while (left-- > 0) await ask(url, agent, sent);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, one) => askOn(headers[one % headers.length] ?? {})));
  agent.destroy();
}

function ask(url: string, agent: Agent, headers: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.on('end', resolve).resume();
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    })
      .on('error', reject)
      .end();
  });
}
