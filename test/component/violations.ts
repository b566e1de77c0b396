import axe from 'axe-core';

/** What axe finds on the page now, one line for each place; `enhanced`: text at 7:1 as well. */
export async function violations(enhanced = false): Promise<string[]> {
  // transitions of the first paint would be judged half way
  await new Promise((resolve) => { setTimeout(resolve, 900); });
  const { violations: found } = await axe.run(document.body, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'], ...(enhanced ? { rules: { 'color-contrast-enhanced': { enabled: true } } } : {}) });
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}
