/** Named workspaces: save, open, rename, delete; import and export. */
import './workspaces.css';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCell, usePage } from '../store/hooks.ts';

function NameForm({ label, button, initial, onName, onLeave }: { readonly label: string; readonly button: string; readonly initial: string; readonly onName: (name: string) => string | null; readonly onLeave?: () => void }) {
  const [name, setName] = useState(initial);
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const said = onName(name);
    setWrong(said);
    if (said === null) setName('');
  };
  return (
    <form className="workspace-form" onSubmit={submit}>
      <input
        type="text" aria-label={label} placeholder={label} maxLength={60} autoComplete="off" spellCheck={false} value={name} onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !onLeave) return;
          event.preventDefault();
          event.stopPropagation();
          onLeave();
        }}
      />
      <button type="submit" className="tab">{button}</button>
      {wrong === null ? null : <output className="note bad">{wrong}</output>}
    </form>
  );
}

function Row({ name, current, onOpen }: { readonly name: string; readonly current: boolean; readonly onOpen: () => void }) {
  const { workspaces } = usePage();
  const [renaming, setRenaming] = useState(false);
  return (
    <li data-current={current || undefined}>
      {renaming ? (
        <NameForm
          label={`New name of ${name}`} button="Rename" initial={name} onLeave={() => setRenaming(false)}
          onName={(to) => {
            const wrong = workspaces.rename(name, to);
            if (wrong === null) setRenaming(false);
            return wrong;
          }}
        />
      ) : (
        <>
          <button type="button" className="workspace-name" aria-current={current || undefined} onClick={onOpen}>{name}{current ? <span className="dim"> at work</span> : null}</button>
          <button type="button" className="tab" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>Rename</button>
          <button type="button" className="tab" aria-label={`Delete ${name}`} onClick={() => workspaces.remove(name)}>Delete</button>
        </>
      )}
    </li>
  );
}

function Content() {
  const { workspace, workspaces, workspaceDialog: dialog } = usePage();
  const named = useCell(workspace.named);
  const current = useCell(workspace.name);
  const file = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean } | null>(null);
  const take = async (chosen: File): Promise<void> => {
    const wrong = await workspaces.import(chosen);
    setSaid(wrong === null ? { text: `Imported from ${chosen.name}`, bad: false } : { text: `Not imported: ${wrong}`, bad: true });
  };
  return (
    <>
      <div className="help-head"><h2 id="workspaces-title">Workspaces</h2><button type="button" className="icon-button" aria-label="Close the workspaces" onClick={() => dialog.set(false)}>✕</button></div>
      <NameForm label="Save what is on screen as" button="Save" initial={current ?? ''} onName={(name) => workspaces.saveAs(name)} />
      {named.length === 0 ? <p className="dim workspace-none">None is saved yet. What is on screen comes back by itself; a name keeps it beside others.</p> : (
        <ul className="workspace-list" aria-label="Saved workspaces">
          {named.map(({ name }) => <Row key={name} name={name} current={name === current} onOpen={() => { workspaces.open(name); dialog.set(false); }} />)}
        </ul>
      )}
      <div className="workspace-files">
        <button type="button" className="tab" onClick={() => file.current?.click()}>Import a file</button>
        <input
          ref={file} type="file" accept="application/json,.json" hidden aria-label="File of workspaces"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            event.target.value = '';
            if (chosen) void take(chosen);
          }}
        />
        <button type="button" className="tab" disabled={named.length === 0} onClick={workspaces.export}>Export all as a file</button>
        <button type="button" className="tab" onClick={() => { workspaces.reset(); dialog.set(false); }}>Back to the plain desk</button>
      </div>
      {said === null ? null : <output className={said.bad ? 'note bad' : 'note'}>{said.text}</output>}
    </>
  );
}

export function WorkspaceDialog() {
  const { workspaceDialog } = usePage();
  const open = useCell(workspaceDialog);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return <dialog ref={dialog} className="help workspaces" aria-labelledby="workspaces-title" onClose={() => workspaceDialog.set(false)}>{open ? <Content /> : null}</dialog>;
}

export function WorkspaceButton() {
  const { workspace, workspaceDialog } = usePage();
  const name = useCell(workspace.name);
  return (
    <button type="button" className="icon-button workspace-button" aria-label={name === null ? 'Workspaces' : `Workspaces: ${name}`} title={`Workspaces${name === null ? '' : `: ${name}`} (Ctrl O); split the desk with Ctrl Enter`} onClick={() => workspaceDialog.set(true)}>
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false" className="pane-sign"><path d="M1.5 2.5h11v9h-11zM8 2.5v9M8 7h4.5" /></svg>
    </button>
  );
}
