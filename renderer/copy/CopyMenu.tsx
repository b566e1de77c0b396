/** What can be taken from the chart or the row under the pointer, or under the focus by the menu key. */
import './copyMenu.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Command } from '../commands/commands.ts';
import { usePage } from '../store/hooks.ts';
import { zoomOf } from '../theme/textSize.ts';

const CHART = ['copy.picture', 'copy.savePicture', 'copy.data', 'copy.saveData'] as const;
const LIST = ['list.copyValue', 'list.copyRow', 'list.copyAll'] as const;

interface Open {
  readonly at: readonly [x: number, y: number];
  readonly commands: readonly Command[];
}

export function CopyMenu() {
  const { commands, watchlist } = usePage();
  const [open, setOpen] = useState<Open | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);

  useEffect(() => {
    const onContextMenu = (event: MouseEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (!target || target.closest('input, select, textarea, dialog') || !(getSelection()?.isCollapsed ?? true)) return;
      const list = target.closest('.list-scroll');
      const chart = target.closest('.chart-box');
      if (!list && !chart) return;
      const id = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const item = watchlist.shown.items.get().find((one) => one.kind !== 'group' && one.id === id);
      if (list && item && item.kind !== 'group') watchlist.cursor.set(item.key);
      const ids: readonly string[] = list ? LIST : CHART;
      const offered = commands.all.get().filter((command) => ids.includes(command.id));
      if (offered.length === 0) return;
      event.preventDefault();
      before.current = document.activeElement;
      const scale = zoomOf(document.documentElement);
      setOpen({ at: [event.clientX / scale, event.clientY / scale], commands: offered });
    };
    document.addEventListener('contextmenu', onContextMenu);
    return () => document.removeEventListener('contextmenu', onContextMenu);
  }, [commands, watchlist]);

  useEffect(() => {
    const element = menu.current;
    if (!open || !element) return;
    const scale = zoomOf(element);
    const [x, y] = open.at;
    element.style.left = `${Math.max(4, Math.min(x, window.innerWidth / scale - element.offsetWidth - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, window.innerHeight / scale - element.offsetHeight - 4))}px`;
    element.querySelector('button')?.focus();
  }, [open]);

  if (!open) return null;
  const close = (): void => {
    setOpen(null);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[to]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
  };
  return (
    <div ref={menu} className="copy-menu" role="menu" tabIndex={-1} aria-label="Copy" onKeyDown={onKeyDown} onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) setOpen(null); }}>
      {open.commands.map(({ id, title, run }) => <button key={id} type="button" role="menuitem" onClick={() => { close(); run(); }}>{title}</button>)}
    </div>
  );
}
