// Who shares where it is, north up. The list of people below it says the same in words.
import { apart, distance, svg, t } from './parts.js';

const REACH = 84; // Of the outermost ring.
const scales = [40, 80, 200, 400, 800, 2000, 4000, 8000, 2e4, 4e4, 1e5, 4e5, 2e6];
const letters = (text) => [...new Intl.Segmenter().segment(text.trim())].map(({ segment }) => segment);
const polar = (radius, turn, angle = turn * 2 * Math.PI) =>
  ({ x: radius * Math.sin(angle), y: -radius * Math.cos(angle) });

/** Dots that lie on each other are moved apart, a little. */
function spread(dots) {
  for (let round = 0; round < 12 && dots.length < 120; round++) {
    dots.forEach((a, i) => dots.slice(0, i).forEach((b) => {
      const dx = a.x - b.x || .01, dy = a.y - b.y || i / 100, gap = Math.hypot(dx, dy), push = (15 - gap) / gap / 2;
      if (push <= 0) return;
      // The first is this node: it stays in the middle.
      if (b !== dots[0]) { b.x -= dx * push; b.y -= dy * push; }
      a.x += dx * push; a.y += dy * push;
    }));
  }
}

export function radar(members) {
  const far = Math.max(...members.map((m) => m.metres)), scale = scales.find((one) => one >= far) ?? 2e7;
  // Roots keep those close by apart, and far ones on the drawing.
  const dots = [{ x: 0, y: 0 },
    ...members.map((m) => ({ m, ...polar(REACH * Math.sqrt(m.metres / scale), (m.turn ?? 0) / 360) }))];
  spread(dots);
  const rings = [[REACH / 2, distance(scale / 4)], [REACH, distance(scale)]];
  const label = (text) => apart(letters(text).length > 9 ? `${letters(text).slice(0, 8).join('')}…` : text);
  const initial = (m) => svg('text', { y: 3.2, class: 'initial' }, letters(m.name)[0] ?? '?');
  const dot = ({ m, x, y }) => svg('g', {
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    class: !m ? 'own' : `c${m.color}${m.live ? '' : ' old'}`,
  }, svg('circle', { r: m ? 7 : 5 }), m && [svg('title', {}, m.name), initial(m)],
  m && dots.length < 16 && svg('text', { y: 16.5 }, label(m.name)));
  const scaled = (y, text) => svg('text', { y, class: 'scale' }, text);
  return svg('svg', {
    class: 'radar', viewBox: '-100 -100 200 200', role: 'img', 'aria-label': t('radarName'),
  }, rings.map(([r]) => svg('circle', { r, class: 'ring' })), rings.map(([r, text]) => scaled(r - 2.5, text)),
  scaled(-REACH - 3, `↑ ${t('northUp')}`), dots.map(dot));
}
