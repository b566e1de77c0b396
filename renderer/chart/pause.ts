/** Long work in turns: between two of them the page answers its user. */

/** More points than this are worked on in turns; fewer take less time than a turn is worth. */
export const MANY_POINTS = 20_000;

/** Resolves in a task of its own, after input and painting that wait. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: { readonly yield?: () => Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => { setTimeout(resolve, 0); });
}
