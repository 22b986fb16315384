// When a message was displayed, on a member's page as on a guest's: Protocol/06-replication.md, "Claims".
const LONG = 500; // Milliseconds on the screen, after which a message was displayed.

/** Somebody could look at the page. */
export const isLooked = () => !document.hidden && document.hasFocus();

/**
 * Hands to `take` what stays on the screen for a moment, in a page that somebody could look at. `rows` gives pairs of
 * something and its element, from the top; `canSee` says whether anything hides all of them. What is returned is to be
 * called whenever something has moved.
 */
export function displayed(scroller, { canSee, rows, take }) {
  let wait = 0;
  const isSeen = () => canSee() && isLooked();
  function see() {
    if (!isSeen()) return;
    const { top, bottom } = scroller.getBoundingClientRect(), shown = [];
    for (const [one, el] of rows()) {
      const row = el.getBoundingClientRect();
      if (row.top >= bottom) break;
      // Half of it, or half of the screen where it is longer.
      const part = Math.min(row.bottom, bottom) - Math.max(row.top, top);
      if (part * 2 >= Math.min(row.height, bottom - top)) shown.push(one);
    }
    if (shown.length) take(shown);
  }
  function look() {
    clearTimeout(wait);
    if (isSeen()) wait = setTimeout(see, LONG);
  }
  document.addEventListener('visibilitychange', look);
  for (const event of ['focus', 'blur']) addEventListener(event, look);
  return look;
}
