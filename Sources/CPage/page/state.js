// What the page knows of its node. app.js alone writes it; views read it and listen.
export const state = {
  tours: [], tour: null, members: [], me: null, meeting: null, sharing: null, online: true, unread: 0, features: {},
};
const listeners = new Map();

/** Calls `fn` with each new value of `key`; returns what ends that. */
export function on(key, fn) {
  if (!listeners.has(key)) listeners.set(key, new Set());
  listeners.get(key).add(fn);
  return () => listeners.get(key).delete(fn);
}

/**
 * Says something that is not kept: `messages` ({ start, more, messages }) and `note`. A view that made or joined a tour
 * says `refresh` with its id: the page opens it. A page shows one tour from beginning to end.
 */
export function tell(key, value) {
  for (const fn of [...(listeners.get(key) ?? [])]) {
    try { fn(value); } catch (error) { reportError(error); }
  }
}

export function set(key, value) {
  state[key] = value;
  tell(key, value);
}

/** Guides, admins and the creator. */
export const leads = (role = state.tour?.role) => role === 'guide' || role === 'admin' || role === 'creator';
