/** gRPC and authentication errors to Problems: what happened at which store, what to do, whether trying again can help. */
import { type Problem, problem } from '../../shared/result.ts';
import type { StoreAddress } from './reader.ts';

/** What grpc-js, google-gax and the official client throw or emit: an Error with a numeric `code` and the server's own `details`. */
interface CallFailure {
  readonly code: number | null;
  readonly text: string;
}

/** https://grpc.io/docs/guides/status-codes: importing grpc-js for these numbers would load it before the window shows. */
const STATUS = {
  cancelled: 1, invalidArgument: 3, deadlineExceeded: 4, notFound: 5, permissionDenied: 7, resourceExhausted: 8, failedPrecondition: 9,
  aborted: 10, outOfRange: 11, unimplemented: 12, internal: 13, unavailable: 14, dataLoss: 15, unauthenticated: 16,
} as const;

const TOKEN_FAILED = 'Getting metadata from plugin failed with error: ';
const UNKNOWN_FAMILY = /(unknown|no such|missing|not found).{0,20}famil|famil.{0,60}(unknown|not found|not exist|missing)/i;
const NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|socket hang up|network timeout|name resolution|fetch failed/i;
const MISSING_CREDENTIALS = /could not load the default credentials|unable to detect a project|no such file or directory.*credentials|does not exist, or it is not a file/i;
/** The auth library of a key file that was named. */
const NO_FILE = /no such file or directory|does not exist, or it is not a file/i;
/** What the sign-in service answers, https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
const GRANT_REFUSED = /invalid_grant|invalid_rapt|invalid_client|unauthorized_client|access_denied/;
const EXPIRED_CREDENTIALS = /invalid_grant|invalid_rapt|reauth|expired|revoked/i;
// Credential helpers of the auth library put these words before the cause.
const FROM_CREDENTIALS = /google-?auth|oauth2?\b|access token|refresh token|credentials|service account|workload identity/i;

/** Any failure of a call to `address` as a Problem. Never throws. */
export function problemOf(error: unknown, address: StoreAddress): Problem {
  const { code, text } = failureOf(error);
  // grpc-js passes a failed token request on as whatever code the error had.
  if (text.startsWith(TOKEN_FAILED)) return unauthenticated(text.slice(TOKEN_FAILED.length), address);
  // Servers disagree about the status: the service says NOT_FOUND, the emulator INTERNAL.
  if (code !== null && UNKNOWN_FAMILY.test(text)) return familyMissing(text, address);
  switch (code) {
    case STATUS.cancelled: return problem('CANCELLED', 'the read was cancelled', 'ask again if the answer is still wanted', true);
    case STATUS.deadlineExceeded: return timeout(address, null);
    case STATUS.notFound: return missing(text, address);
    case STATUS.permissionDenied: return denied(text, address);
    case STATUS.unauthenticated: return unauthenticated(text, address);
    case STATUS.resourceExhausted: return problem('STORE_BUSY', `${storeName(address)} refused for load or quota${said(text)}`, 'wait; if it stays, poll less often, add nodes or raise the quota', true);
    case STATUS.aborted: return problem('STORE_BUSY', `${storeName(address)} aborted the call${said(text)}`, 'try again', true);
    case STATUS.unavailable: return unreachable(text, address);
    case STATUS.unimplemented: return problem('BAD_INPUT', `what listens at ${whereOf(address)} does not serve this part of Bigtable${said(text)}`, 'check host and port of the store');
    case STATUS.invalidArgument:
    case STATUS.failedPrecondition: return problem('INTERNAL', `${storeName(address)} refused the request${said(text)}`, 'report this with the text above');
    case STATUS.outOfRange:
    case STATUS.dataLoss: return problem('BAD_DATA', `${storeName(address)} reports damaged or out-of-range data${said(text)}`, 'check the table with the cbt tool');
    // A connection that dies in the middle of a call arrives as INTERNAL with the HTTP/2 reason.
    case STATUS.internal: return /rst.?stream|goaway|connection|socket/i.test(text) ? unreachable(text, address) : problem('INTERNAL', `${storeName(address)} failed inside${said(text)}`, 'try again; if it stays, report it with the text above', true);
    case null: return withoutStatus(text, address);
    default: return problem('INTERNAL', `${storeName(address)} answered with status ${code}${said(text)}`, 'try again; if it stays, report it with the text above', true);
  }
}

/** The deadline passed. `after`: milliseconds, where known. */
export const timeout = (address: StoreAddress, after: number | null): Problem =>
  problem('STORE_TIMEOUT', `${storeName(address)} gave no answer${after === null ? ' in time' : ` within ${after} ms`}`, address.kind === 'emulator' ? 'check it and the network to it' : `check the store at ${whereOf(address)} and the network to it`, true);

export const badAnswer = (address: StoreAddress, what: string): Problem =>
  problem('BAD_DATA', `${storeName(address)} broke the protocol: ${oneLine(what)}`, 'check that host and port are a Bigtable server', true);

/**
 * True for the rejections that the auth layer leaves unhandled, beside the error that the call itself gets: without credentials the
 * official client's own promise rejects with nobody listening, which ends the process by default.
 */
export const isCredentialsFailure = (error: unknown): boolean => {
  const { text } = failureOf(error);
  return text.startsWith(TOKEN_FAILED) || MISSING_CREDENTIALS.test(text) || GRANT_REFUSED.test(text) || (FROM_CREDENTIALS.test(text) && (EXPIRED_CREDENTIALS.test(text) || NETWORK.test(text)));
};

