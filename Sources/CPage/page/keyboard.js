// A keyboard on the screen leaves less of it, on a member's page as on a guest's.
const PART = 0.75; // Of the screen; what is lower has a keyboard below it, where somebody writes.
let width = 0, most = 0;

const isField = (el) => Boolean(el) && el.matches('input, textarea, [contenteditable]');

function fit() {
  const root = document.documentElement, { visualViewport: seen } = self;
  // A page that was made larger with two fingers has the room that it had.
  const height = Math.round(seen ? seen.height * seen.scale : innerHeight);
  if (innerWidth !== width) [width, most] = [innerWidth, 0];
  most = Math.max(most, height);
  root.style.setProperty('--height', `${height}px`);
  root.classList.toggle('typing', height < most * PART && isField(document.activeElement));
  if (seen && seen.scale === 1) scrollTo(0, 0);
}

/** Keeps the page as high as what is seen of it, and marks it as `typing` while a keyboard takes its room. */
export function followKeyboard() {
  if (self.visualViewport) visualViewport.addEventListener('resize', fit);
  addEventListener('resize', fit);
  for (const event of ['focusin', 'focusout']) addEventListener(event, () => setTimeout(fit));
  fit();
}
