// Where the reader is, as the browser says it when it is asked to.
import { problem } from './parts.js';

/** Its latitude and longitude in degrees; the browser asks the reader first. */
export const locate = () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(
  ({ coords: { latitude, longitude } }) => resolve({ north: latitude, east: longitude }),
  () => reject(problem('notLocated')), { timeout: 15_000, maximumAge: 60_000 }));

const radians = (degrees) => degrees * Math.PI / 180;
export function metres(from, to) {
  const half = (a, b) => Math.sin(radians(b - a) / 2) ** 2;
  const part = half(from.north, to.north)
    + Math.cos(radians(from.north)) * Math.cos(radians(to.north)) * half(from.east, to.east);
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(part)));
}
