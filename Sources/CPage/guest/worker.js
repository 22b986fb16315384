// Keeps the page's files, all of one version, so that it opens without a network. It keeps nothing else: no answer of
// a device. The device puts in front of this file what FILES there are, and their VERSION: a digest of them all.
const KEPT = `page-${VERSION}`;
const PATIENCE = 3000; // Milliseconds for a device to answer.
const ALONE = 20_000; // After a file that did not come, the others of the page are not waited for.
let aloneUntil = 0;

addEventListener('install', (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));

async function keep() {
  const store = await caches.open(KEPT);
  await store.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })));
}
async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
}

addEventListener('fetch', (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && FILES.includes(pathname)) {
    event.respondWith(answer(request, pathname));
  }
});

/** From the device where it is in reach. */
async function answer(request, path) {
  const kept = async () => (await caches.open(KEPT)).match(path);
  if (Date.now() < aloneUntil) {
    const file = await kept();
    if (file) return file;
  }
  const late = new Promise((resolve, reject) => setTimeout(reject, PATIENCE));
  const fresh = await Promise.race([fetch(request), late]).catch(() => null);
  if (fresh && fresh.ok) return fresh;
  aloneUntil = Date.now() + ALONE;
  return await kept() || fresh || Response.error();
}

// A tap on a notification leads to the page that showed it.
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show());
});
async function show() {
  const [page] = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (page) await page.focus();
  else await clients.openWindow('/');
}
