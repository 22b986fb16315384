// What the page knows of its node. app.js alone writes it; views read it and listen. `stops` are plan.js's; `call` is
// a roll call under way: `missing`, how many have not answered.
export const state = {
  tours: [], tour: null, members: [], people: null, me: null, meeting: null, alarms: [], roll: null, urgent: [],
  quiet: null, stragglers: null, sharing: null, asking: null, online: true, unread: 0,
  features: {},
  stops: [], call: null,
};
const listeners = {};

export const on = (key, fn) => { (listeners[key] ??= []).push(fn); };

/** Says what is not kept: `messages` ({ start, more, messages }); `refresh` with the id of a tour opens it. */
export function tell(key, value) {
  for (const fn of listeners[key] ?? []) {
    try { fn(value); } catch (error) { reportError(error); }
  }
}

export function set(key, value) {
  state[key] = value;
  tell(key, value);
}

export const leads = (role = state.tour?.role) => ['guide', 'admin', 'creator', 'successor'].includes(role);
