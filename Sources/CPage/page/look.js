// How the reader wants the page to look, from the first moment on.
const root = document.documentElement.style;
export const looks = { size: ['100%', '125%', '150%', '200%'], theme: ['auto', 'light', 'dark'] };
export const look = (kind) => localStorage.getItem(`tour-chat.${kind}`) ?? looks[kind][0];
function apply() {
  root.fontSize = look('size');
  root.colorScheme = look('theme') === 'auto' ? '' : look('theme');
}
export function choose(kind, value) {
  localStorage.setItem(`tour-chat.${kind}`, value);
  apply();
}
apply();
