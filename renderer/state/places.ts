/** Cities that exchanges are known by. */
const CITIES: Readonly<Record<string, string>> = {
  XNYS: 'New York', XNAS: 'New York', XCBO: 'Chicago', XTSE: 'Toronto', BVMF: 'São Paulo', XMEX: 'Mexico City', XLON: 'London', XETR: 'Frankfurt',
  XEUR: 'Frankfurt', XFRA: 'Frankfurt', XPAR: 'Paris', XSWX: 'Zurich', XAMS: 'Amsterdam', XMAD: 'Madrid', XMIL: 'Milan', XSTO: 'Stockholm', XTKS: 'Tokyo',
  XHKG: 'Hong Kong', XSHG: 'Shanghai', XKRX: 'Seoul', XNSE: 'Mumbai', XBOM: 'Mumbai', XASX: 'Sydney',
};

/** City of an exchange, else of its zone (`America/New_York` -> New York). */
export const cityOf = (mic: string | null, zone: string): string => (mic === null ? undefined : CITIES[mic]) ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
