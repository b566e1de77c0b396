/** Option, then environment, then config file, then default: every setting parsed once, here. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isLoopbackEndpoint } from '../../shared/loopback.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type EpochMicros, parseTime } from '../../shared/time.ts';
import type { StoreAddress } from '../bigtable/reader.ts';
import type { ConfigFile } from './file.ts';
import type { Parsed } from './options.ts';

export interface Settings {
  /** `endpoint` is null for the embedded store until it runs. */
  readonly store: StoreAddress;
  /** User-data folder: config file and the embedded store's rows. */
  readonly dataDir: string;
  readonly configPath: string;
  /** Layout file (docs/layouts.md) of a table that others designed; null: the table has our layout. */
  readonly layoutPath: string | null;
  /** Nothing was configured, by option, environment or file. */
  readonly unconfigured: boolean;
  readonly indices: readonly string[] | null;
  readonly poll: { readonly strategy: 'scan' | 'delta' | 'auto'; readonly intervalMs: number };
  readonly retentionDays: number;
  /** `--now`: where the injected test clock starts. */
  readonly testNow: EpochMicros | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this system keeps a user's application data. */
export function userDataDir(env: Environment, platform: string = process.platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support/Frontrow');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData/Roaming'), 'Frontrow');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'frontrow');
}

const bad = (what: string, next: string): Result<never, Problem> => failed(problem('BAD_INPUT', what, next));
const HOST_PORT = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}$/;

/** The settings of one run; a Problem (BAD_INPUT) names the option, variable or key that is wrong. */
export async function resolveSettings({ values }: Pick<Parsed, 'values'>, env: Environment = process.env): Promise<Result<Settings, Problem>> {
  const option = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const variable = (name: string): string | undefined => env[`FRONTROW_${name.toUpperCase().replaceAll('-', '_')}`] || undefined;
  const given = (name: string): string | undefined => option(name) ?? variable(name);

  const dataGiven = given('data');
  const dataDir = resolve(dataGiven ?? userDataDir(env));
  const named = given('config');
  const configPath = resolve(named ?? join(dataDir, 'frontrow.json'));
  const file = await readConfig(configPath, named !== undefined);
  if (!file.ok) return file;
  const config = file.value;

  // Google's own variable counts, but not against a data folder that the command line names
  const emulator = given('emulator') ?? (option('data') === undefined ? env['BIGTABLE_EMULATOR_HOST'] || undefined : undefined) ?? config?.emulator;
  const instance = given('instance') ?? config?.instance;
  const project = given('project') ?? (env['GOOGLE_CLOUD_PROJECT'] || undefined) ?? config?.project;
  const appProfile = given('app-profile') ?? config?.appProfile ?? null;
  const table = given('table') ?? config?.table ?? 'quotes';
  for (const [what, value] of [['project', project], ['instance', instance], ['table', table], ['app-profile', appProfile]] as const) {
    if (value && !NAME.test(value)) return bad(`${what} ${JSON.stringify(value.slice(0, 60))} is not a name`, 'use letters, digits and _ . - only');
  }
  if (emulator !== undefined) {
    const port = Number(HOST_PORT.exec(emulator)?.[1] ?? -1);
    if (port < 1 || port > 65_535) return bad(`emulator ${JSON.stringify(emulator.slice(0, 60))} is not HOST:PORT`, 'give for example --emulator 127.0.0.1:8086');
    if (!isLoopbackEndpoint(emulator) && instance === undefined) return bad(`the emulator ${emulator} is on another machine and no instance is named`, 'add --instance NAME to choose it on purpose');
  }
  const kind = emulator !== undefined ? 'emulator' : instance !== undefined ? 'bigtable' : 'embedded';
  if (kind === 'bigtable' && project === undefined) return bad('an instance is named but no project', 'add --project ID, or set GOOGLE_CLOUD_PROJECT');

  const layout = given('layout');
  const layoutPath = layout !== undefined ? resolve(layout) : config?.layout !== undefined ? resolve(dirname(configPath), config.layout) : null;
  let testNow: EpochMicros | null = null;
  const now = given('now');
  if (now !== undefined) {
    try {
      testNow = parseTime(now);
    } catch (error) {
      return bad(`--now: ${error instanceof Error ? error.message : 'not a time'}`, 'give ISO 8601 with Z');
    }
  }
  return ok({
    store: { kind, project: project ?? 'frontrow', instance: instance ?? 'frontrow', table, appProfile, endpoint: emulator ?? null },
    dataDir, configPath, layoutPath, testNow,
    unconfigured: kind === 'embedded' && dataGiven === undefined && config === null && testNow === null && given('table') === undefined && layoutPath === null,
    indices: config?.indices ?? null,
    poll: { strategy: config?.poll?.strategy ?? 'auto', intervalMs: config?.poll?.intervalMs ?? 1000 },
    retentionDays: config?.retentionDays ?? 90,
  });
}

async function readConfig(path: string, mustExist: boolean): Promise<Result<ConfigFile | null, Problem>> {
  if (!existsSync(path)) {
    return mustExist ? bad(`config file ${path} does not exist`, 'create it or leave --config out') : ok(null);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return bad(`config file ${path} can't be read (${error instanceof Error ? error.message : 'no reason given'})`, 'make it a readable file');
  }
  const { parseConfigFile } = await import('./file.ts'); // zod is only loaded where there is a file
  return parseConfigFile(path, text);
}
