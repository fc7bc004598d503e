import type { Corrections, Reading } from '@kc/cluster/read/reading';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Correction } from './corrections.ts';
import { delimiterOptions, encodingOptions } from './reading-words.ts';

type Props = {
  readonly reading: Reading;
  readonly corrections: Corrections;
  readonly onCorrect: (correction: Correction) => void;
  /** Forgets all corrections. */
  readonly onReset: () => void;
};

/** The fields of "Change reading": how a file is cut into lines and cells, and where it comes from. */
export function ChangeReading({ reading, corrections, onCorrect, onReset }: Props) {
  const { format, encoding, delimiter, columnsAt, sheet, sheets, header, market } = reading;
  return (
    <div className="grid gap-x-4 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-2">
      {format === 'text' ? (
        <>
          <Select
            label="Encoding"
            value={encoding}
            options={encodingOptions}
            onChange={(value) => onCorrect({ what: 'encoding', value })}
          />
          <Select
            label="Delimiter"
            value={delimiter ?? (columnsAt ? 'columns' : 'lines')}
            options={delimiterOptions}
            onChange={(value) => onCorrect({ what: 'delimiter', value })}
          />
        </>
      ) : format === 'workbook' ? (
        <Select
          label="Sheet"
          value={sheet ?? ''}
          options={(sheets ?? []).map((name) => ({ value: name, label: name }))}
          onChange={(value) => onCorrect({ what: 'sheet', value })}
        />
      ) : null}
      {format !== 'json' && (
        <CommittedField
          key={`header ${header?.line ?? 0}`}
          label="Header line"
          hint="0 if the file has no header"
          inputMode="numeric"
          value={String(header?.line ?? 0)}
          onCommit={(text) => /^\d{1,7}$/.test(text) && onCorrect({ what: 'header', value: Number(text) })}
        />
      )}
      <CommittedField
        key={`market ${market ?? ''}`}
        label="Market"
        hint="A country, such as us or de"
        value={market ?? ''}
        maxLength={16}
        onCommit={(text) => onCorrect({ what: 'market', value: text.toLowerCase() })}
      />
      {Object.keys(corrections).length > 0 && (
        <div className="sm:col-span-2">
          <Button size="dense" variant="ghost" onClick={onReset}>
            Read again without corrections
          </Button>
        </div>
      )}
    </div>
  );
}

type CommittedProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly inputMode?: 'numeric';
  readonly maxLength?: number;
  readonly onCommit: (text: string) => void;
};

/** A field whose value counts when it is left, or by Enter: each change reads the file again. */
function CommittedField({ value, onCommit, ...field }: CommittedProps) {
  const [text, setText] = useState(value);
  const commit = () => text.trim() !== value && onCommit(text.trim());
  return (
    <Field
      {...field}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
