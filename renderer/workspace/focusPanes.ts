/** F6: from the list to each pane and around, in the order of the page. */

const STOPS = '.page > .watchlist [role="grid"], [data-pane]';
/** Where in a pane the keys do something. */
const INSIDE = '.chart [tabindex="0"]:not([hidden]), .watchlist [role="grid"], [data-pane-focus]';

/** Focuses the pane `step` further; `activate` is told its id where it is one of the dock. */
export function stepPane(step: 1 | -1, activate: (id: string) => void): void {
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility({ visibilityProperty: true }));
  if (stops.length === 0) return;
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  const next = stops[at < 0 ? (step === 1 ? 0 : stops.length - 1) : (at + step + stops.length) % stops.length];
  if (next === undefined) return;
  const id = next.dataset['pane'];
  if (id) activate(id);
  focusIn(next);
}

export function focusIn(stop: HTMLElement): void {
  (stop.querySelector<HTMLElement>(INSIDE) ?? stop).focus();
}

/** The pane of the dock by its id, once it is drawn. */
export function focusPane(id: string): void {
  requestAnimationFrame(() => {
    const pane = document.querySelector<HTMLElement>(`[data-pane="${CSS.escape(id)}"]`);
    if (pane && !pane.contains(document.activeElement)) focusIn(pane);
  });
}
