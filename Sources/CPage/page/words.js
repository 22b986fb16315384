// The page's words, and dates and numbers as the reader writes them.
import { straight } from './dom.js';

export const languages = {
  en: 'English', tr: 'Türkçe', de: 'Deutsch', es: 'Español', fr: 'Français', ar: 'العربية', ja: '日本語',
};
export let lang = 'en';
export let dir = 'ltr';
const KEPT = 'tour-chat.language';
let words = {};
let plural;

function wanted() {
  const all = [localStorage.getItem(KEPT), ...navigator.languages];
  return all.map((code) => code?.slice(0, 2).toLowerCase()).find((code) => code in languages) ?? 'en';
}

/** Called once, before anything is shown. A file that is not there is read in English. */
export async function loadWords() {
  lang = wanted();
  dir = lang === 'ar' ? 'rtl' : 'ltr';
  Object.assign(document.documentElement, { lang, dir });
  const load = (code, part) => import(`./words/${code}${part}.js`);
  const parts = await Promise.all(['', '-tour', '-notebook'].map((part) =>
    load(lang, part).catch(() => load('en', part))));
  words = Object.assign({}, ...parts.map((part) => part.default));
  plural = new Intl.PluralRules(lang);
}

/** Days, hours and digits are written as where the reader lives; a browser that says of no region writes them as most do. */
function place() {
  const region = navigator.languages.map((code) => code.match(/-([A-Z]{2})\b/i)?.[1]).find(Boolean);
  return region ? `${lang}-${region}` : lang === 'en' ? 'en-001' : lang;
}
const date = (options) => new Intl.DateTimeFormat(place(), options);
const count = (options) => new Intl.NumberFormat(place(), options);
const unit = (name, digits) => count({ style: 'unit', unit: name, maximumFractionDigits: digits });
const kinds = {
  time: () => date({ hour: 'numeric', minute: '2-digit' }), number: count,
  day: () => date({ weekday: 'long', day: 'numeric', month: 'long' }),
  year: () => date({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' }),
  ago: () => new Intl.RelativeTimeFormat(place(), { numeric: 'auto' }), row: () => new Intl.ListFormat(lang),
  metre: () => unit('meter', 0), kilometre: () => unit('kilometer', 1),
  kilobyte: () => unit('kilobyte', 1),
  megabyte: () => unit('megabyte', 1), gigabyte: () => unit('gigabyte', 2),
  wholeDay: () => new Intl.NumberFormat(place(), { style: 'unit', unit: 'day', unitDisplay: 'long' }),
};
const made = {};
/** A format, made when it is used first: each takes a slow machine some frames. */
const format = (kind) => made[kind] ??= kinds[kind]();

export function setLanguage(code) {
  localStorage.setItem(KEPT, code);
  location.reload();
}

/** What somebody called something keeps the order of its letters to itself. */
const isolated = (text) => (dir === 'rtl' || turning.test(text) ? `\u2068${straight(text)}\u2069` : text);
const turning = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** A word by its key; `values.n` chooses among plural forms, and numbers are written as the reader does. */
export function t(key, values = {}) {
  let word = words[key] ?? key;
  if (typeof word === 'object') word = word[plural.select(values.n)] ?? word.other;
  return word.replace(/\{(\w+)\}/g, (all, name) =>
    !(name in values) ? all : typeof values[name] === 'number' ? number(values[name]) : isolated(values[name]));
}

export const inRow = (things) => format('row').formatToParts(things.map((_, i) => `${i}`))
  .map(({ type, value }) => (type === 'element' ? things[value] : value));
export const number = (n) => format('number').format(n);
export const days = (n) => format('wholeDay').format(n);
export const time = (date) => format('time').format(new Date(date));

export function day(date) {
  const then = new Date(date);
  const now = new Date();
  const days = Math.round((new Date(then).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days > -2 && days < 2) {
    const text = format('ago').format(days, 'day');
    return text[0].toLocaleUpperCase(lang) + text.slice(1);
  }
  return format(then.getFullYear() === now.getFullYear() ? 'day' : 'year').format(then);
}

export function ago(date) {
  const seconds = (new Date(date) - Date.now()) / 1000, size = Math.abs(seconds);
  const [unit, length] = size < 45 ? ['second', Infinity] : size < 2700 ? ['minute', 60]
    : size < 79_200 ? ['hour', 3600] : ['day', 86_400];
  return format('ago').format(Math.round(seconds / length), unit);
}

export function clock(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((n, i) => n.toLocaleString(place(), { minimumIntegerDigits: i ? 2 : 1 })).join(':');
}

export const degrees = (north, east) => `${north.toFixed(5)}, ${east.toFixed(5)}`;

export const distance = (metres) => metres < 995
  ? format('metre').format(metres < 20 ? metres : Math.round(metres / 10) * 10)
  : format('kilometre').format(metres / 1000);

export function size(n) {
  const bytes = n && Math.max(n, 100); // Never nothing where there is something.
  const power = [999_950, 999_950_000].filter((end) => bytes >= end).length;
  return format(['kilobyte', 'megabyte', 'gigabyte'][power]).format(bytes / 1000 ** (power + 1));
}
