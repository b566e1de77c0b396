/**
 * Text from 100 to 200 percent: the page is zoomed as a whole, so that nothing is cut, and its width rules with it, so that it takes the layout of
 * a window of that many times less room. The browser's own zoom works beside it.
 */

/** A media rule's text as it was written, in the widths and heights of a page at 100 percent. */
const written = new WeakMap<CSSMediaRule, string>();

/** `(max-width: 760px)` at 2 becomes `(max-width: 1520px)`. */
export const scaledMedia = (text: string, scale: number): string => text.replaceAll(/(\d+(?:\.\d+)?)px/g, (_, length: string) => `${Number(length) * scale}px`);

function scaleRules(rules: CSSRuleList, scale: number): void {
  for (const rule of rules) {
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet) scaleRules(rule.styleSheet.cssRules, scale);
    } else if (rule instanceof CSSMediaRule) {
      const text = written.get(rule) ?? rule.media.mediaText;
      written.set(rule, text);
      const wanted = scaledMedia(text, scale);
      if (rule.media.mediaText !== wanted) rule.media.mediaText = wanted;
      scaleRules(rule.cssRules, scale);
    }
  }
}

export interface TextSizing {
  /** Percent. */
  readonly set: (percent: number) => void;
  readonly close: () => void;
}

export function openTextSizing(page: Document): TextSizing {
  let scale = 1;
  const apply = (): void => {
    for (const sheet of page.styleSheets) scaleRules(sheet.cssRules, scale);
  };
  // Parts of the page bring their styles when they are first shown.
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLLinkElement && node.rel === 'stylesheet') node.addEventListener('load', apply, { once: true });
      else if (node instanceof HTMLStyleElement) apply();
    }
  });
  observer.observe(page.head, { childList: true });
  return {
    set(percent) {
      if (percent / 100 === scale) return;
      scale = percent / 100;
      const { style } = page.documentElement;
      style.setProperty('zoom', String(scale));
      style.setProperty('--text-scale', String(scale));
      apply();
    },
    close() {
      observer.disconnect();
      this.set(100);
    },
  };
}

/** Pixels of the window per pixel of the element's own layout: what to divide pointer and client distances by. */
export const zoomOf = (element: Element): number => ('currentCSSZoom' in element ? element.currentCSSZoom : 1);
