/** `npm test`: every test that this machine can run, what it could not run and why, and one closing line. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'frontrow-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const notRun = new Map<string, number>();

const run = (script: string, args: readonly string[]): boolean =>
  spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

/** As `run`, beside others: what it says comes in one piece at its end. */
function runBeside(name: string, script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      check(name, code === 0);
      resolve();
    });
  });
}

function check(name: string, passed: boolean): void {
  process.stdout.write(`${passed ? 'ok' : 'FAILED'}: ${name}\n`);
  if (passed) total.passed++;
  else total.failed++;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly { readonly status: string; readonly name: string; readonly assertionResults: readonly { readonly status: string; readonly ancestorTitles: readonly string[]; readonly title: string }[] }[];
}

/** Runs vitest projects and adds their counts; a file that never got to its tests counts as a failure. */
function vitest(projects: readonly string[]): void {
  const file = join(scratch, `${projects.join('-')}.json`);
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const passed = run('node_modules/vitest/vitest.mjs', args);
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    check(`vitest ${projects.join(' ')}: it ended without a report`, false);
    return;
  }
  const broken = report.testResults.filter((result) => result.status === 'failed' && result.assertionResults.every((test) => test.status !== 'failed'));
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + broken.length;
  // an error outside any test (an unhandled rejection) fails the run without a failed test
  if (!passed && report.numFailedTests + broken.length === 0) check(`vitest ${projects.join(' ')}: an error outside the tests`, false);
  for (const { assertionResults } of report.testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed' || test.status === 'failed') continue;
      total.skipped++;
      const why = [...test.ancestorTitles, test.title].find((title) => title.includes('skipped')) ?? [...test.ancestorTitles, test.title].join(' > ');
      notRun.set(why, (notRun.get(why) ?? 0) + 1);
    }
  }
}

const wanted = process.argv.slice(2);
const wants = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

await Promise.all([
  ...(wants('lint') ? [
    runBeside('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--quiet']),
    runBeside('unused files, exports and dependencies', 'node_modules/knip/bin/knip.js', ['--no-progress']),
  ] : []),
  ...(wants('types') ? [runBeside('types', 'node_modules/typescript/bin/tsc', [])] : []),
]);
for (const projects of [['unit', 'types'], ['integration']].filter((names) => names.some(wants))) vitest(projects);
if (wants('component') || wants('e2e')) {
  const browser = await findBrowser();
  for (const project of ['component', 'e2e'].filter(wants)) {
    if (browser === true) vitest([project]);
    else {
      total.skipped++;
      notRun.set(`${project} tests: ${browser}`, 1);
    }
  }
}
rmSync(scratch, { recursive: true, force: true });
if (notRun.size > 0) process.stdout.write(`\nNot run here:\n${[...notRun].map(([why, count]) => `  ${why}${count > 1 ? ` (${count} tests)` : ''}\n`).join('')}`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
