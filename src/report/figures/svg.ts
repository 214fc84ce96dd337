/** What is used of the document that the charts library writes to. */
export interface SvgNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<SvgNode>;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
}

const ELEMENT = 1;
const TEXT = 3;

/** The elements of charts; anything else is left out. */
const ELEMENTS = new Set(['svg', 'g', 'path', 'rect', 'circle', 'line', 'text', 'tspan', 'title']);

/** Attributes that would be styles, references or scripts; and names of groups, since the chart as a whole has one. */
const REFUSED = /^(?:style|class|href|xlink:href|on.*|xmlns.*|aria-.*)$/u;

/**
 * Writes a chart as SVG that is valid XML: no style, no class, no reference, no script, so that it stands alone in a file
 * and under a strict content-security policy in a page.
 *
 * @param attributes What the outermost element has in place of its own attributes of these names.
 */
export function serializeSvg(svg: SvgNode, attributes: Readonly<Record<string, string>>): string {
  return element(svg, attributes);
}

function element(node: SvgNode, replaced: Readonly<Record<string, string>> | undefined): string {
  if (node.nodeType === TEXT) return escapeXml(node.textContent ?? '');
  const name = node.nodeName.toLowerCase();
  if (node.nodeType !== ELEMENT || !ELEMENTS.has(name)) return '';
  const attributes = new Map<string, string>();
  for (const { name: attribute, value } of node.attributes ?? []) {
    if (!REFUSED.test(attribute)) attributes.set(attribute, shorten(value));
  }
  if (replaced !== undefined) {
    attributes.set('xmlns', 'http://www.w3.org/2000/svg');
    for (const [attribute, value] of Object.entries(replaced)) attributes.set(attribute, value);
    if (!attributes.has('font-family')) attributes.set('font-family', "'Helvetica Neue', Helvetica, Arial, sans-serif");
  }
  const head = [...attributes].map(([attribute, value]) => ` ${attribute}="${escapeXml(value)}"`).join('');
  const children = [...node.childNodes].map((child) => element(child, undefined)).join('');
  return children === '' ? `<${name}${head}/>` : `<${name}${head}>${children}</${name}>`;
}

/** Places to a hundredth of a pixel: charts of thousands of marks are half as long. */
function shorten(value: string): string {
  return value.replaceAll(/-?\d+\.\d{3,}/gu, (number) => String(Math.round(Number(number) * 100) / 100));
}

/** A text as XML has it; characters that XML has no way to write are left out. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
