import { useCell, usePage } from '../store/hooks.ts';
import { useDark } from './useDark.ts';

/** Light or dark; what the system wants anyway is kept as `system`. */
export function ThemeToggle() {
  const { view } = usePage();
  const theme = useCell(view.theme);
  const dark = useDark();
  const next = dark ? 'light' : 'dark';
  return (
    <button
      type="button" className="icon-button theme-button" aria-label={`Use ${next} colours`} title={`Use ${next} colours${theme === 'system' ? ' (now by the system)' : '; Shift for the system\'s'}`}
      onClick={(event) => view.theme.set(event.shiftKey ? 'system' : next)}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="6" className="line" /><path d="M8 2a6 6 0 0 1 0 12Z" className="solid" /></svg>
    </button>
  );
}
