// How the reader wants the page to look; index.html sees to it from the first moment on.
const property = { size: 'fontSize', theme: 'colorScheme' };
export const looks = { size: ['100%', '125%', '150%', '200%'], theme: ['auto', 'light', 'dark'] };
export const look = (kind) => localStorage.getItem(`tour-chat.${kind}`) ?? looks[kind][0];
export function choose(kind, value) {
  const isChosen = value !== looks[kind][0];
  if (isChosen) localStorage.setItem(`tour-chat.${kind}`, value);
  else localStorage.removeItem(`tour-chat.${kind}`);
  document.documentElement.style[property[kind]] = isChosen ? value : '';
}
