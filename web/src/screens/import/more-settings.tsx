import { type ReactNode, useId } from 'react';
import { Select } from '../../ui/select.tsx';
import { defaultResults, type GroupBy, type MoreSettings as More, type Results } from './import-choices.ts';

type Props = {
  readonly by: GroupBy;
  readonly more: More;
  readonly onChange: (more: More) => void;
};

const auto = 'auto';
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

const stopNames: Readonly<Record<string, string>> = { 2: '2, Broad', 4: '4, Balanced', 8: '8, Page-level' };
const sharingHelp: Readonly<Record<Results['sharing'], string>> = {
  smart: 'Groups keywords that share many URLs among each other; no chain effect.',
  soft: 'Every keyword shares the URLs with the main keyword.',
  moderate: 'Every keyword shares the URLs with at least one other.',
  hard: 'Every two keywords share the URLs.',
};
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'sv', 'da', 'no', 'fi', 'hu', 'ro', 'tr'];

/** The settings that few people change. The first option of each is the default. */
export function MoreSettings({ by, more, onChange }: Props) {
  const results = more.results ?? defaultResults;
  const setResults = (next: Partial<Results>) => onChange({ ...more, results: { ...results, ...next } });
  const number = (text: string) => (text === auto ? undefined : Number(text));
  return (
    <div className="grid gap-x-4 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-2">
      <Choice
        label="Granularity"
        value={more.stop}
        first="By Detail"
        options={numbers(1, 9)}
        nameOf={(stop) => stopNames[stop] ?? stop}
        onChange={(stop) => onChange({ ...more, stop: number(stop) })}
      />
      <Choice
        label="Levels"
        value={more.levels}
        first="Automatic"
        options={['2', '3']}
        nameOf={(levels) => (levels === '2' ? 'Pillar topic > Cluster' : 'Pillar topic > Cluster > Subtopic')}
        onChange={(levels) => onChange({ ...more, levels: levels === auto ? undefined : levels === '2' ? 2 : 3 })}
      />
      <Choice
        label="Smallest cluster"
        value={more.smallestCluster}
        first="By Detail"
        options={numbers(1, 20)}
        nameOf={(size) => `${size} ${size === '1' ? 'keyword' : 'keywords'}`}
        onChange={(size) => onChange({ ...more, smallestCluster: number(size) })}
      />
      <Choice
        label="Pillar topics"
        value={more.pillars}
        first="Automatic"
        options={numbers(1, 50)}
        nameOf={(count) => count}
        onChange={(count) => onChange({ ...more, pillars: number(count) })}
      />
      <Choice
        label="Language"
        value={more.language}
        first="Detected"
        options={languages}
        nameOf={(code) => languageNames.of(code) ?? code}
        onChange={(language) => onChange({ ...more, language: language === auto ? undefined : language })}
      />
      <Choice
        label="Language model"
        value={more.model}
        first="Built-in (English)"
        options={['none']}
        nameOf={() => 'None'}
        onChange={(model) => onChange({ ...more, model: model === auto ? undefined : 'none' })}
      />
      {by === 'results' && (
        <>
          <Helped help={sharingHelp[results.sharing]}>
            {(describedBy) => (
              <Select
                label="Clustering type"
                describedBy={describedBy}
                value={results.sharing}
                options={[
                  { value: 'smart', label: 'Smart' },
                  { value: 'soft', label: 'Soft' },
                  { value: 'moderate', label: 'Moderate' },
                  { value: 'hard', label: 'Hard' },
                ]}
                onChange={(sharing) => setResults({ sharing })}
              />
            )}
          </Helped>
          <Select
            label="Minimum shared URLs"
            value={String(results.least)}
            options={numbers(1, 10).map((value) => ({ value, label: value }))}
            onChange={(least) => setResults({ least: Number(least) })}
          />
          <Select
            label="Results per keyword"
            value={String(results.perKeyword)}
            options={['10', '20', '30'].map((value) => ({ value, label: `Top ${value}` }))}
            onChange={(top) => setResults({ perKeyword: top === '10' ? 10 : top === '20' ? 20 : 30 })}
          />
        </>
      )}
    </div>
  );
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

type ChoiceProps = {
  readonly label: string;
  readonly value: string | number | undefined;
  /** The name of the default. */
  readonly first: string;
  readonly options: readonly string[];
  readonly nameOf: (value: string) => string;
  readonly onChange: (value: string) => void;
};

function Choice({ label, value, first, options, nameOf, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      value={String(value ?? auto)}
      options={[{ value: auto, label: first }, ...options.map((one) => ({ value: one, label: nameOf(one) }))]}
      onChange={onChange}
    />
  );
}

function Helped({ help, children }: { readonly help: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div>
      {children(id)}
      <p id={id} className="mt-1 text-muted text-small">
        {help}
      </p>
    </div>
  );
}
