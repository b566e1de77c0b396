/** The look of this page: kept over restarts, followed by every window of the desk, laid on the page at once. */
import { setReader } from '../../shared/format.ts';
import type { Commands } from '../commands/commands.ts';
import type { Notices } from '../shell/notices.ts';
import { THEMES, type View } from '../shell/view.ts';
import { type Cell, createCell } from '../store/cell.ts';
import { applyLook, onSystemContrast } from '../theme/applyTheme.ts';
import { openTextSizing } from '../theme/textSize.ts';
import { DEFAULT_LOOK, type Look, readLook } from './look.ts';
import { lookCommands } from './lookCommands.ts';

export interface LookHandles {
  readonly look: Cell<Look>;
  /** The panel of settings is open. */
  readonly settings: Cell<boolean>;
  /** Another one whenever numbers or times are written otherwise: what shows them starts over. */
  readonly writing: Cell<string>;
}

interface Parts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly view: Pick<View, 'theme'>;
  readonly commands: Pick<Commands, 'register'>;
  readonly notices: Pick<Notices, 'tell'>;
}

const KEPT = 'frontrow.look';

export function openLook({ storage, view, commands, notices }: Parts): LookHandles & { readonly close: () => void } {
  const kept = (): string | null => {
    try {
      return storage.getItem(KEPT);
    } catch {
      return null;
    }
  };
  const { look: first, wrong } = readLook(kept());
  if (wrong.length > 0) notices.tell(`Settings that could not be read are as by default: ${wrong.join(', ')}.`);
  const cell = createCell(first);
  const writing = createCell('');
  const look: Cell<Look> = {
    ...cell,
    set(next) {
      cell.set(next);
      try {
        storage.setItem(KEPT, JSON.stringify(next));
      } catch {
        // private browsing or quota: the choice lasts as long as the page
      }
    },
  };
  const settings = createCell(false);
  const sizing = openTextSizing(document);
  const apply = (): void => {
    const now = cell.get();
    applyLook(document.documentElement, view.theme.get(), now);
    sizing.set(now.text);
    setReader({ locale: now.locale ?? undefined, hours: now.hours });
    writing.set(`${now.locale ?? ''} ${now.hours}`);
  };
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    // Another window chose; what can't be read is no choice.
    const chosen = key === KEPT && newValue !== null ? readLook(newValue) : null;
    if (chosen !== null && !chosen.wrong.includes('all')) cell.set(chosen.look);
    const theme = key === 'frontrow.theme' ? THEMES.find((name) => name === newValue) : undefined;
    if (theme !== undefined) view.theme.set(theme);
  };
  window.addEventListener('storage', onStorage);
  const unregister = commands.register(lookCommands({ look, settings, theme: view.theme }));
  const stops = [cell.subscribe(apply), view.theme.subscribe(apply), onSystemContrast(apply)];
  apply();
  return {
    look, settings, writing,
    close() {
      for (const stop of stops) stop();
      unregister();
      window.removeEventListener('storage', onStorage);
      applyLook(document.documentElement, 'system', DEFAULT_LOOK);
      sizing.close();
      setReader({ locale: undefined, hours: '24' });
    },
  };
}
