/** The area under a line's path: each of its pieces closed down to the bottom. `path` as linePath.ts writes it. */
export function areaText(path: string, bottom: number): string {
  let text = '';
  for (const piece of path.split('M')) {
    if (piece === '') continue;
    const start = piece.slice(0, piece.indexOf(','));
    const lastStep = piece.slice(piece.lastIndexOf('L') + 1);
    const end = lastStep.slice(0, lastStep.indexOf(','));
    text += `M${start},${bottom}L${piece.replace('h0', '')}L${end},${bottom}Z`;
  }
  return text;
}
