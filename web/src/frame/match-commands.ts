import type { Command } from '../ui/commands.ts';

/**
 * The commands with every word of a text at the beginning of one of theirs, in the order of their groups: what is shown
 * under one title stays together. All of them for the empty text.
 */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const sought = wordsOf(text);
  const matching = commands.filter(({ title, group }) => {
    const words = wordsOf(`${title} ${group}`);
    return sought.every((part) => words.some((word) => word.startsWith(part)));
  });
  const groups = [...new Set(matching.map(({ group }) => group))];
  return groups.flatMap((group) => matching.filter((command) => command.group === group));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
