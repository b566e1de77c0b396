/** How a command ends: one line on stderr and an exit code. */
import type { Problem, ProblemCode } from '../../shared/result.ts';
import { assertNever } from '../../shared/result.ts';

/** 0 done; 1 failed; 2 wrong usage or bad input; 3 asked-for data does not exist; 4 store unreachable or access denied. */
export function exitCode(code: ProblemCode): 1 | 2 | 3 | 4 {
  switch (code) {
    case 'BAD_INPUT':
      return 2;
    case 'NOT_FOUND':
    case 'TABLE_MISSING':
    case 'FAMILY_MISSING':
      return 3;
    case 'STORE_UNREACHABLE':
    case 'STORE_TIMEOUT':
    case 'STORE_BUSY':
    case 'CREDENTIALS_MISSING':
    case 'CREDENTIALS_REFUSED':
    case 'CREDENTIALS_EXPIRED':
      return 4;
    case 'CANCELLED':
    case 'BAD_DATA':
    case 'PORT_IN_USE':
    case 'DATA_FOLDER_LOCKED':
    case 'DATA_FOLDER_CORRUPT':
    case 'INTERNAL':
      return 1;
    default:
      return assertNever(code);
  }
}

// Control characters from a file or a table must not reach a terminal.
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ');

/** The one line of an error: `frontrow: CODE: what happened; what to do`. */
export const errorLine = (problem: Problem): string => `frontrow: ${problem.code}: ${printable(problem.what)}; ${printable(problem.next)}\n`;
