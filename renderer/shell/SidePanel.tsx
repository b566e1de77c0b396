/** Tape and health as tabs on the right; a drawer where the window is narrow. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { HealthPanel } from '../health/HealthPanel.tsx';
import { useCell, usePage } from '../store/hooks.ts';
import { Tape } from '../tape/Tape.tsx';
import { type Panel, PANELS } from './view.ts';

const TITLES: Readonly<Record<Panel, string>> = { tape: 'Tape', health: 'Health' };

export function SidePanel({ selected }: { readonly selected: string | null }) {
  const { view } = usePage();
  const panel = useCell(view.panel);
  const open = useCell(view.drawer);
  const tabs = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    const onEscape = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      view.drawer.set(false);
      document.querySelector<HTMLElement>('.drawer-button')?.focus();
    };
    document.addEventListener('keydown', onEscape);
    return () => document.removeEventListener('keydown', onEscape);
  }, [open, view]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    const step = event.key === 'ArrowRight' ? 1 : PANELS.length - 1;
    const next = PANELS[(PANELS.indexOf(panel) + step) % PANELS.length] ?? 'tape';
    view.panel.set(next);
    tabs.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    event.preventDefault();
  };

  return (
    <aside className="side" aria-label="Tape and health" data-open={open || undefined}>
      <div className="tab-line">
        <div role="tablist" aria-label="Side panel" className="tabs" ref={tabs}>
          {PANELS.map((name) => (
            <button
              key={name} type="button" role="tab" id={`tab-${name}`} className="tab" aria-selected={panel === name} aria-controls="side-panel" tabIndex={panel === name ? 0 : -1}
              onClick={() => view.panel.set(name)} onKeyDown={onKeyDown}
            >
              {TITLES[name]}{name === 'tape' && selected !== null ? ` · ${selected}` : ''}
            </button>
          ))}
        </div>
        <button type="button" className="icon-button drawer-close" aria-label="Close the side panel" onClick={() => view.drawer.set(false)}>✕</button>
      </div>
      {/* scrolls, so it takes the focus */}
      <div role="tabpanel" id="side-panel" aria-labelledby={`tab-${panel}`} tabIndex={0} className="panel">
        {panel === 'health' ? <HealthPanel id={selected} /> : selected === null ? <p className="note">No index chosen.</p> : <Tape id={selected} />}
      </div>
    </aside>
  );
}
