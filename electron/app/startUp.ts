/** From the words and variables the app was started with to a desk, loaded late. */
import { join, resolve } from 'node:path';
import type { HealthView } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';
import { COMMON_OPTIONS, type OptionSpecs, parseOptions } from '../config/options.ts';
import { type Environment, resolveSettings, userDataDir } from '../config/settings.ts';
import type { Desk } from '../desk/desk.ts';
import { STARTING } from '../desk/lateDesk.ts';
import { ownWords } from './words.ts';

const OPTIONS: OptionSpecs = { ...COMMON_OPTIONS, demo: { type: 'boolean' } };

export interface StartUp {
  /** Reads the settings anew each time: a corrected config file counts without a restart. Loads the store's client. */
  readonly openDesk: () => Promise<Result<Desk>>;
  /** What a page is told until then. */
  readonly health: HealthView;
  /** Folder for Chromium's own files and the window's place: one for each data folder. */
  readonly profile: string;
}

/** `argv` without the executable and the app's folder. */
export function startUp(argv: readonly string[], env: Environment, isPackaged: boolean): StartUp {
  const parsed = parseOptions('start', ownWords(argv, OPTIONS), { demo: { type: 'boolean' } }, { min: 0, max: 0 });
  const values = parsed.ok ? parsed.value.values : {};
  const folder = typeof values['data'] === 'string' ? values['data'] : (env['FRONTROW_DATA'] ?? userDataDir(env));
  return {
    profile: join(resolve(folder), 'window'),
    health: STARTING,
    async openDesk() {
      if (!parsed.ok) return parsed;
      const settings = await resolveSettings({ values }, isPackaged ? withoutEmulator(env) : env);
      if (!settings.ok) return settings;
      const { openDesk } = await import('../desk/openDesk.ts');
      return openDesk(settings.value, { demo: values['demo'] === true });
    },
  };
}

/** A variable that was left behind must not lead a trader's installed app to test prices; the config file's `emulator` is a choice. */
function withoutEmulator(env: Environment): Environment {
  const { BIGTABLE_EMULATOR_HOST: _ignored, ...rest } = env;
  return rest;
}
