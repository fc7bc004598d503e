import type { GroupingChoices, GroupsPreview, PreviewBranch } from '@kc/cluster/lists/grouping-choice';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { countText } from '../../ui/number-text.ts';
import { RadioRow } from '../../ui/radio-group.tsx';
import { counted } from './draft-words.ts';
import type { FolderLevels } from './import-choices.ts';

type Props = {
  readonly columns: GroupingChoices['columns'];
  /** From the top level down. */
  readonly chosen: readonly string[];
  readonly groups: GroupsPreview | undefined;
  readonly splitsOther: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
  readonly onSplitsOther: (splits: boolean) => void;
};

/** Deeper groupings are not used. */
const maxLevels = 4;

/** "Choose columns": which columns are the levels of the grouping, in which order, and a preview of the result. */
export function GroupingChooser({ columns, chosen, groups, splitsOther, onChange, onSplitsOther }: Props) {
  const others = columns.filter(({ name }) => !chosen.includes(name));
  const rows = [...chosen.flatMap((name) => columns.find((column) => column.name === name) ?? []), ...others];
  const move = (name: string, by: -1 | 1) => onChange(moved(chosen, name, by));
  const onKeyDown = (event: KeyboardEvent, name: string) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(name, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <div className="flex flex-col gap-4 rounded-control bg-sunken p-4">
      <ul aria-label="Columns of the grouping, from the top level down" className="flex flex-col">
        {rows.map(({ name, values }) => {
          const level = chosen.indexOf(name);
          return (
            <li key={name} className="flex items-center gap-2" onKeyDown={(event) => onKeyDown(event, name)}>
              <div className="min-w-0 flex-1">
                <Checkbox
                  label={`${name} (${counted(values, 'value')})${level >= 0 ? ` · level ${level + 1}` : ''}`}
                  checked={level >= 0}
                  onChange={(checked) =>
                    onChange(checked ? [...chosen, name].slice(-maxLevels) : without(chosen, name))
                  }
                />
              </div>
              {level >= 0 && (
                <>
                  <IconButton
                    size="dense"
                    label={`Move ${name} up`}
                    disabled={level === 0}
                    onClick={() => move(name, -1)}
                  >
                    <ArrowUp size={16} />
                  </IconButton>
                  <IconButton
                    size="dense"
                    label={`Move ${name} down`}
                    disabled={level === chosen.length - 1}
                    onClick={() => move(name, 1)}
                  >
                    <ArrowDown size={16} />
                  </IconButton>
                </>
              )}
            </li>
          );
        })}
      </ul>
      {groups && <GroupsResult groups={groups} splitsOther={splitsOther} onSplitsOther={onSplitsOther} />}
    </div>
  );
}

type UrlProps = {
  /** Undefined for pages. */
  readonly folders: FolderLevels | undefined;
  readonly groups: GroupsPreview | undefined;
  readonly onFolders: (folders: FolderLevels) => void;
};

/** What a grouping by the URLs of keywords makes of them. */
export function UrlGroups({ folders, groups, onFolders }: UrlProps) {
  return (
    <div className="flex flex-col gap-4 rounded-control bg-sunken p-4">
      <p className="text-small">
        {folders === undefined
          ? 'Keywords of one page are one cluster.'
          : 'Keywords are grouped by the folders of their pages.'}{' '}
        A keyword with several URLs is at the one with most clicks, or else with the best position.
      </p>
      {folders !== undefined && (
        <RadioRow
          label="Levels"
          value={String(folders)}
          options={['1', '2', '3'].map((value) => ({ value, label: value }))}
          onChange={(value) => onFolders(Number(value) as FolderLevels)}
        />
      )}
      {groups && <GroupsResult groups={groups} />}
    </div>
  );
}

const without = (names: readonly string[], name: string): string[] => names.filter((one) => one !== name);

/** The names with one of them a place further up or down. */
export function moved(names: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const from = names.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= names.length) return names;
  return names.with(from, names[to]!).with(to, name);
}

type ResultProps = Partial<Pick<Props, 'splitsOther' | 'onSplitsOther'>> & { readonly groups: GroupsPreview };

function GroupsResult({ groups, splitsOther = false, onSplitsOther }: ResultProps) {
  const [other] = groups.without;
  return (
    <div className="flex flex-col gap-2 text-small">
      <p>{groupsText(groups)}</p>
      <ul aria-label="The first branches" className="flex flex-col gap-1 border-line border-l-2 pl-3">
        {groups.branches.map((branch) => (
          <li key={branch.name} className="wrap-anywhere">
            <span className="font-medium">{branch.name}</span>
            <span className="text-muted">{branchText(branch)}</span>
          </li>
        ))}
      </ul>
      {other && onSplitsOther && (
        <div>
          <p>
            {counted(other.keywords, 'keyword')} {other.keywords === 1 ? 'is' : 'are'} in {other.value}.
          </p>
          <Checkbox label="Cluster these, too" checked={splitsOther} onChange={onSplitsOther} />
        </div>
      )}
    </div>
  );
}

/** What the columns become: "Group (17 values) > Cluster (116 values)". */
function groupsText({ levels, are, hasPillarsAbove }: GroupsPreview): string {
  const names = levels.map(({ name, values }) => `${name} (${counted(values, 'value')})`);
  if (are === 'tree') return `${names.join(' > ')} are used as they are.`;
  return are === 'clusters'
    ? `${names[0]} becomes the clusters.${hasPillarsAbove ? ' Pillar topics are found above them.' : ''}`
    : `${names[0]} becomes the pillar topics. Clusters are found inside each.`;
}

function branchText({ keywords, children, more }: PreviewBranch): string {
  const inside =
    children.length > 0 ? ` › ${children.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}` : '';
  return ` · ${counted(keywords, 'keyword')}${inside}`;
}
