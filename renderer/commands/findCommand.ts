/** Finding a command by words people type, in any order, by their beginnings. */
import type { Command } from './commands.ts';

const MAX_FOUND = 12;

/** In the order they were registered, those whose title begins so first. Empty text finds all. */
export function findCommand(commands: readonly Command[], typed: string): readonly Command[] {
  const asked = typed.trim().toLowerCase().split(/\s+/).filter((word) => word !== '');
  const whole = asked.join(' ');
  const can = commands.filter((command) => command.enabled?.() ?? true);
  if (asked.length === 0) return can;
  return can
    .filter(({ title, group, words }) => {
      const has = `${group} ${title} ${words ?? ''}`.toLowerCase().split(/[\s,()/]+/);
      return asked.every((word) => has.some((each) => each.startsWith(word)));
    })
    .toSorted((a, b) => Number(b.title.toLowerCase().startsWith(whole)) - Number(a.title.toLowerCase().startsWith(whole)))
    .slice(0, MAX_FOUND);
}
