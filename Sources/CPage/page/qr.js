// A QR code as a drawing: always dark on white, with four modules of quiet around it.
import { api, fill, h, svg } from './parts.js';

export async function qr(text, label) {
  const { size, rows } = await api.post('qr', { text });
  const runs = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: { length } }) =>
    `M${index + 4} ${y + 4}h${length}v1h-${length}z`));
  const side = size + 8;
  return svg('svg', {
    class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges',
  }, svg('rect', { width: side, height: side, fill: '#fff' }), svg('path', { d: runs.join(''), fill: '#000' }));
}

/** It comes when it is drawn. */
export function picture(...of) {
  const el = h('div');
  qr(...of).then((svg) => fill(el, svg), (error) => fill(el, h('p.trouble', error.message)));
  return el;
}
