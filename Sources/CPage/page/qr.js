// A QR code as a drawing: always dark on white, with four modules of quiet around it.
import { api } from './parts.js';

const NS = 'http://www.w3.org/2000/svg';
/** An element of SVG. */
export function s(tag, props, ...children) {
  const el = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

/** - `label`: what it says, for who cannot see it. */
export async function qr(text, label) {
  const { size, rows } = await api.post('qr', { text });
  let d = '';
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) d += `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`;
  });
  const side = size + 8;
  return s('svg', { class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    s('rect', { width: side, height: side, fill: '#fff' }), s('path', { d, fill: '#000' }));
}
