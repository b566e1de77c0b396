/** Which addresses are this machine by themselves. A name that only resolves to one is not trusted. */

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`^127(?:\\.${octet}){3}$`);
const ENDPOINT = /^(\[[0-9a-f:.]+\]|[^:[\]]+):\d{1,5}$/i;

/** `localhost`, 127.0.0.0/8 and ::1, with or without the brackets of IPv6. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return name === 'localhost' || name === '::1' || name === '0:0:0:0:0:0:0:1' || IPV4.test(name);
}

/** The same for HOST:PORT. */
export function isLoopbackEndpoint(endpoint: string): boolean {
  const host = ENDPOINT.exec(endpoint)?.[1];
  return host !== undefined && isLoopbackHost(host);
}
