// Places as a drawing: no map, but where they are to each other.
import { distance, svg, t } from '../parts.js';

const METRES = 111_320; // Of a degree of latitude.
const pen = document.createElement('canvas').getContext('2d');

/** `points` have north, east and title; a member's also a colour. North is up; `go(id)` where one is chosen. */
export function plot(points, width, go) {
  const height = Math.round(Math.min(width * 0.62, 420));
  // Both sides of the date line are close to each other; so narrow a map needs no better projection.
  const middle = points[0];
  const scale = Math.cos(middle.north * Math.PI / 180);
  const flat = points.map((point) => ({
    ...point, x: ((point.east - middle.east + 540) % 360 - 180) * METRES * scale,
    y: (middle.north - point.north) * METRES,
  }));
  const side = (key) => [Math.min(...flat.map((p) => p[key])), Math.max(...flat.map((p) => p[key]))];
  const [[left, right], [top, bottom]] = [side('x'), side('y')];
  const zoom = Math.min((width - 96) / Math.max(right - left, 100), (height - 72) / Math.max(bottom - top, 60));
  for (const point of flat) {
    point.x = width / 2 + (point.x - (left + right) / 2) * zoom;
    point.y = height / 2 - 8 + (point.y - (top + bottom) / 2) * zoom;
  }
  const taken = flat.map(({ x, y }) => [x - 6, y - 6, 12, 12]);
  const isFree = ([x, y, w, h], own) => x > 2 && y > 2 && x + w < width - 2 && y + h < height - 22
    && taken.every(([a, b, c, d], i) => i === own || x > a + c || a > x + w || y > b + d || b > y + h);
  pen.font = '13px system-ui, sans-serif';
  const drawn = flat.map(({ x, y, title, color, id }, i) => {
    const dot = color === undefined ? svg('circle', { cx: x, cy: y, r: 6, class: 'dot' }, svg('title', {}, title))
      : svg('rect', { x: x - 5, y: y - 5, width: 10, height: 10, class: `c${color}` }, svg('title', {}, title));
    if (id) dot.addEventListener('click', () => go(id));
    const text = [...title].length > 24 ? `${[...title].slice(0, 23).join('')}…` : title;
    const w = pen.measureText(text).width;
    const box = [[x + 10, y - 9], [x - 10 - w, y - 9], [x - w / 2, y - 25], [x - w / 2, y + 9]]
      .map((at) => [...at, w, 17]).find((at) => isFree(at, i));
    if (box) taken.push(box);
    return [dot, box && svg('text', { x: box[0], y: box[1] + 13 }, text)];
  });
  const most = width / 4 / zoom;
  const unit = 10 ** Math.floor(Math.log10(most));
  const bar = [5, 2, 1].find((n) => n * unit <= most) * unit;
  return svg('svg', {
    viewBox: `0 0 ${width} ${height}`, class: 'plot', role: 'img', 'aria-label': t('nPlot', { n: points.length }),
  }, drawn, svg('path', { d: `M16 ${height - 14}v6h${bar * zoom}v-6`, class: 'bar' }),
  svg('text', { x: 22, y: height - 12 }, distance(bar)));
}
