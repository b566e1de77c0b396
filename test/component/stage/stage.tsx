/** The page on a directed host, to look at: `?n=20&scene=trouble&theme=dark&panel=health&clock=wall`. Served by `node test/component/stage/look.ts`. */
import '../../../renderer/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { Page } from '../../../renderer/shell/Page.tsx';
import { openPage } from '../../../renderer/shell/openPage.ts';
import { createFakeMarket, SCENES } from '../fakeMarket.ts';

const query = new URLSearchParams(window.location.search);
const market = createFakeMarket({ indices: Number(query.get('n') ?? 20), clock: (query.get('clock') ?? 'replay') as 'replay' });
const handles = openPage(market, { getItem: (key) => query.get(key.replace('frontrow.', '')), setItem: () => {} });
createRoot(document.getElementById('root')!).render(<Page handles={handles} />);

const scene = (query.get('scene') ?? 'calm') as keyof typeof SCENES | 'frozen' | 'empty';
setTimeout(() => {
  if (scene !== 'frozen' && scene !== 'empty') SCENES[scene](market);
  let steps = 0;
  setInterval(() => {
    steps += 1;
    if (scene === 'frozen' && steps > 6) market.silence(true);
    market.advance(250_000n * 10n);
    if (steps % 4 === 0) market.beat();
    if (scene !== 'disconnected') market.step();
  }, 250);
}, 300);
if (query.get('drawer')) setTimeout(() => handles.view.drawer.set(true), 600);
if (query.get('help')) setTimeout(() => handles.view.help.set(true), 600);
