// Whether what is urgent takes the place of what one said before: two that stand contradict each other.
import { check, h, on, said, state } from './parts.js';

const own = () => state.urgent?.find(({ mine }) => mine);

/** Asks, while something urgent of one's own stands: `el` to show, `input`, and `id()` of what stands. */
export function replacing() {
  const input = h('input', { type: 'checkbox', checked: true }), words = h('span');
  const el = h('.replacing', { hidden: true }, check('replacesIt', input), words);
  const draw = () => {
    const one = own();
    el.hidden = !one;
    words.replaceChildren(...(one ? [said(one.text.slice(0, 120), 'p.muted.small')] : []));
  };
  on('urgent', draw);
  draw();
  return { el, input, id: () => own()?.id };
}
