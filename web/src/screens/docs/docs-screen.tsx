import { sayError } from '@kc/rules/messages';
import { guidePath, guides } from '@kc/rules/paths';
import { useQuery } from '@tanstack/react-query';
import { inTime, patience } from '../../api/in-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { type ApiDocument, curlOf, type Operation, operationGroups, schemaText } from './operations.ts';

const linkClass = 'font-medium text-brand-ink underline underline-offset-2';

const guideWords: Readonly<Record<(typeof guides)[number], readonly [title: string, about: string]>> = {
  agents: ['Access tokens and agents', 'what a token may do, and the tools for programs that use MCP.'],
  automation: ['Automated imports', 'send next month’s list with one command, by cron or CI.'],
  webhooks: ['Webhooks', 'notify a program of events. Administrators add them in the settings.'],
};

/** The HTTP API reference: every call, who may make it, its input and its output. */
export function DocsScreen() {
  const document = useQuery({
    queryKey: ['api-document'],
    queryFn: ({ signal }) => readApiDocument(signal) as Promise<ApiDocument>,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="mx-auto w-full max-w-220 px-4 py-8 md:px-6 short:py-4">
      <h1 className="text-h1">HTTP API</h1>
      <p className="mt-2 text-body text-muted">
        Calls use JSON. Pages of this site send their session cookie; programs send an access token, which you create in
        the user menu, with the scope shown for each call. This reference is also available as{' '}
        <a href="/api/openapi.json" className={linkClass}>
          OpenAPI 3.1
        </a>
        .
      </p>
      <h2 className="mt-6 text-h2">Guides</h2>
      <ul className="mt-2 flex flex-col gap-1 text-body text-muted">
        {guides.map((guide) => (
          <li key={guide}>
            <a href={guidePath(guide)} target="_blank" rel="noreferrer" className={linkClass}>
              {guideWords[guide][0]}
            </a>
            : {guideWords[guide][1]}
          </li>
        ))}
      </ul>
      {document.isPending && <Skeleton className="mt-6 h-64 w-full" />}
      {document.isError && (
        <div className="mt-6">
          <Banner tone="error">{sayError(document.error)}</Banner>
        </div>
      )}
      {document.data &&
        [...operationGroups(document.data)].map(([name, operations]) => (
          <section key={name} aria-label={name} className="mt-8">
            <h2 className="text-h2">{name}</h2>
            <ul className="mt-3 flex flex-col gap-2">
              {operations.map((operation) => (
                <Call key={`${operation.method} ${operation.path}`} operation={operation} />
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}

function Call({ operation }: { readonly operation: Operation }) {
  const { method, path, who, scope, summary, parameters, requestSchema, responseSchema } = operation;
  return (
    <li className="rounded-card border border-line bg-surface">
      <details>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
          <span className="w-16 font-mono font-semibold text-small">{method}</span>
          <code className="min-w-0 flex-1 basis-56 font-mono text-small wrap-anywhere">{path}</code>
          <Badge tone={who === 'admin' ? 'brand' : 'neutral'}>{who}</Badge>
          {scope && <Badge>Token: {scope}</Badge>}
        </summary>
        <div className="flex flex-col gap-3 border-line border-t px-4 py-3">
          {summary && <p className="text-body">{summary}</p>}
          {parameters.map(({ name, schema }) => (
            <Code key={name} title={`Parameter ${name}`} text={schemaText(schema)} />
          ))}
          {requestSchema && <Code title="Request" text={schemaText(requestSchema)} />}
          {responseSchema && <Code title="Response" text={schemaText(responseSchema)} />}
          {scope && <Code title="With a token" text={curlOf(operation, location.origin)} />}
          {!responseSchema && <p className="text-small text-muted">The response is not a JSON object.</p>}
        </div>
      </details>
    </li>
  );
}

function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <h3 className="text-micro text-muted">{title}</h3>
      <pre className="mt-1 whitespace-pre-wrap rounded-control bg-sunken p-3 font-mono text-small wrap-anywhere">
        {text}
      </pre>
    </div>
  );
}

/**
 * Loads the description of the whole HTTP API, which the server generates from its contract.
 *
 * @throws if it cannot be loaded
 */
async function readApiDocument(signal: AbortSignal): Promise<unknown> {
  return inTime(patience.read, signal, async (ending) => {
    const response = await fetch('/api/openapi.json', { signal: ending });
    if (!response.ok) throw Object.assign(new Error('No API document'), { data: { code: 'fault/unavailable' } });
    return response.json();
  });
}
