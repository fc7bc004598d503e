import type { FastifyInstance, FastifyReply } from 'fastify';

/** A stream of server-sent events, while it is open. */
type Streaming = {
  /** Looks whether its reader may still have it. */
  look(): void | Promise<void>;
  end(): void | Promise<void>;
};

/** What a stream writes to. */
export type EventWriter = {
  /** Writes nothing once the stream has ended. */
  write(text: string): void;
  end(): void;
};

/** The open streams of a route. All end when the server stops. */
export function openStreams<Stream extends Streaming>(scope: FastifyInstance, onStop: () => void) {
  const streams = new Set<Stream>();
  scope.addHook('preClose', async () => {
    onStop();
    await Promise.all([...streams].map((stream) => stream.end()));
  });
  return {
    streams: streams as ReadonlySet<Stream>,
    /** Keeps a stream until its reader leaves. */
    async keep(reply: FastifyReply, stream: Stream): Promise<void> {
      streams.add(stream);
      const close = (): void => {
        streams.delete(stream);
        void stream.end();
      };
      reply.raw.once('close', close);
      // Between the request and this point the client may have disconnected, or lost its rights.
      if (reply.raw.destroyed) close();
      else await stream.look();
    },
  };
}

/** Takes over the raw response from Fastify, including its headers. */
export function beginEvents(reply: FastifyReply): EventWriter {
  reply.hijack();
  const headers = { ...reply.getHeaders(), 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
  reply.raw.writeHead(200, headers as Record<string, string>);
  reply.raw.write('retry: 2000\n\n');
  return {
    write(text) {
      if (!reply.raw.writableEnded) reply.raw.write(text);
    },
    end: () => void reply.raw.end(),
  };
}
