/** The exports of each tool that are recognised, and where to find them. */
const tools: readonly { readonly name: string; readonly exports: string }[] = [
  { name: 'Semrush', exports: 'Keyword Magic, Organic Positions, Keyword Strategy Builder; CSV or XLSX' },
  { name: 'Ahrefs', exports: 'Keywords Explorer, Organic keywords; CSV for Excel or UTF-8' },
  { name: 'Google Search Console', exports: 'Performance, Queries; the CSV files of the ZIP, or XLSX' },
  { name: 'Google Keyword Planner', exports: 'Keyword ideas, Historical metrics; CSV' },
  { name: 'Ubersuggest', exports: 'Keyword ideas; CSV' },
  { name: 'DataForSEO and SerpApi', exports: 'search results of Google; JSON or JSON lines' },
  { name: 'Anything else', exports: 'a table with a column of keywords, or one keyword per line' },
];

/** "Keyword lists: the tools". */
export function ListHelp() {
  return (
    <section
      aria-labelledby="list-help"
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <h3 id="list-help" className="text-h2">
        Keyword lists: the tools
      </h3>
      <dl className="mt-2 flex flex-col gap-2 text-small">
        {tools.map(({ name, exports }) => (
          <div key={name}>
            <dt className="font-medium text-ink">{name}</dt>
            <dd className="text-muted">{exports}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-muted text-small">
        Several files are joined by keyword. What the browser has read is shown before the files are sent.
      </p>
    </section>
  );
}
