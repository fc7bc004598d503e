import { decodeRows, type LevelRows } from '@kc/pack/levels/rows-wire';
import type { Slice } from '@kc/pack/slice/slice';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import type { Visualization } from '@kc/rules/shapes';

/** A call of the HTTP API by the person in whose name the tools work. */
export type CallApi = (call: ApiCall) => Promise<{ readonly status: number; readonly body: Uint8Array }>;
type ApiCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** After `/api`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** An object is sent as JSON, a text as a file. */
  readonly body?: object | string | undefined;
};

/** @param node its ID */
export const noSuchNode = (node: string): ToolRefusal =>
  new ToolRefusal(`This map has no node ${node}. Look for it with search, or in another map.`);

/** Why a tool has no answer, in words that say what to do. */
export class ToolRefusal extends Error {}

/**
 * The maps of a person through the HTTP API: what the tools read and write. Nothing is decided here about rights, because each
 * call is made with the token of the person.
 */
export class MapApi {
  readonly #call: CallApi;
  constructor(call: CallApi) {
    this.#call = call;
  }

  maps(): Promise<Visualization[]> {
    return this.json({ method: 'GET', path: '/visualizations' });
  }

  /** The map with an ID; the active one without. @throws ToolRefusal */
  async map(id: string | undefined): Promise<Visualization> {
    if (id !== undefined) return this.json({ method: 'GET', path: `/visualizations/${encodeURIComponent(id)}` });
    const maps = await this.maps();
    const map = maps.find(({ isActive }) => isActive) ?? maps[0];
    if (!map)
      throw new ToolRefusal('There is no map yet. Import a keyword list with `import_list`, or in the browser.');
    return map;
  }

  /** The row of the node with an ID, or of the root without. @throws ToolRefusal if the map has no such node */
  async rowOf(map: Visualization, node: string | undefined): Promise<number> {
    if (node === undefined) return 0;
    const path = `/visualizations/${map.id}/locate`;
    const found = await this.json<{ path: number[]; gone?: string }>({ method: 'GET', path, query: { address: node } });
    const row = found.path.at(-1);
    if (row !== undefined && found.gone === undefined) return row;
    throw noSuchNode(node);
  }

  /** What a call answers as JSON. @throws ToolRefusal */
  async json<Answer>(call: ApiCall): Promise<Answer> {
    return JSON.parse(new TextDecoder().decode(await this.#bytes(call))) as Answer;
  }

  /** A page of a flat list. @throws ToolRefusal */
  async rows(map: Visualization, query: NonNullable<ApiCall['query']>): Promise<LevelRows> {
    return decodeRows(await this.#bytes({ method: 'GET', path: `/visualizations/${map.id}/rows`, query }));
  }

  /** A branch with its heaviest nodes. @throws ToolRefusal */
  async slice(map: Visualization, query: NonNullable<ApiCall['query']>): Promise<Slice> {
    return decodeSlice(await this.#bytes({ method: 'GET', path: `/visualizations/${map.id}/slice`, query }));
  }

  async #bytes(call: ApiCall): Promise<Uint8Array> {
    const { status, body } = await this.#call(call);
    if (status < 400) return body;
    throw new ToolRefusal(refusalText(new TextDecoder().decode(body)));
  }
}

function refusalText(body: string): string {
  try {
    const { data } = JSON.parse(body) as { data?: Refusal };
    if (data) return sayRefusal(data);
  } catch {
    // What is not JSON is not the server's own answer.
  }
  return 'The server did not answer as expected. Try again later.';
}
