/** The config file `frontrow.json`: strict, so that a misspelt key is an error and not a setting that does nothing. */
import { z } from 'zod';
import { isIndexId } from '../../shared/rowKey.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';

const name = z.string().min(1).max(256);

const ConfigFile = z.strictObject({
  project: name.optional(),
  instance: name.optional(),
  table: name.optional(),
  appProfile: name.optional(),
  emulator: name.optional(),
  /** Layout file of a table that others designed; relative to this file. */
  layout: z.string().min(1).max(4096).optional(),
  /** Indices to show, in this order; all of the table's when absent. */
  indices: z.array(z.string().refine(isIndexId, 'an index id is 1 to 24 of A-Z 0-9 ^ . _ -')).min(1).max(2000).optional(),
  poll: z.strictObject({
    strategy: z.enum(['scan', 'delta', 'auto']).optional(),
    intervalMs: z.int().min(100).max(60_000).optional(),
  }).optional(),
  retentionDays: z.int().min(1).max(36_500).optional(),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

const MAX_BYTES = 1_000_000;

/** Parses the text of a config file; the Problem names the file, the key and what it should be. */
export function parseConfigFile(path: string, text: string): Result<ConfigFile, Problem> {
  const bad = (what: string): Result<never, Problem> => failed(problem('BAD_INPUT', `config file ${path}: ${what}`, 'correct the file or name another with --config'));
  if (text.length > MAX_BYTES) return bad('larger than 1 MB');
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return bad(`not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const parsed = ConfigFile.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return bad(`${issue?.path.length ? `${issue.path.join('.')}: ` : ''}${issue?.message ?? 'not understood'}`);
}
