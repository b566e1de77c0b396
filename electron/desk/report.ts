/** A defect of our own on its way to the log: what the page or the user is told stays short, the stack goes here. */
export function reportDefect(where: string, error: unknown): void {
  process.stderr.write(`frontrow: INTERNAL: ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
