// The way to a place, on a member's page as on a guest's.

/** Devices of Apple know no `geo:`; their maps open by an address of the web. */
const isApple = /iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent);

/** The addresses of a place in degrees: `app` for a program of this device, `web` for a page with a map. */
export function ways(north, east) {
  const at = `${north},${east}`;
  return {
    at,
    app: isApple ? `https://maps.apple.com/?daddr=${at}` : `geo:${at}?q=${at}`,
    web: `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`,
  };
}
