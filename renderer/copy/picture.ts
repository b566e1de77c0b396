/** An element as it stands on the page, as a PNG: written with its computed styles into an SVG, drawn to a canvas. Nothing is fetched. */

/** What of a style can be seen in a picture; all else follows from these. */
const SEEN = [
  'position', 'top', 'right', 'bottom', 'left', 'display', 'visibility', 'box-sizing', 'width', 'height', 'margin', 'padding', 'border', 'border-radius', 'background-color', 'box-shadow', 'opacity', 'overflow', 'transform',
  'transform-origin', 'color', 'font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'font-variant-numeric', 'letter-spacing', 'text-decoration', 'text-align', 'text-anchor', 'dominant-baseline', 'white-space', 'flex', 'flex-wrap', 'justify-content', 'align-items',
  'gap', 'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap', 'stroke-opacity', 'paint-order', 'clip-path', 'shape-rendering', 'vector-effect', 'max-width',
] as const;

/** Heights of the lines above and below the picture. */
const [HEAD, FOOT, MARGIN] = [34, 24, 12] as const;
const DEADLINE_MS = 10_000;

export interface PictureWords {
  readonly title: string;
  /** State, time and source: a picture travels without the page that says how old it is. */
  readonly foot: string;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const KEPT_ATTRIBUTE = /^(?!class$|style$|on|aria-|data-|role$|tabindex$|href$|xlink)[a-zA-Z][\w-]*$/;

/** As XML text, never as nodes: a style attribute set within this page is what its policy forbids. */
function written(element: Element, leaveOut: string, parentSpace: string | null): string {
  const style = getComputedStyle(element);
  if (element.matches(leaveOut) || style.display === 'none' || style.visibility === 'hidden') return '';
  const space = element.namespaceURI === parentSpace ? '' : ` xmlns="${element.namespaceURI ?? ''}"`;
  const attributes = [...element.attributes].filter(({ name }) => KEPT_ATTRIBUTE.test(name) && name !== 'xmlns').map(({ name, value }) => ` ${name}="${escaped(value)}"`).join('');
  const look = SEEN.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
  const inside = [...element.childNodes].map((child) => (child instanceof Element ? written(child, leaveOut, element.namespaceURI) : child.nodeType === Node.TEXT_NODE ? escaped(child.textContent ?? '') : '')).join('');
  return `<${element.localName}${space}${attributes} style="${escaped(look)}">${inside}</${element.localName}>`;
}

const svgOf = (element: Element, leaveOut: string, width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><foreignObject x="0" y="0" width="${width}" height="${height}">${written(element, leaveOut, 'http://www.w3.org/2000/svg')}</foreignObject></svg>`;

async function imageOf(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it took longer than 10 s')), DEADLINE_MS);
  });
  try {
    await Promise.race([image.decode(), late]);
  } finally {
    clearTimeout(timer);
  }
  return image;
}

/** Twice the size on screen at least, so that it reads well in a document. Rejects where the browser can't. */
export async function pictureOf(element: HTMLElement, { title, foot }: PictureWords, leaveOut: string): Promise<Blob> {
  const { clientWidth: width, clientHeight: height } = element;
  const root = getComputedStyle(document.documentElement);
  const body = getComputedStyle(document.body);
  const image = await imageOf(svgOf(element, leaveOut, width, height));
  const scale = Math.max(2, globalThis.devicePixelRatio);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round((width + 2 * MARGIN) * scale);
  canvas.height = Math.round((height + HEAD + FOOT) * scale);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.scale(scale, scale);
  context.fillStyle = body.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const font = root.getPropertyValue('--font') || 'sans-serif';
  context.fillStyle = body.color;
  context.font = `600 15px ${font}`;
  context.fillText(title, MARGIN, 23, width);
  context.font = `12px ${font}`;
  context.fillText(foot, MARGIN, HEAD + height + 16, width);
  context.drawImage(image, MARGIN, HEAD, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png');
  });
}
