// The page's words, and times and numbers as the reader writes them.
import { straight } from './dom.js';
import { set, setting } from './store.js';

export const languages = {
  en: 'English', tr: 'Türkçe', de: 'Deutsch', es: 'Español', fr: 'Français', ar: 'العربية', ja: '日本語',
};
export let lang = 'en';
export let dir = 'ltr';
let words = {};
let plural;

/** Called once, before anything is shown. */
export async function loadWords() {
  const all = [setting('language'), ...navigator.languages].map((code) => (code || '').slice(0, 2).toLowerCase());
  lang = all.find((code) => code in languages) || 'en';
  dir = lang === 'ar' ? 'rtl' : 'ltr';
  Object.assign(document.documentElement, { lang, dir });
  words = (await import(`./words/${lang}.js`)).default;
  plural = new Intl.PluralRules(lang);
}

export function setLanguage(code) {
  set('language', code);
  location.reload();
}

const turning = /[\u0590-\u08ff\ufb1d-\ufefc]/;
/** What somebody called something keeps the order of its letters to itself. */
const isolated = (text) => (dir === 'rtl' || turning.test(text) ? `\u2068${straight(text)}\u2069` : straight(text));

/** A word by its key; `values.n` chooses among plural forms, and numbers are written as the reader does. */
export function t(key, values = {}) {
  let word = key in words ? words[key] : key;
  if (typeof word === 'object') word = word[plural.select(values.n)] || word.other;
  return word.replace(/\{(\w+)\}/g, (all, name) =>
    !(name in values) ? all : typeof values[name] === 'number' ? number(values[name]) : isolated(values[name]));
}

const parts = { hour: 'numeric', minute: '2-digit' };
/** Digits and hours are written as where the reader lives. */
const place = () => navigator.languages.find((code) => code.slice(0, 2) === lang) || lang;
export const number = (n) => n.toLocaleString(place());
export const time = (date) => new Date(date).toLocaleTimeString(place(), parts);

export function day(date) {
  const then = new Date(date), midnight = (day) => new Date(day).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(then) - midnight(new Date())) / 86_400_000);
  if (days < -1 || days > 1) {
    return then.toLocaleDateString(place(), { weekday: 'long', day: 'numeric', month: 'long' });
  }
  const text = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(days, 'day');
  return text[0].toLocaleUpperCase(lang) + text.slice(1);
}

export function size(n) {
  const bytes = n && Math.max(n, 100); // Never nothing where there is something.
  const power = [999_950, 999_950_000].filter((end) => bytes >= end).length;
  return (bytes / 1000 ** (power + 1)).toLocaleString(place(), {
    style: 'unit', unit: ['kilobyte', 'megabyte', 'gigabyte'][power], maximumFractionDigits: 1,
  });
}

/** Minutes and seconds, with hours where there are some. */
export function clock(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((n, i) => n.toLocaleString(place(), { minimumIntegerDigits: i ? 2 : 1 })).join(':');
}
