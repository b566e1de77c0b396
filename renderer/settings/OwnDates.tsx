/** The user's own trading dates: what there is, one more, one less. The host keeps them; every window of the desk follows at once. */
import { type SubmitEvent, useId, useRef, useState } from 'react';
import type { OwnDate } from '../../shared/calendar/ownDate.ts';
import { OWN_LIMITS } from '../../shared/calendar/ownDate.ts';
import type { Requests } from '../../shared/channels.ts';
import { cityOf } from '../state/places.ts';
import { showDate } from '../state/shown.ts';
import { useCell, usePage } from '../store/hooks.ts';
import { exchangeMeant, hoursWords, readTyped, type TypedDate } from './ownDateForm.ts';

const EMPTY: TypedDate = { exchange: '', date: '', closed: true, hours: '', note: '' };
/** Rows shown; a list of years is read in its file. */
const MOST_ROWS = 200;

interface Told {
  readonly text: string;
  /** The field that it is about; null: none, all is well. */
  readonly field: string | null;
}
const NOTHING: Told = { text: '', field: null };

const wordsOf = ({ mic, date, windows }: OwnDate): string => `${mic}, ${showDate(date, true)}: ${hoursWords(windows)}`;

export function OwnDates() {
  const { desk, notices, selected } = usePage();
  const calendar = useCell(desk.calendar);
  const indices = useCell(desk.indices) ?? [];
  const [typed, setTyped] = useState<TypedDate>(() => ({ ...EMPTY, exchange: desk.info.get(selected.get() ?? '')?.mic ?? '' }));
  const [told, setTold] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const [known, choice, heading] = [useId(), useId(), useId()];
  if (calendar === null) return null;
  const { dates, problems, exchanges, kept } = calendar;
  const meant = exchangeMeant(typed.exchange, exchanges, indices);
  const zoneOf = (mic: string): string => exchanges.find((exchange) => exchange.mic === mic)?.zone ?? 'UTC';

  async function ask(request: Requests['correct']['request'], done: string): Promise<boolean> {
    setBusy(true);
    const answer = await desk.request('correct', request);
    setBusy(false);
    setTold(answer.ok ? { text: done, field: null } : { text: `${answer.error.what}; ${answer.error.next}`, field: 'all' });
    return answer.ok;
  }
  async function keep(own: OwnDate): Promise<void> {
    const { mic, date, windows, note } = own;
    if (await ask({ mic, date, to: { windows, note } }, `Kept: ${wordsOf(own)}.`)) setTyped({ ...EMPTY, exchange: typed.exchange });
  }
  async function remove({ mic, date, windows, note }: OwnDate): Promise<void> {
    const when = `${mic}, ${showDate(date, true)}`;
    if (!(await ask({ mic, date, to: null }, `Removed: ${when} is as the calendar has it.`))) return;
    first.current?.focus(); // its button is gone
    notices.tell(`Your date of ${when}, is removed.`, { action: { title: 'Undo', run: () => void desk.request('correct', { mic, date, to: { windows, note } }) } });
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy) return;
    const read = readTyped(typed, exchanges, indices);
    if ('wrong' in read) {
      setTold({ text: read.wrong, field: read.field });
      return;
    }
    void keep(read.own);
  };
  const field = (name: keyof TypedDate) => ({
    value: String(typed[name]), autoComplete: 'off', spellCheck: false, 'aria-invalid': told.field === name, onChange: (event: { readonly target: { readonly value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <section className="own-dates" aria-labelledby={heading}>
      <h3 id={heading}>Trading dates of your own</h3>
      <p className="setting-sample">Closed days, half days and changed hours that the calendar does not have, or has otherwise. They count for states, changes, charts and the ribbon of this desk{kept ? '' : '; this host forgets them when it ends'}.</p>
      {problems.length === 0 ? null : <ul className="own-problems" aria-label="Lines that could not be read">{problems.map((problem) => <li key={problem}>{problem}</li>)}</ul>}
      <form className="setting-line" onSubmit={onSubmit}>
        <label>Exchange or index <input ref={first} type="text" list={known} maxLength={24} placeholder="XNYS" {...field('exchange')} /></label>
        <datalist id={known}>
          {exchanges.map(({ mic, zone }) => <option key={mic} value={mic}>{cityOf(mic, zone)}</option>)}
          {indices.slice(0, 500).map(({ id, mic, name }) => (mic === null ? null : <option key={id} value={id}>{name}</option>))}
        </datalist>
        <label>Date <input type="date" min={OWN_LIMITS.first} max={OWN_LIMITS.last} {...field('date')} /></label>
        <span className="own-choice" role="radiogroup" aria-label="What it is">
          <label><input type="radio" name={choice} checked={typed.closed} onChange={() => setTyped({ ...typed, closed: true })} /> closed</label>
          <label><input type="radio" name={choice} checked={!typed.closed} onChange={() => setTyped({ ...typed, closed: false })} /> open</label>
        </span>
        {typed.closed ? null : <label>Hours{meant ? `, ${cityOf(meant.mic, meant.zone)} time` : ''} <input type="text" className="own-hours" maxLength={100} placeholder="09:30-13:00" {...field('hours')} /></label>}
        <label>Note <input type="text" className="own-note" maxLength={OWN_LIMITS.note} {...field('note')} /></label>
        <button type="submit" className="tab" disabled={busy}>Keep this date</button>
      </form>
      <output className="setting-sample own-told">{told.field === null ? told.text : <span className="note bad">{told.text}</span>}</output>
      {dates.length === 0 ? null : (
        <table className="own-table">
          <caption>{dates.length === 1 ? 'Your date' : `Your ${dates.length} dates`}{dates.length > MOST_ROWS ? `, the latest ${MOST_ROWS}` : ''}</caption>
          <thead><tr><th scope="col">Exchange</th><th scope="col">Date</th><th scope="col">By its own clock</th><th scope="col">Note</th><th scope="col"><span className="sr">Remove</span></th></tr></thead>
          <tbody>
            {dates.toSorted((a, b) => (a.date > b.date ? -1 : a.date < b.date ? 1 : a.mic < b.mic ? -1 : 1)).slice(0, MOST_ROWS).map((own) => (
              <tr key={`${own.mic} ${own.date}`}>
                <th scope="row">{own.mic} <span>{cityOf(own.mic, zoneOf(own.mic))}</span></th>
                <td>{showDate(own.date, true)}</td>
                <td>{hoursWords(own.windows)}</td>
                <td>{own.note}</td>
                <td><button type="button" className="tab" aria-label={`Remove ${wordsOf(own)}`} disabled={busy} onClick={() => void remove(own)}>Remove</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
