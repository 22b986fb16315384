// What the page knows. seat.js and messages.js write it; screens read it and listen.
export const state = {
  phase: 'start', // start, enter, in, other-tab, moved-on, over
  reach: null, // { ok, since, behind, why, isLost, host }
  view: null, // As it came last.
  waiting: [], // Acts that are not confirmed.
  record: null,
  later: null, // What https gives: later/secure.js.
  link: null, // The code that was scanned last, though one is in already.
};
const listeners = {};

/** Whether the guide has ended the tour, and until when its device shows it: { until }; null: it goes on. */
export const ended = () => (state.view ? state.view.ended : state.record && state.record.ended) || null;

export const on = (...keys) => {
  const fn = keys.pop();
  for (const key of keys) (listeners[key] = listeners[key] || []).push(fn);
};
export function tell(key, value) {
  for (const fn of listeners[key] || []) {
    try { fn(value); } catch (error) { console.error(error); }
  }
}
export function set(key, value) {
  state[key] = value;
  tell(key, value);
}