function missing(text: string, address: StoreAddress): Problem {
  // The resource path always names the instance, so it says nothing about which of them is missing.
  const words = text.replaceAll(/projects\/\S+/g, '');
  if (/app.?profile/i.test(words)) return problem('TABLE_MISSING', `instance ${address.instance} has no app profile ${address.appProfile ?? 'default'}`, 'correct --app-profile, or create the profile');
  if (/\binstance\b/i.test(words) && !/\btable\b/i.test(words)) return problem('TABLE_MISSING', `project ${address.project} has no Bigtable instance ${address.instance}`, 'correct --project or --instance');
  return problem('TABLE_MISSING', `there is no table ${address.table} in instance ${address.instance} of project ${address.project}`, 'correct --table, or create it with `frontrow init`');
}

const familyMissing = (text: string, address: StoreAddress): Problem =>
  problem('FAMILY_MISSING', `table ${address.table} lacks a column family${said(text)}`, 'create the families with `frontrow init`');

function denied(text: string, address: StoreAddress): Problem {
  if (/has not been used|is disabled|SERVICE_DISABLED/i.test(text)) return problem('CREDENTIALS_REFUSED', `the Bigtable API is off in project ${address.project}`, 'enable bigtable.googleapis.com for the project');
  return problem('CREDENTIALS_REFUSED', `these credentials may not use ${storeName(address)}${said(text)}`, 'grant roles/bigtable.reader on the instance or table (roles/bigtable.user to write)');
}

function unauthenticated(text: string, address: StoreAddress): Problem {
  if (NETWORK.test(text)) return problem('STORE_UNREACHABLE', `no access token: the sign-in service can't be reached${said(text)}`, 'check the network and proxy', true);
  if (MISSING_CREDENTIALS.test(text)) return credentialsMissing(text);
  if (EXPIRED_CREDENTIALS.test(text)) return problem('CREDENTIALS_EXPIRED', `the credentials have expired or were revoked${said(text)}`, 'sign in again: gcloud auth application-default login');
  return problem('CREDENTIALS_REFUSED', `${storeName(address)} did not accept the credentials${said(text)}`, 'check GOOGLE_APPLICATION_CREDENTIALS, or sign in again: gcloud auth application-default login');
}

const credentialsMissing = (text: string): Problem =>
  NO_FILE.test(text)
    ? problem('CREDENTIALS_MISSING', 'the file that GOOGLE_APPLICATION_CREDENTIALS names is not there', 'correct the variable, or unset it and run `gcloud auth application-default login`')
    : problem('CREDENTIALS_MISSING', 'no Google credentials were found', 'run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS');

function unreachable(text: string, address: StoreAddress): Problem {
  const local = address.kind !== 'bigtable';
  return problem('STORE_UNREACHABLE', `${storeName(address)} can't be reached${said(text)}`, local ? `start ${address.kind === 'emulator' ? 'it' : `the store at ${whereOf(address)}`}, or correct its address` : 'check the network, proxy and firewall', true);
}

/** Errors before any call: loading credentials, reading key files, resolving the project. */
function withoutStatus(text: string, address: StoreAddress): Problem {
  if (MISSING_CREDENTIALS.test(text)) return credentialsMissing(text);
  if (NETWORK.test(text)) return unreachable(text, address);
  if (FROM_CREDENTIALS.test(text) || GRANT_REFUSED.test(text)) return unauthenticated(text, address);
  if (/already been closed|channel has been shut down/i.test(text)) return problem('CANCELLED', 'the connection was closed', 'connect again', true);
  return problem('INTERNAL', `${storeName(address)}: ${oneLine(text)}`, 'try again; if it stays, report it with the text above', true);
}

function failureOf(error: unknown): CallFailure {
  if (typeof error !== 'object' || error === null) return { code: null, text: String(error) };
  const code = 'code' in error && typeof error.code === 'number' && error.code in CODES ? error.code : null;
  const details = 'details' in error && typeof error.details === 'string' ? error.details : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  const system = 'code' in error && typeof error.code === 'string' ? `${error.code} ` : '';
  return { code, text: system + (details || message) };
}
/** Statuses 1 to 16; HTTP statuses of the auth layer also come as numeric codes and are none. */
const CODES: Readonly<Record<number, true>> = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [index + 1, true]));

/** grpc-js wraps the reason of a failed connection in words of its own. */
const reasonIn = (text: string): string => /Last error: (?:Error: )?(.*?)(?:\. )?(?:Resolution note:.*)?$/.exec(text)?.[1] ?? text;
const said = (text: string): string => (text === '' ? '' : `: ${oneLine(reasonIn(text))}`);
/** Foreign text within our one line: no line breaks or control characters, cut, no final full stop. */
const oneLine = (text: string): string => {
  // eslint-disable-next-line no-control-regex
  const flat = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim().replace(/\.$/, '');
  return flat.length > 200 ? `${flat.slice(0, 199)}…` : flat;
};

const whereOf = (address: StoreAddress): string => address.endpoint ?? 'bigtable.googleapis.com';
/** What `--emulator` names is Google's emulator or a store of ours, and doesn't tell which. */
function storeName(address: StoreAddress): string {
  if (address.kind === 'bigtable') return `Bigtable instance ${address.instance}`;
  return address.kind === 'embedded' ? 'the embedded store' : `the store at ${whereOf(address)}`;
}
