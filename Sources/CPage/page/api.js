// The node's local API: Protocol/Schema/local-api.yaml.
import { pause } from './dom.js';
import { lang, t } from './words.js';

const KEPT = 'tour-chat.token';
const SILENCE = 40_000; // The node says something at least each 15 s.
let token = '';

/** Takes the token out of the address, where links and screenshots would carry it on. Returns whether there was one. */
export async function takeToken() {
  const [, kind, word, place] = /^#(token|ticket)=([0-9a-f]{64})(\/.*)?$/i.exec(location.hash) ?? [];
  if (word) {
    history.replaceState(null, '', location.pathname + (place ? `#${place}` : ''));
    const found = kind === 'token' ? word : await entered(word);
    if (found) localStorage.setItem(KEPT, found);
  }
  token = localStorage.getItem(KEPT) ?? '';
  return Boolean(word);
}

async function entered(ticket) {
  const answer = await fetch('/v1/page/enter', { method: 'POST', body: JSON.stringify({ ticket }) }).catch(() => null);
  return answer?.ok ? (await answer.json()).token : '';
}
await takeToken();

/** A refusal; `message` is for people. The code `offline`: nobody answered. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}
const offline = () => new ApiError(0, 'offline', t('silent'));

function refusal(status, text) {
  if (status === 401) api.denied();
  try {
    const { code, message } = JSON.parse(text).error;
    return new ApiError(status, code, message);
  } catch {
    return status === 502 ? offline() : new ApiError(status, 'internal', t('odd', { status: String(status) }));
  }
}
const headers = () => ({ Authorization: `Bearer ${token}`, 'Accept-Language': lang, 'Tour-Chat-Surface': 'page' });

async function call(method, path, body, signal) {
  const request = { method, headers: headers(), signal, cache: 'no-store' };
  if (body instanceof Blob) request.body = body;
  else if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  let answer, text;
  try {
    answer = await fetch(`/v1/${path}`, request);
    if (!answer.ok) text = await answer.text();
  } catch (error) {
    throw error.name === 'AbortError' ? error : offline();
  }
  if (!answer.ok) throw refusal(answer.status, text);
  return answer;
}

async function json(...args) {
  const text = await (await call(...args)).text();
  return text ? JSON.parse(text) : null;
}

export const api = {
  get: (path, signal) => json('GET', path, undefined, signal),
  post: (path, body) => json('POST', path, body),
  put: (path, body) => json('PUT', path, body),
  patch: (path, body) => json('PATCH', path, body),
  del: (path) => json('DELETE', path),
  blob: async (path) => (await call('GET', path)).blob(),
  made: async (path, body) => (await call('POST', path, body)).blob(),

  async lines(path, signal) {
    const text = await (await call('GET', path, undefined, signal)).text();
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  },

  /** Sends bytes; `onProgress` hears a part of 1. */
  upload: (path, blob, { onProgress, signal } = {}) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/${path}`);
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 300) return reject(refusal(request.status, request.responseText));
      resolve(JSON.parse(request.responseText || 'null'));
    };
    request.onerror = () => reject(offline());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    if (signal?.aborted) return request.onabort();
    request.send(blob);
  }),

  denied: () => {},

  /** What is new in a tour, over as many connections as it takes: `handlers` by event, `connected()`, `lost(error)`. */
  async events(tour, limit, handlers) {
    for (let wait = 500; ; wait = Math.min(wait * 2, 5000)) {
      const stop = new AbortController();
      let watch = 0, problem = offline();
      const listen = () => {
        clearTimeout(watch);
        watch = setTimeout(() => stop.abort(), SILENCE);
      };
      listen();
      try {
        const answer = await call('GET', `tours/${tour}/events?limit=${limit}`, undefined, stop.signal);
        const parse = eventParser((event, data) => handlers[event]?.(JSON.parse(data)));
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let isFirst = true; ; isFirst = false) {
          const { done, value } = await reader.read();
          if (done) break;
          listen();
          if (isFirst) handlers.connected();
          parse(value);
          wait = 250;
        }
      } catch (error) {
        if (error instanceof ApiError) problem = error;
      }
      clearTimeout(watch);
      stop.abort();
      handlers.lost(problem);
      await pause(wait);
    }
  },
};

/** Server-sent events out of text that is cut anywhere. Source: HTML, 9.2.6; lines end with LF or CR LF. */
function eventParser(handle) {
  let rest = '', event = '', data = [];
  return (text) => {
    if (!text.includes('\n')) return void (rest += text);
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith('event:')) event = line.slice(6).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5));
      else if (!line.trim() && data.length) {
        try { handle(event, data.join('\n')); } catch (error) { reportError(error); }
        [event, data] = ['', []];
      }
    }
  };
}
