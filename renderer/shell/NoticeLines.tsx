import { useCell, usePage } from '../store/hooks.ts';

/** Below the banner, one line each, with what can be done about it. */
export function NoticeLines() {
  const { notices } = usePage();
  return useCell(notices.list).map(({ id, text, tone, action }) => (
    <div key={id} className="notice" data-tone={tone === 'bad' ? 'bad' : undefined} role="status">
      <span>{text}</span>
      {action === null ? null : <button type="button" className="notice-action" onClick={() => { notices.dismiss(id); action.run(); }}>{action.title}</button>}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => notices.dismiss(id)}>✕</button>
    </div>
  ));
}
