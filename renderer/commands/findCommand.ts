/** Finding a command by words people type, in any order, by their beginnings. */
import type { Command } from './commands.ts';

const MAX_FOUND = 12;
const BETWEEN = /[\s,():/]+/;

/** Those whose title begins so first, then those that are found by their title alone, each in the order they were registered. Empty text finds all. */
export function findCommand(commands: readonly Command[], typed: string): readonly Command[] {
  const asked = typed.toLowerCase().split(BETWEEN).filter((word) => word !== '');
  const whole = typed.trim().toLowerCase();
  const can = commands.filter((command) => command.enabled?.() ?? true);
  if (asked.length === 0) return can;
  const found = (text: string): boolean => {
    const has = text.toLowerCase().split(BETWEEN);
    return asked.every((word) => has.some((each) => each.startsWith(word)));
  };
  const rank = ({ title }: Command): number => (title.toLowerCase().startsWith(whole) ? 2 : found(title) ? 1 : 0);
  return can
    .filter(({ title, group, words }) => found(`${group} ${title} ${words ?? ''}`))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MAX_FOUND);
}
