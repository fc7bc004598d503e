import type { Command } from '../ui/commands.ts';

/**
 * The commands in which every word of the text matches the beginning of a word, sorted by group so that each group has
 * one heading. All commands for the empty text.
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
