import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';

const skeleton = `{
  "keywords": [
    {
      "keyword": "trail shoes",
      "volume": 5400, "difficulty": 38,
      "cpc": 0.9, "intent": "commercial"
    },
    "road shoes"
  ],
  "hierarchy": {
    "name": "Running",
    "children": [
      {
        "name": "Shoes",
        "type": "pillar_topic",
        "children": [
          { "name": "trail shoes" }
        ]
      }
    ]
  }
}`;

/** A description of the file format, with an example to copy and a sample file to download. */
export function FormatHelp() {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(skeleton);
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <section aria-labelledby="format" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 id="format" className="text-h2">
          File format
        </h3>
        <Button size="dense" icon={<Icon size={16} strokeWidth={1.75} aria-hidden />} onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className="mt-2 text-body text-muted">
        Valid JSON with a <Code>keywords</Code> array and a <Code>hierarchy</Code> object of <Code>name</Code> and{' '}
        <Code>children</Code>. Nodes have a <Code>name</Code>, a <Code>type</Code> such as <Code>pillar_topic</Code>,
        and <Code>children</Code>. A list of <Code>keywords</Code> in a node counts as children, too.
      </p>
      <p className="mt-2 text-body text-muted">
        A keyword is text, or an object with its figures: <Code>volume</Code>, <Code>difficulty</Code>, <Code>cpc</Code>
        , <Code>intent</Code>, <Code>position</Code>, <Code>url</Code> and others, as your keyword tool exports them.
        What is left out counts as unknown.
      </p>
      <pre className="mt-4 whitespace-pre-wrap rounded-control bg-sunken p-4 font-mono text-micro text-ink leading-5">
        {skeleton}
      </pre>
      <a href="/sample-keywords.json" download className={`${buttonClass('secondary')} mt-4`}>
        <Download size={18} strokeWidth={1.75} aria-hidden />
        Download a sample file
      </a>
    </section>
  );
}

function Code({ children }: { readonly children: string }) {
  return <code className="rounded-[4px] bg-sunken px-1 py-0.5 font-mono text-small text-ink">{children}</code>;
}
