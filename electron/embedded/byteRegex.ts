export function compileByteRegex(pattern: Uint8Array): (bytes: Uint8Array) => boolean {
  const matcher = new RegExp(`^(?:${Buffer.from(pattern).toString('latin1')})$`);
  return (bytes) => matcher.test(Buffer.from(bytes).toString('latin1'));
}
